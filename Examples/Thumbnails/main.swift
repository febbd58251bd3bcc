// Writes a JPEG thumbnail of each image, and prints the timings of its load.
//
//   swift run --package-path Examples Thumbnails FOLDER ADDRESS…
//
// The last part of an address is the name of its file. The exit status is 1 if an image failed.

import Glibc
import RemoteImage

guard CommandLine.arguments.count > 2 else {
    print("usage: Thumbnails FOLDER ADDRESS…")
    exit(64)
}
let (folder, addresses) = (CommandLine.arguments[1], CommandLine.arguments.dropFirst(2))
var status = EXIT_SUCCESS
for await (address, result) in ImagePipeline.shared.images(for: addresses, options: ImageOptions(maxPixelSize: 160)) {
    do {
        let image = try result.get()
        try await image.write(to: "\(folder)/\(address.split(separator: "/").last ?? "").jpg", as: .jpeg())
        print(address, image.info.timings?.description ?? "from the memory cache")
    } catch {
        print("\(address): \(error)")
        status = EXIT_FAILURE
    }
}
// The responses are stored for the next run.
await ImagePipeline.shared.finishWriting()
exit(status)

// What decoding takes, without a pipeline around it.

import Glibc
import RemoteImageCore
import RemoteImagePixbuf

enum DecodeBenchmark {
    /// Decodes files for 320 pixels on two threads, as the floor in C does with them.
    static func run(files: [String]) async -> [Figure] {
        let decoder = PixbufDecoder()
        let (processor, start) = (processorTime(), ContinuousClock.now)
        let pixelCount = await withTaskGroup(of: Int.self) { group in
            for half in 0..<2 {
                group.addTask {
                    var count = 0
                    for index in stride(from: half, to: files.count, by: 2) {
                        guard let bytes = read(files[index]), let header = try? ImageHeader.read(bytes) else {
                            continue
                        }
                        let request = DecodeRequest(header: header, target: .longestSide(320))
                        count += (try? decoder.decode(bytes, request))?.pixels.size.pixelCount ?? 0
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        let (wall, used) = (start.duration(to: .now) / .seconds(1), processorTime() - processor)
        var table = Table("decoding at 320 pixels", "files", "megapixels made", "wall s", "CPU s")
        table.add(
            "two threads", String(files.count), text(Double(pixelCount) / 1e6), text(wall, digits: 3),
            text(used, digits: 3))
        table.print()
        return [Figure(name: "decodeProcessorTime", value: used)]
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: count) { $1 = fread($0.baseAddress, 1, count, file) }
    }
}

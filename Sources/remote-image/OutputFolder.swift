import Glibc
import RemoteImage
import RemoteImageCore

/// The folder into which fetched images are written, each as a file with a unique name.
struct OutputFolder: Sendable {
    /// A written file.
    struct File: Sendable {
        let path: String
        let size: PixelSize
    }

    let path: String
    let format: OutputFormat
    /// The names that are given out, each with the last number that follows it, so that many equal
    /// names need one attempt each.
    private let numbers = Lock([String: Int]())

    /// Creates the folder and its parents if they are missing. Exits with 1 if that fails.
    init(_ path: String, format: OutputFormat = .png) throws {
        self.path = path
        self.format = format
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw Console.failure(at: made) }
        }
        guard access("\(path)/.", W_OK) == 0 else { throw Console.failure(at: path) }
    }

    /// Returns `name`, or `name-2` and so on if that name is given out or the folder has its file.
    func claim(_ name: String) -> String {
        numbers.withLock { numbers in
            var number = numbers[name] ?? 0
            var claimed: String
            var status = stat()
            repeat {
                number += 1
                claimed = number == 1 ? name : "\(name)-\(number)"
            } while numbers[claimed] != nil || lstat(file(claimed), &status) == 0
            numbers[claimed] = 1
            numbers[name] = number
            return claimed
        }
    }

    /// Writes `image` under a claimed name, scaled down to `size` pixels on its longest side if it
    /// is larger.
    func write(_ image: LoadedImage, as name: String, size: Int?) async throws(ImageError) -> File {
        try await WorkerThreads.decoding.run { () throws(ImageError) in
            let target = size.map(TargetSize.longestSide)
            let exact = target?.drawnSize(of: image.info.size) ?? image.info.size
            let pixels = exact == image.pixels.size ? image.pixels : image.pixels.scaledDown(to: exact)
            return File(path: try store(try pixels.encoded(as: format.encoding), as: name), size: pixels.size)
        }
    }

    private func file(_ name: String) -> String { "\(path)/\(name).\(format.fileExtension)" }

    private func store(_ bytes: [UInt8], as name: String) throws(ImageError) -> String {
        let (descriptor, path) = try makeFile(name)
        defer { close(descriptor) }
        if let failure = bytes.withUnsafeBytes({ Console.writeAll($0, to: descriptor) }) {
            unlink(path)
            throw ImageError(.io, "\(path): \(String(cString: strerror(failure)))")
        }
        return path
    }

    private func makeFile(_ name: String) throws(ImageError) -> (descriptor: Int32, path: String) {
        let path = file(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor >= 0 { return (descriptor, path) }
        // Another program has made the file since the name was claimed.
        if errno == EEXIST { return try makeFile(claim(name)) }
        throw ImageError(.io, "\(path): \(String(cString: strerror(errno)))")
    }
}

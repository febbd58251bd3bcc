import ArgumentParser
import Glibc
import RemoteImage
import RemoteImageCore

/// The folder into which fetched images are written, each as a PNG with a unique name.
struct OutputFolder: Sendable {
    let path: String
    /// The last number given to each name, so that many equal names need one attempt each.
    private let numbers = Lock([String: Int]())

    /// Creates the folder and its parents if they are missing.
    init(_ path: String) throws {
        self.path = path
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            mkdir(made, 0o777)
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, access(path, W_OK) == 0 else {
            throw ValidationError("--output: \(path) is not a writable folder.")
        }
    }

    /// Writes `image`, scaled down to `size` pixels on its longest side if it is larger.
    func write(_ image: LoadedImage, from address: String, size: Int?) async throws(ImageError) {
        let written: Result<Void, ImageError> = await Task(executorPreference: WorkerThreads.decoding) {
            Result { () throws(ImageError) in
                let target = size.map(TargetSize.longestSide)
                let exact = target?.drawnSize(of: image.info.size) ?? image.info.size
                let pixels = exact == image.pixels.size ? image.pixels : image.pixels.scaledDown(to: exact)
                try store(try pixels.encoded(as: .png), under: Self.name(for: address))
            }
        }.value
        try written.get()
    }

    /// A file name from the last part of the address's path: at most 80 ASCII letters, digits, `-`
    /// and `_`. It does not begin with `-`, since programs would take it for an option.
    static func name(for address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        let stem = last.lastIndex(of: ".").map { last[..<$0] } ?? last
        let safe = stem.utf8.map { byte -> Character in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
                ? character : "_"
        }
        let name = String(safe.drop { $0 == "-" }.prefix(80))
        return name.contains { $0 != "_" && $0 != "-" } ? name : "image"
    }

    private func store(_ bytes: [UInt8], under name: String) throws(ImageError) {
        let (descriptor, path) = try makeFile(name)
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                unlink(path)
                throw ImageError(.io, "\(path): \(reason)")
            }
            written += count
        }
    }

    /// Creates a new file: `name.png`, or `name-2.png` and so on if it exists.
    private func makeFile(_ name: String) throws(ImageError) -> (descriptor: Int32, path: String) {
        while true {
            let number = numbers.withLock { numbers in
                numbers[name, default: 0] += 1
                return numbers[name] ?? 1
            }
            let file = "\(path)/\(name)\(number == 1 ? "" : "-\(number)").png"
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, file) }
            guard errno == EEXIST else { throw ImageError(.io, "\(file): \(String(cString: strerror(errno)))") }
        }
    }
}

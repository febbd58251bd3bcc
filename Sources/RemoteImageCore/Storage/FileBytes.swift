import Glibc

/// Reads whole files. Blocks, so only on threads that may.
enum FileBytes {
    /// Throws ``ImageError/Code/io`` where the file cannot be read or is none, ``ImageError/Code/tooLarge`` where it has
    /// more than `limit` bytes.
    static func read(_ path: String, limit: Int) throws(ImageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ImageError(.io, "\(path): not a file") }
        let size = Int(status.st_size)
        guard size <= limit else { throw ImageError(.tooLarge, "\(size) bytes of at most \(limit)") }
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                if read < 0 && errno == EINTR { continue }
                if read < 0 { error = errno }
                guard read > 0 else { return }
                count += read
            }
        }
        guard error == 0 else { throw failure(path, error) }
        return bytes
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> ImageError {
        ImageError(.io, "\(path): \(String(cString: strerror(code)))")
    }
}

import Glibc

/// Reads and writes whole files. Blocks, so call it only on threads that may block.
package enum FileBytes {
    /// Reads a file. Throws ``ImageError/Code/io`` if it cannot be read or is not a regular file,
    /// and ``ImageError/Code/tooLarge`` if it has more than `limit` bytes. The version is that of
    /// the file before it was read.
    static func read(_ path: FilePath, limit: Int) throws(ImageError) -> (bytes: [UInt8], version: FileVersion) {
        let descriptor = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, .last) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, .last) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ImageError(.io, "\(path): not a file") }
        let size = Int(status.st_size)
        guard size <= limit else { throw ImageError(.tooLarge, "\(size) bytes of at most \(limit)") }
        do throws(StoreFailure) {
            return (try read(size, from: descriptor), FileVersion(status))
        } catch {
            throw failure(path, error)
        }
    }

    /// Reads the first `size` bytes of an open file, or all if it has fewer.
    static func read(_ size: Int, from file: Int32) throws(StoreFailure) -> [UInt8] {
        // Of an empty array, Swift would set the count in memory that all empty arrays share.
        guard size > 0 else { return [] }
        var failure: StoreFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = Glibc.read(file, buffer.baseAddress.map { $0 + count }, size - count)
                if read < 0 && errno == EINTR { continue }
                if read < 0 { failure = .last }
                guard read > 0 else { return }
                count += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes a file. Other programs see the old file or the complete new one, since the bytes are
    /// written to a temporary file in the same folder, which is then renamed. Throws
    /// ``ImageError/Code/io`` if that fails; an old file is then unchanged.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(ImageError) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let temporary = "\(folder).remote-image-\(UInt64.random(in: 0 ... .max).hexText)"
        do throws(StoreFailure) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = try StoreFailure.check(open(temporary, flags, 0o666))
            do throws(StoreFailure) {
                try write(bytes[...], closing: file)
                try StoreFailure.check(rename(temporary, path))
            } catch {
                unlink(temporary)
                throw error
            }
        } catch {
            throw failure(path, error)
        }
    }

    /// Writes bytes and closes the file, also after a failure. Some file systems report a full disk
    /// only when the file is closed.
    static func write(_ bytes: ArraySlice<UInt8>, closing file: Int32) throws(StoreFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = count < 0 ? StoreFailure.last : .system(ENOSPC)
                close(file)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        try StoreFailure.check(close(file))
    }

    private static func failure(_ path: some CustomStringConvertible, _ failure: StoreFailure) -> ImageError {
        ImageError(.io, "\(path): \(failure.reason)")
    }
}

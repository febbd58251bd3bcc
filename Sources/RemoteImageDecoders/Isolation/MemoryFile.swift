// Bytes that go from one process to another without a copy: a file in memory, sealed by the one that wrote it.

import CPlatform
import Glibc

/// Owns the descriptor of a memory file.
package struct MemoryFile: ~Copyable {
    package let descriptor: Int32

    /// Takes over a descriptor that came with a message.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// A sealed file with these bytes. Throws `ImageError.Code.io` where there is no memory.
    package init(sealing bytes: [UInt8]) throws(ImageError) {
        descriptor = try bytes.withUnsafeBytes { Self.seal($0) }.get()
    }

    /// A sealed file with these pixels. Throws `ImageError.Code.io` where there is no memory.
    package init(sealing pixels: PixelBuffer) throws(ImageError) {
        descriptor = try pixels.withUnsafeBytes { Self.seal($0) }.get()
    }

    private static func seal(_ bytes: UnsafeRawBufferPointer) -> Result<Int32, ImageError> {
        let descriptor = platform_memory_file("remote-image")
        guard descriptor >= 0 else { return .failure(failure("no memory file")) }
        var written = 0
        while written < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        guard written == bytes.count, platform_seal(descriptor) == 0 else {
            let failure = failure("no memory for a file")
            close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func failure(_ what: String) -> ImageError {
        ImageError(.io, "\(what): \(String(cString: strerror(errno)))")
    }

    /// Whether nobody can change it any more.
    package var isSealed: Bool { platform_is_sealed(descriptor) == 1 }

    /// How long it is; nil for what is no file. Not by `fstat`, which the C library turns into a call that could look at
    /// any path, and which a decoder process may therefore not make.
    package var byteCount: Int? {
        let end = lseek(descriptor, 0, SEEK_END)
        return end >= 0 ? end : nil
    }

    /// A copy of its first `count` bytes; nil where there are fewer.
    package func read(_ count: Int) -> [UInt8]? {
        guard let byteCount, byteCount >= count else { return nil }
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isComplete = false
                    return
                }
                filled += got
            }
        }
        return isComplete ? bytes : nil
    }

    /// The file as pixels, mapped and not copied. Nil unless it is sealed, so that it can neither change nor shrink under
    /// the reader, and exactly as long as the pixels.
    package func pixels(size: PixelSize, format: PixelFormat) -> PixelBuffer? {
        guard isSealed, let byteCount, byteCount > 0, size.width > 0, size.height > 0 else { return nil }
        let (expected, overflow) = size.pixelCount.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard !overflow, expected == byteCount else { return nil }
        // Private, since older kernels refuse to share what is sealed against writing; it is only read anyway.
        let address = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), descriptor, 0)
        guard let address, address != MAP_FAILED else { return nil }
        let memory = UnsafeRawBufferPointer(start: address, count: byteCount)
        return PixelBuffer(size: size, format: format, memory: memory) { memory in
            munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
        }
    }
}

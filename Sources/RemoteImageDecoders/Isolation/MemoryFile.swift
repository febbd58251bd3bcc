// Memory that an application shares with a decoder process. Only the application creates it, in a
// fixed size, so that a process cannot allocate uncounted memory or make an access to a mapping
// fault.
//
// Unsafe code: each mapping lives as long as the value that owns it.

import CRemoteImagePlatform
import Glibc

/// Owns the descriptor of a memory file, which has the bytes of an image at its start and the
/// pixels from the next page on.
package struct MemoryFile: ~Copyable {
    package let descriptor: Int32

    /// The largest page size of Linux, since the offset of a mapping is a multiple of the page
    /// size.
    private static let pageByteCount = 65_536

    /// The offset of the pixels after an image of `byteCount` bytes.
    package static func pixelOffset(_ byteCount: Int) -> Int {
        (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount
    }

    /// Takes ownership of a descriptor from a message.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Creates a file of zeros. Throws `ImageError.Code.io` if there is not enough memory.
    package init(byteCount: Int) throws(ImageError) {
        descriptor = platform_memory_file("remote-image", UInt64(byteCount))
        guard descriptor >= 0 else {
            throw ImageError(.io, "no memory file: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The length; `nil` without a valid file. Does not use `fstat`, for which the C library uses a
    /// system call that can access any path and is therefore forbidden in a decoder process.
    package var byteCount: Int? {
        let end = lseek(descriptor, 0, SEEK_END)
        return end >= 0 ? end : nil
    }

    /// Writes bytes to the start of the file. Throws `ImageError.Code.io` if there is not enough
    /// memory.
    package borrowing func write(_ bytes: [UInt8]) throws(ImageError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written, written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ImageError(.io, "no memory for a file: \(String(cString: strerror(errno)))")
            }
            written += count
        }
    }

    /// Seals the file and maps its pixels from `offset` on without a copy; discards the bytes
    /// before them. `nil` if the file is too short or another process can still write to it.
    package borrowing func sealedPixels(at offset: Int, size: PixelSize, format: PixelFormat) -> PixelBuffer? {
        guard let end = byteCount, let count = size.byteCount(format), count <= end - offset else { return nil }
        if offset > 0 { _ = platform_discard(descriptor, 0, UInt64(offset)) }
        guard platform_seal(descriptor) == 0, platform_is_sealed(descriptor) == 1 else { return nil }
        // A private mapping, since older kernels refuse shared mappings of sealed files; the pixels
        // are only read.
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE | Int32(MAP_POPULATE), descriptor, offset)
        guard let address, address != MAP_FAILED else { return nil }
        let memory = UnsafeRawBufferPointer(start: address, count: count)
        return PixelBuffer(size: size, format: format, memory: memory) { memory in
            munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
        }
    }
}

/// Owns a mapping of a memory file that several processes write to.
package struct SharedMapping: ~Copyable {
    private let address: UnsafeMutableRawPointer
    package let byteCount: Int

    /// Maps the whole file; `nil` if that fails.
    package init?(_ file: borrowing MemoryFile) {
        guard let byteCount = file.byteCount, byteCount > 0 else { return nil }
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let address, address != MAP_FAILED else { return nil }
        self.address = address
        self.byteCount = byteCount
    }

    deinit { munmap(address, byteCount) }

    /// The bytes from `offset` on, valid while the mapping lives.
    package borrowing func bytes(from offset: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: address + min(offset, byteCount), count: max(0, byteCount - offset))
    }

    /// Copies the pixels, so that the other process can no longer change them. `nil` if the mapping
    /// is too short.
    package borrowing func copyOfPixels(at offset: Int, size: PixelSize, format: PixelFormat) -> PixelBuffer? {
        guard let count = size.byteCount(format), count <= byteCount - offset else { return nil }
        let source = UnsafeRawBufferPointer(rebasing: bytes(from: offset)[..<count])
        return PixelBuffer(size: size, format: format) { $0.copyMemory(from: source) }
    }
}

extension PixelSize {
    /// The bytes of this number of pixels; `nil` if a side is not positive or the result overflows.
    fileprivate func byteCount(_ format: PixelFormat) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooLong) = pixels.multipliedReportingOverflow(by: format.bytesPerPixel)
        return isTooMany || isTooLong ? nil : bytes
    }
}

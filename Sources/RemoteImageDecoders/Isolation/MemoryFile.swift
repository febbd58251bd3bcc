// Memory that an application shares with one of its decoder processes. The application makes all of
// it, in sizes that cannot change: a process makes no memory that is counted nowhere, and no
// mapping can be made to fault.
//
// Unsafe code: mappings, each of which lives as long as the value that owns it.

import CPlatform
import Glibc

/// How bytes and pixels share a memory file: the bytes at its start, the pixels from the next page
/// on.
package enum ExchangeLayout {
    /// The largest page of Linux: offsets of mappings are multiples of the page.
    private static let pageByteCount = 65_536

    /// Where the pixels begin.
    package static func pixelOffset(_ byteCount: Int) -> Int {
        (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount
    }
}

/// Owns the descriptor of a memory file.
package struct MemoryFile: ~Copyable {
    package let descriptor: Int32

    /// Takes over a descriptor that came with a message.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// A file of zeros. Throws `ImageError.Code.io` where there is no memory.
    package init(byteCount: Int) throws(ImageError) {
        descriptor = platform_memory_file("remote-image", UInt64(byteCount))
        guard descriptor >= 0 else {
            throw ImageError(.io, "no memory file: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// How long it is; nil for what is no file. Not by `fstat`, which the C library turns into a
    /// call that could look at any path, and which a decoder process may therefore not make.
    package var byteCount: Int? {
        let end = lseek(descriptor, 0, SEEK_END)
        return end >= 0 ? end : nil
    }

    /// Writes bytes to its start. Throws `ImageError.Code.io` where there is no memory.
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

    /// Its pixels from `offset` on, mapped and not copied; what is before them is thrown away. Nil
    /// where it is too short, and where another process can still write to it.
    package borrowing func sealedPixels(at offset: Int, size: PixelSize, format: PixelFormat) -> PixelBuffer? {
        guard let end = byteCount, let count = size.byteCount(format), count <= end - offset else { return nil }
        if offset > 0 { _ = platform_discard(descriptor, 0, UInt64(offset)) }
        guard platform_seal(descriptor) == 0, platform_is_sealed(descriptor) == 1 else { return nil }
        // Private, since older kernels refuse to share what is sealed against writing; it is only
        // read anyway.
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

    /// Maps all of the file; nil where that cannot be.
    package init?(_ file: borrowing MemoryFile) {
        guard let byteCount = file.byteCount, byteCount > 0 else { return nil }
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let address, address != MAP_FAILED else { return nil }
        self.address = address
        self.byteCount = byteCount
    }

    deinit { munmap(address, byteCount) }

    /// The bytes from `offset` on. Valid while the mapping lives.
    package borrowing func bytes(from offset: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: address + min(offset, byteCount), count: max(0, byteCount - offset))
    }

    /// A copy of pixels, which the other process can no longer change. Nil where the mapping is too
    /// short.
    package borrowing func copyOfPixels(at offset: Int, size: PixelSize, format: PixelFormat) -> PixelBuffer? {
        guard let count = size.byteCount(format), count <= byteCount - offset else { return nil }
        let source = UnsafeRawBufferPointer(rebasing: bytes(from: offset)[..<count])
        return PixelBuffer(size: size, format: format) { $0.copyMemory(from: source) }
    }
}

extension PixelSize {
    /// Bytes of so many pixels; nil for a side that is not positive, and for more than memory can
    /// hold.
    fileprivate func byteCount(_ format: PixelFormat) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooLong) = pixels.multipliedReportingOverflow(by: format.bytesPerPixel)
        return isTooMany || isTooLong ? nil : bytes
    }
}

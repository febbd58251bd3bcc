// The decoded pixels of an image, immutable and shared.

/// How the pixels of a ``PixelBuffer`` are packed, 8 bits a channel, sRGB, rows without padding.
public enum PixelFormat: Hashable, Sendable {
    /// Red, green, blue: an opaque image.
    ///
    /// Measured with GTK 4.8, 400 × 300 pixels drawn at 320 × 240, processor time an image: its
    /// cairo renderer takes 0.33 ms, and 1.3 ms for the same in ``rgba8Premultiplied``. Its GL
    /// renderer over llvmpipe takes 1.0 ms for both the first time, when the texture is made, and
    /// after that 0.7 ms against 0.8 ms. It is a quarter less memory too.
    case rgb8
    /// Red, green, blue, alpha; the colours are multiplied by alpha.
    case rgba8Premultiplied

    /// The size of a pixel, in bytes.
    public var bytesPerPixel: Int {
        switch self {
        case .rgb8: 3
        case .rgba8Premultiplied: 4
        }
    }
}

/// Decoded pixels: immutable once made, and shared by all views that show them.
///
/// Rows go from top to bottom and follow one another without padding.
public final class PixelBuffer: @unchecked Sendable {
    // Unchecked: the memory is written only in `init`, or by its creator before `init`.

    /// The width and the height, in pixels.
    public let size: PixelSize
    /// The layout of a pixel.
    public let format: PixelFormat
    private let memory: UnsafeRawBufferPointer
    private let release: @Sendable (UnsafeRawBufferPointer) -> Void

    /// Makes a buffer and lets `fill` write its pixels: `size.height` rows of `size.width` pixels.
    ///
    /// The sides of `size` must be at least 1 and their product in bytes must fit `Int`: a decoder
    /// has checked both against its ``DecodeLimits``.
    public init<Failure: Error>(
        size: PixelSize, format: PixelFormat,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.size = size
        self.format = format
        let byteCount = size.width * size.height * format.bytesPerPixel
        let memory: UnsafeMutableRawBufferPointer
        if let shared = SharedPixelMemory.take(byteCount) {
            memory = shared
            release = { _ in SharedPixelMemory.giveBack() }
        } else {
            memory = .allocate(byteCount: byteCount, alignment: 16)
            release = { $0.deallocate() }
        }
        self.memory = UnsafeRawBufferPointer(memory)
        try fill(memory)
    }

    /// Takes over memory that holds the pixels and does not change any more; `release` is called
    /// with it, once, when the last reference to the buffer goes. Nil, and nothing is taken over,
    /// where it has another length.
    package init?(
        size: PixelSize, format: PixelFormat, memory: UnsafeRawBufferPointer,
        releasedBy release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        let (byteCount, overflow) = size.pixelCount.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard size.width > 0, size.height > 0, !overflow, memory.count == byteCount else { return nil }
        self.size = size
        self.format = format
        self.memory = memory
        self.release = release
    }

    deinit {
        release(memory)
    }

    /// Bytes from the start of a row to the start of the next.
    public var stride: Int { size.width * format.bytesPerPixel }

    /// The size of all rows, in bytes.
    public var byteCount: Int { memory.count }

    /// Calls `body` with all pixels. The memory lives as long as the buffer, so that a front end
    /// which keeps the buffer alive may keep the pointer.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }
}

// The decoded pixels of an image, immutable and shared.

/// The pixel layout of a ``PixelBuffer``: 8 bits per channel, sRGB, rows without padding.
public enum PixelFormat: Hashable, Sendable {
    /// Red, green, blue: an opaque image.
    ///
    /// Measured with GTK 4.8, 400 × 300 pixels drawn at 320 × 240, processor time per image: the
    /// cairo renderer takes 0.33 ms, and 1.3 ms with ``rgba8Premultiplied``. The GL renderer over
    /// llvmpipe takes 1.0 ms with both formats the first time, when it makes the texture, and after
    /// that 0.7 ms instead of 0.8 ms. The pixels also take a quarter less memory.
    case rgb8
    /// Red, green, blue, alpha; the colors are multiplied by alpha.
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

    /// Takes ownership of memory that holds the pixels and no longer changes. `release` is called
    /// with it once, when the last reference to the buffer is released. Returns `nil` without
    /// taking ownership if the memory has the wrong length.
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

    /// The distance from the start of a row to the start of the next, in bytes.
    public var stride: Int { size.width * format.bytesPerPixel }

    /// The size of all rows, in bytes.
    public var byteCount: Int { memory.count }

    /// Calls `body` with all pixels. The memory lives as long as the buffer: a caller that retains
    /// the buffer may keep the pointer.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory)
    }
}

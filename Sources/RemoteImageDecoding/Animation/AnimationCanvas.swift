// Composes the frames of an animation.
//
// Unsafe code: pointers into pixels. The creator of a canvas keeps its memory valid. Every frame is
// clipped to the canvas before its rows are accessed.

/// The canvas on which frames are drawn: premultiplied RGBA, in memory of its creator.
package struct AnimationCanvas {
    private let size: PixelSize
    private let pixels: UnsafeMutableRawBufferPointer
    /// The pixels of the canvas below a frame whose disposal restores them; empty if no frame does.
    private let saved: UnsafeMutableRawBufferPointer

    private typealias Rectangle = (x: Range<Int>, y: Range<Int>)

    /// The memory of a canvas, in bytes; `nil` if the size has no pixels or too many.
    ///
    /// - Parameter restores: Whether the disposal of a frame restores pixels.
    package static func byteCount(of size: PixelSize, restores: Bool) -> Int? {
        guard size.width > 0, size.height > 0 else { return nil }
        let (count, overflow) = size.pixelCount.multipliedReportingOverflow(by: restores ? 8 : 4)
        return overflow ? nil : count
    }

    /// `nil` if the memory has the wrong length.
    package init?(_ size: PixelSize, restores: Bool, in memory: UnsafeMutableRawBufferPointer) {
        guard let count = Self.byteCount(of: size, restores: restores), memory.count == count else { return nil }
        self.size = size
        let pixelByteCount = size.pixelCount * 4
        pixels = UnsafeMutableRawBufferPointer(rebasing: memory[..<pixelByteCount])
        saved = UnsafeMutableRawBufferPointer(rebasing: memory[pixelByteCount...])
    }

    /// Makes the whole canvas transparent.
    package func clear() {
        pixels.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Applies the disposal of the previous frame, then draws a frame.
    ///
    /// - Parameter image: The pixels of the frame, `nil` if it has none. Those outside its area are
    ///   not drawn.
    package func draw(_ frame: AnimationFrame, _ image: PixelBuffer?, after previous: AnimationFrame?) {
        if let previous { dispose(previous) }
        let place = place(of: frame)
        guard let image else { return }
        if frame.disposal == .restore, !saved.isEmpty { copy(place, from: pixels, to: saved) }
        let width = min(place.x.count, image.size.width)
        image.withUnsafeBytes { source in
            for y in place.y.prefix(image.size.height) {
                let old = source[((y - frame.y) * image.stride)...].prefix(width * image.format.bytesPerPixel)
                let new = pixels[((y * size.width + place.x.lowerBound) * 4)...].prefix(width * 4)
                Self.drawRow(
                    UnsafeRawBufferPointer(rebasing: old), image.format,
                    into: UnsafeMutableRawBufferPointer(rebasing: new), blends: frame.blends)
            }
        }
    }

    /// The current canvas, scaled down to `wanted` and never up. RGB if every pixel is opaque: a
    /// renderer without a GPU draws RGB in a quarter of the time.
    package func image(scaledDownTo wanted: PixelSize) -> PixelBuffer {
        let target = PixelSize(width: min(size.width, wanted.width), height: min(size.height, wanted.height))
        let width = size.width
        let canvas = pixels.assumingMemoryBound(to: UInt8.self)
        let isOpaque = canvas.baseAddress.map { PixelBuffer.isOpaque($0, size.pixelCount) } ?? true
        return PixelBuffer(averaging: size, to: target, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { y, spare in
            guard let row = canvas.baseAddress.map({ $0 + y * width * 4 }) else { return UnsafePointer(spare) }
            guard isOpaque else { return UnsafePointer(row) }
            // The next pixel overwrites the fourth byte; the buffer has room for that of the last
            // pixel.
            for x in 0..<width {
                UnsafeMutableRawPointer(spare + x * 3).storeBytes(
                    of: UnsafeRawPointer(row + x * 4).loadUnaligned(as: UInt32.self), as: UInt32.self)
            }
            return UnsafePointer(spare)
        }
    }

    private func dispose(_ frame: AnimationFrame) {
        let place = place(of: frame)
        guard frame.disposal != .keep else { return }
        if frame.disposal == .restore, !saved.isEmpty { return copy(place, from: saved, to: pixels) }
        for y in place.y { row(y, of: place, in: pixels).initializeMemory(as: UInt8.self, repeating: 0) }
    }

    /// The part of the canvas that a frame covers.
    private func place(of frame: AnimationFrame) -> Rectangle {
        func range(_ start: Int, _ length: Int, in limit: Int) -> Range<Int> {
            guard start >= 0, start < limit, length > 0 else { return 0..<0 }
            return start..<(start + min(length, limit - start))
        }
        return (range(frame.x, frame.size.width, in: size.width), range(frame.y, frame.size.height, in: size.height))
    }

    private func copy(
        _ place: Rectangle, from source: UnsafeMutableRawBufferPointer, to target: UnsafeMutableRawBufferPointer
    ) {
        for y in place.y {
            row(y, of: place, in: target).copyMemory(from: UnsafeRawBufferPointer(row(y, of: place, in: source)))
        }
    }

    private func row(
        _ y: Int, of place: Rectangle, in memory: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            rebasing: memory[((y * size.width + place.x.lowerBound) * 4)...].prefix(place.x.count * 4))
    }

    private static func drawRow(
        _ source: UnsafeRawBufferPointer, _ format: PixelFormat, into row: UnsafeMutableRawBufferPointer, blends: Bool
    ) {
        switch format {
        case .rgb8:
            for (old, new) in zip(stride(from: 0, to: source.count - 2, by: 3), stride(from: 0, to: row.count, by: 4)) {
                for channel in 0..<3 { row[new + channel] = source[old + channel] }
                row[new + 3] = 255
            }
        case .rgba8Premultiplied where blends:
            for index in stride(from: 0, to: min(source.count, row.count), by: 4) {
                let rest = 255 - UInt32(source[index + 3])
                if rest == 255 { continue }
                for channel in index..<(index + 4) {
                    let product = UInt32(row[channel]) * rest + 128
                    row[channel] = source[channel] &+ UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
                }
            }
        case .rgba8Premultiplied:
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(row.count)))
        }
    }
}

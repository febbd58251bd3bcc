// Composes the frames of an animation.
//
// Unsafe code: pointers into pixels. Every frame is clipped to the canvas before its rows are
// accessed.

/// The canvas on which frames are drawn: premultiplied RGBA.
struct AnimationCanvas {
    private let size: PixelSize
    private var pixels: [UInt8]
    private var pending: (rectangle: Rectangle, disposal: AnimationFrame.Disposal, saved: [UInt8])?

    private struct Rectangle {
        let x: Range<Int>
        let y: Range<Int>
    }

    init(_ size: PixelSize) {
        self.size = size
        pixels = [UInt8](repeating: 0, count: size.pixelCount * 4)
    }

    /// Applies the disposal of the previous frame, then draws a frame with its pixels; `nil` for a
    /// frame without pixels.
    mutating func draw(_ frame: AnimationFrame, _ image: PixelBuffer?) {
        dispose()
        guard let image else { return }
        let place = Rectangle(
            x: min(frame.x, size.width)..<min(frame.x + image.size.width, size.width),
            y: min(frame.y, size.height)..<min(frame.y + image.size.height, size.height))
        pending = (place, frame.disposal, frame.disposal == .restore ? copy(place) : [])
        guard !place.x.isEmpty else { return }
        image.withUnsafeBytes { source in
            pixels.withUnsafeMutableBytes { canvas in
                for y in place.y {
                    let old = source[((y - frame.y) * image.stride)...]
                    let new = UnsafeMutableRawBufferPointer(
                        rebasing: canvas[((y * size.width + place.x.lowerBound) * 4)...].prefix(place.x.count * 4))
                    Self.drawRow(UnsafeRawBufferPointer(rebasing: old), image.format, into: new, blends: frame.blends)
                }
            }
        }
    }

    /// The current canvas, scaled down to `wanted` and never up. RGB if every pixel is opaque: a
    /// renderer without a GPU draws RGB in a quarter of the time.
    func image(scaledDownTo wanted: PixelSize) -> PixelBuffer {
        let target = PixelSize(width: min(size.width, wanted.width), height: min(size.height, wanted.height))
        let (width, isOpaque) = (size.width, isOpaque)
        return pixels.withUnsafeBufferPointer { canvas in
            PixelBuffer(averaging: size, to: target, format: isOpaque ? .rgb8 : .rgba8Premultiplied) { y, spare in
                guard let row = canvas.baseAddress.map({ $0 + y * width * 4 }) else { return UnsafePointer(spare) }
                guard isOpaque else { return row }
                // The next pixel overwrites the fourth byte; the buffer has room for that of the
                // last pixel.
                for x in 0..<width {
                    UnsafeMutableRawPointer(spare + x * 3).storeBytes(
                        of: UnsafeRawPointer(row + x * 4).loadUnaligned(as: UInt32.self), as: UInt32.self)
                }
                return UnsafePointer(spare)
            }
        }
    }

    private var isOpaque: Bool {
        pixels.withUnsafeBufferPointer { canvas in
            // No early exit: a branch per pixel would cost more than it saves.
            var all: UInt8 = 255
            for index in stride(from: 3, to: canvas.count, by: 4) { all &= canvas[index] }
            return all == 255
        }
    }

    private mutating func dispose() {
        guard let (place, disposal, saved) = pending.take() else { return }
        if disposal == .keep { return }
        for (row, y) in place.y.enumerated() {
            let start = (y * size.width + place.x.lowerBound) * 4
            let range = start..<(start + place.x.count * 4)
            if disposal == .restore {
                let width = place.x.count * 4
                pixels.replaceSubrange(range, with: saved[(row * width)..<((row + 1) * width)])
            } else {
                pixels.replaceSubrange(range, with: repeatElement(0, count: range.count))
            }
        }
    }

    private func copy(_ place: Rectangle) -> [UInt8] {
        place.y.flatMap { y in
            let start = (y * size.width + place.x.lowerBound) * 4
            return pixels[start..<(start + place.x.count * 4)]
        }
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

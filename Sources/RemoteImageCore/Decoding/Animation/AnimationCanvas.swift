// What an animation shows, frame upon frame.
//
// Unsafe code: pointers into pixels. Every frame is cut to the canvas before its rows are touched.

/// The canvas that frames are drawn on: premultiplied RGBA.
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

    /// Draws a frame after what its predecessor asked for was done.
    mutating func draw(_ frame: AnimationFrame, _ picture: PixelBuffer) {
        dispose()
        let place = Rectangle(
            x: min(frame.x, size.width)..<min(frame.x + picture.size.width, size.width),
            y: min(frame.y, size.height)..<min(frame.y + picture.size.height, size.height))
        pending = (place, frame.disposal, frame.disposal == .restore ? copy(place) : [])
        guard !place.x.isEmpty else { return }
        picture.withUnsafeBytes { source in
            pixels.withUnsafeMutableBytes { canvas in
                for y in place.y {
                    let old = source[((y - frame.y) * picture.stride)...]
                    let new = UnsafeMutableRawBufferPointer(
                        rebasing: canvas[((y * size.width + place.x.lowerBound) * 4)...].prefix(place.x.count * 4))
                    Self.drawRow(UnsafeRawBufferPointer(rebasing: old), picture.format, into: new, blends: frame.blends)
                }
            }
        }
    }

    /// What the canvas shows now.
    var picture: PixelBuffer {
        PixelBuffer(size: size, format: .rgba8Premultiplied) { $0.copyBytes(from: pixels) }
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

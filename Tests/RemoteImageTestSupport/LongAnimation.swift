/// A GIF file with many black frames (GIF89a specification). Each frame covers the whole canvas and
/// is highly compressed.
public struct LongAnimation: Sendable {
    public let width: Int
    public let height: Int
    public let frameCount: Int

    public init(width: Int, height: Int, frameCount: Int) {
        self.width = width
        self.height = height
        self.frameCount = frameCount
    }

    public var bytes: [UInt8] {
        let screen = Array("GIF89a".utf8) + number(width) + number(height) + [0x80, 0, 0]
        let palette: [UInt8] = [0, 0, 0, 255, 255, 255]
        let frame = [0x2C] + number(0) + number(0) + number(width) + number(height) + [0] + pixels
        return screen + palette + (0..<frameCount).flatMap { _ in frame } + [0x3B]
    }

    /// Black pixels in LZW codes. Each code is the newest entry of the decoder's table: a run that
    /// is one pixel longer than the previous one.
    private var pixels: [UInt8] {
        var (bits, bitCount) = ([UInt8](), 0)
        func write(_ code: Int, _ width: Int) {
            for bit in 0..<width {
                if bitCount % 8 == 0 { bits.append(0) }
                if code >> bit & 1 == 1 { bits[bits.count - 1] |= 1 << UInt8(bitCount % 8) }
                bitCount += 1
            }
        }
        var (left, width, next, run) = (width * height, 3, 6, 1)
        write(4, 3)
        write(0, 3)
        left -= 1
        while left > 0 {
            // The decoder's next entry is the previous run plus one pixel.
            run = min(run + 1, left)
            write(run == 1 ? 0 : 4 + run, width)
            left -= run
            next += 1
            if next > 4095 {
                write(4, width)
                (width, next, run) = (3, 6, 1)
                guard left > 0 else { break }
                write(0, 3)
                left -= 1
            } else if next > (1 << width) {
                width += 1
            }
        }
        write(5, width)
        return [2]
            + stride(from: 0, to: bits.count, by: 255).flatMap { start in
                let piece = bits[start..<min(start + 255, bits.count)]
                return [UInt8(piece.count)] + piece
            } + [0]
    }

    private func number(_ value: Int) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
}

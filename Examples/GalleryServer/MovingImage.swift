/// An animation of a circling ball, as a GIF file (GIF89a specification).
struct MovingImage {
    let number: Int
    private static let (side, frameCount) = (160, 24)

    func encoded() -> [UInt8] {
        let side = Self.side
        var file = Array("GIF89a".utf8) + Self.number(side) + Self.number(side)
        // A table of 128 colours for all frames: the background, the track, the rest for the ball.
        file += [0xF6, 0, 0]
        for index in 0..<128 { file += colour(index) }
        // Loops forever.
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for frame in 0..<Self.frameCount {
            // 60 ms per frame; disposal method 1: frames stay and are drawn over.
            file += [0x21, 0xF9, 4, 0x04, 6, 0, 0, 0]
            file += [0x2C, 0, 0, 0, 0] + Self.number(side) + Self.number(side) + [0]
            file += Self.blocks(of: pixels(of: frame))
        }
        return file + [0x3B]
    }

    private func colour(_ index: Int) -> [UInt8] {
        switch index {
        case 0: [36, 40, 52]
        case 1: [70, 78, 98]
        default: [UInt8(255 - index), UInt8(120 + (number * 40 + index) % 120), UInt8(60 + (number * 70) % 160)]
        }
    }

    private func pixels(of frame: Int) -> [UInt8] {
        let side = Self.side
        let step = number.isMultiple(of: 2) ? frame : Self.frameCount - frame
        let (sine, cosine) = Self.circle[step % Self.frameCount]
        let middle = (x: side / 2 + cosine * 50 / 100, y: side / 2 + sine * 50 / 100)
        var pixels = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let (dx, dy) = (x - side / 2, y - side / 2)
                if (46 * 46...54 * 54).contains(dx * dx + dy * dy) { pixels[y * side + x] = 1 }
                let distance = (x - middle.x) * (x - middle.x) + (y - middle.y) * (y - middle.y)
                if distance < 20 * 20 { pixels[y * side + x] = UInt8(2 + distance / 4) }
            }
        }
        return pixels
    }

    /// The sine and cosine of each step, in hundredths.
    private static let circle: [(Int, Int)] = [
        (0, 100), (26, 97), (50, 87), (71, 71), (87, 50), (97, 26), (100, 0), (97, -26), (87, -50), (71, -71),
        (50, -87), (26, -97), (0, -100), (-26, -97), (-50, -87), (-71, -71), (-87, -50), (-97, -26), (-100, 0),
        (-97, 26), (-87, 50), (-71, 71), (-50, 87), (-26, 97),
    ]

    /// Encodes pixels in LZW without compression: a clear code resets the table before the codes
    /// would exceed eight bits, so that each code is one byte.
    private static func blocks(of pixels: [UInt8]) -> [UInt8] {
        let (clear, end): (UInt8, UInt8) = (128, 129)
        var codes: [UInt8] = []
        for (index, pixel) in pixels.enumerated() {
            if index.isMultiple(of: 120) { codes.append(clear) }
            codes.append(pixel)
        }
        codes.append(end)
        // The minimum code size of LZW: 7 bits for 128 colours.
        var bytes: [UInt8] = [7]
        for start in stride(from: 0, to: codes.count, by: 255) {
            let piece = codes[start..<min(start + 255, codes.count)]
            bytes.append(UInt8(piece.count))
            bytes += piece
        }
        return bytes + [0]
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
}

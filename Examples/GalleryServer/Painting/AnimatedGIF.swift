/// Writes frames with up to 255 colors and transparent pixels as a GIF file that loops forever
/// (GIF89a specification).
struct AnimatedGIF {
    let side: Int
    /// Hundredths of a second.
    let frameDuration: Int
    /// The pixels of each frame: red, green, blue and opacity. An opacity below 128 is none.
    let frames: [[SIMD4<UInt8>]]

    private static let transparent: UInt8 = 255

    func encoded() -> [UInt8] {
        let (palette, indices) = palette()
        var file = Array("GIF89a".utf8) + Self.bytes(side) + Self.bytes(side)
        // A table of 256 colors for all frames.
        file += [0xF7, 0, 0]
        for index in 0..<256 {
            let color = index < palette.count ? palette[index] : .zero
            file += [color.x, color.y, color.z]
        }
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for frame in frames {
            // Disposal method 2 clears the frame, since the next one is transparent.
            file += [0x21, 0xF9, 4, 0x09] + Self.bytes(frameDuration) + [Self.transparent, 0]
            file += [0x2C, 0, 0, 0, 0] + Self.bytes(side) + Self.bytes(side) + [0]
            file += Self.blocks(of: frame.map { $0.w < 128 ? Self.transparent : indices[Self.key($0)] ?? 0 })
        }
        return file + [0x3B]
    }

    /// The 255 most frequent colors, and the index of the nearest one for each color that occurs.
    private func palette() -> (colors: [SIMD4<UInt8>], indices: [Int: UInt8]) {
        var counts: [Int: Int] = [:]
        for frame in frames {
            for pixel in frame where pixel.w >= 128 { counts[Self.key(pixel), default: 0] += 1 }
        }
        let keys = counts.keys.sorted { (counts[$0] ?? 0, $0) > (counts[$1] ?? 0, $1) }
        let colors = keys.prefix(255).map(Self.color)
        var indices: [Int: UInt8] = [:]
        for (position, key) in keys.enumerated() {
            guard position >= colors.count else {
                indices[key] = UInt8(position)
                continue
            }
            let color = SIMD4<Int32>(truncatingIfNeeded: Self.color(of: key))
            let nearest = colors.indices.min { first, second in
                Self.distance(colors[first], color) < Self.distance(colors[second], color)
            }
            indices[key] = UInt8(nearest ?? 0)
        }
        return (colors, indices)
    }

    private static func distance(_ color: SIMD4<UInt8>, _ other: SIMD4<Int32>) -> Int32 {
        let difference = SIMD4<Int32>(truncatingIfNeeded: color) &- other
        return (difference &* difference).wrappedSum()
    }

    /// Colors are told apart by their upper five bits.
    private static func key(_ color: SIMD4<UInt8>) -> Int {
        Int(color.x >> 3) << 10 | Int(color.y >> 3) << 5 | Int(color.z >> 3)
    }

    private static func color(of key: Int) -> SIMD4<UInt8> {
        func channel(_ shift: Int) -> UInt8 { UInt8((key >> shift & 31) * 255 / 31) }
        return SIMD4(channel(10), channel(5), channel(0), 255)
    }

    /// Compresses pixels with LZW (GIF89a specification, appendix F), in blocks of up to 255 bytes.
    private static func blocks(of pixels: [UInt8]) -> [UInt8] {
        let (clear, end) = (256, 257)
        var (bits, bitCount, width, next) = (0, 0, 9, 258)
        var (bytes, codes): ([UInt8], [Int: Int]) = ([], [:])
        func write(_ code: Int) {
            bits |= code << bitCount
            bitCount += width
            while bitCount >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                (bits, bitCount) = (bits >> 8, bitCount - 8)
            }
        }
        write(clear)
        var prefix = Int(pixels[0])
        for pixel in pixels.dropFirst() {
            let string = prefix << 8 | Int(pixel)
            if let code = codes[string] {
                prefix = code
                continue
            }
            write(prefix)
            prefix = Int(pixel)
            if next == 4096 {
                write(clear)
                codes.removeAll(keepingCapacity: true)
                (width, next) = (9, 258)
            } else {
                codes[string] = next
                // The decoder adds its strings one code later.
                if next == 1 << width { width += 1 }
                next += 1
            }
        }
        write(prefix)
        write(end)
        if bitCount > 0 { bytes.append(UInt8(bits & 0xFF)) }
        var blocks: [UInt8] = [8]
        for start in stride(from: 0, to: bytes.count, by: 255) {
            let piece = bytes[start..<min(start + 255, bytes.count)]
            blocks.append(UInt8(piece.count))
            blocks += piece
        }
        return blocks + [0]
    }

    private static func bytes(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}

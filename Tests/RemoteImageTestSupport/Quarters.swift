import RemoteImageCore

extension PixelBuffer {
    /// The bytes of one pixel.
    public func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withUnsafeBytes { memory in
            let start = y * stride + x * format.bytesPerPixel
            return Array(memory[start..<(start + format.bytesPerPixel)])
        }
    }

    /// An image whose quarters are red (upper left), green (upper right), blue (lower left) and
    /// white (lower right).
    public static func quarters(width: Int, height: Int) -> PixelBuffer {
        PixelBuffer(size: PixelSize(width: width, height: height), format: .rgb8) { memory in
            for y in 0..<height {
                for x in 0..<width {
                    let colour = QuarterColour.all[(y * 2 / height) * 2 + x * 2 / width]
                    for (channel, value) in colour.components.enumerated() {
                        memory[(y * width + x) * 3 + channel] = value
                    }
                }
            }
        }
    }

    /// The colors at the centers of the quarters: upper left, upper right, lower left, lower right.
    /// `nil` for a color that differs from all four by more than the tolerance for lossy formats.
    public var quarters: [QuarterColour?] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { column, row in
            QuarterColour(pixel(size.width * column / 4, size.height * row / 4))
        }
    }
}

/// One of four colors that remain distinct after lossy compression.
public enum QuarterColour: Sendable {
    case red, green, blue, white

    static let all: [QuarterColour] = [.red, .green, .blue, .white]

    var components: [UInt8] {
        switch self {
        case .red: [255, 0, 0]
        case .green: [0, 255, 0]
        case .blue: [0, 0, 255]
        case .white: [255, 255, 255]
        }
    }

    init?(_ pixel: [UInt8]) {
        let found = Self.all.first { colour in
            zip(colour.components, pixel).allSatisfy { abs(Int($0) - Int($1)) < 48 }
        }
        guard let found else { return nil }
        self = found
    }
}

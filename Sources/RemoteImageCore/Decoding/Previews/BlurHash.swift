import Glibc

/// A BlurHash: 20 to 30 characters that encode a blurred image without its aspect ratio
/// (blurha.sh).
struct BlurHash: Sendable {
    private let columns: Int
    private let rows: Int
    /// Red, green and blue of each cosine component, in linear light.
    private let colours: [(Double, Double, Double)]

    /// `nil` for text that is not a BlurHash.
    init?(_ text: String) {
        let digits = text.utf8.compactMap { Self.value(of: $0) }
        guard digits.count == text.utf8.count, digits.count >= 6 else { return nil }
        (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard digits.count == 4 + 2 * columns * rows else { return nil }
        let scale = Double(digits[1] + 1) / 166
        let constant = Self.number(digits[2..<6])
        let first = (Self.linear(constant >> 16), Self.linear(constant >> 8 & 255), Self.linear(constant & 255))
        colours =
            [first]
            + stride(from: 6, to: digits.count, by: 2).map { index in
                let number = Self.number(digits[index..<(index + 2)])
                func part(_ value: Int) -> Double {
                    let centred = Double(value - 9) / 9
                    return centred * abs(centred) * scale
                }
                return (part(number / 361), part(number / 19 % 19), part(number % 19))
            }
    }

    /// The image, 32 pixels on its longer side. `ratio` is the width divided by the height, which a
    /// BlurHash does not contain.
    func image(ratio: Double) -> PixelBuffer {
        let bounded = ratio > 0 && ratio.isFinite ? min(32, max(1 / 32, ratio)) : 1
        let size = PixelSize(
            width: Int((bounded > 1 ? 32 : 32 * bounded).rounded()),
            height: Int((bounded > 1 ? 32 / bounded : 32).rounded()))
        return PreviewPixels.make(size, isOpaque: true) { x, y in
            // Encoders count from the edge of a pixel, not from its middle.
            let (x, y) = (x - 0.5 / Double(size.width), y - 0.5 / Double(size.height))
            var (red, green, blue) = (0.0, 0.0, 0.0)
            for row in 0..<rows {
                let down = cos(.pi * y * Double(row))
                for column in 0..<columns {
                    let wave = cos(.pi * x * Double(column)) * down
                    let colour = colours[row * columns + column]
                    red += colour.0 * wave
                    green += colour.1 * wave
                    blue += colour.2 * wave
                }
            }
            return (Self.encoded(red), Self.encoded(green), Self.encoded(blue), 1)
        }
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static func value(of letter: UInt8) -> Int? { alphabet.firstIndex(of: letter) }

    private static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    /// Converts sRGB to linear light (IEC 61966-2-1); `encoded` is the inverse.
    private static func linear(_ value: Int) -> Double {
        let encoded = Double(min(255, value)) / 255
        return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ linear: Double) -> Double {
        linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(min(1, linear), 1 / 2.4) - 0.055
    }
}

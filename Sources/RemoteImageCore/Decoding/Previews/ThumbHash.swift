import Glibc

/// A ThumbHash: about 25 bytes that encode a blurred image with its aspect ratio and transparency
/// (evanw.github.io/thumbhash).
struct ThumbHash: Sendable {
    private let bytes: [UInt8]
    private let header24: Int
    private let header16: Int

    /// `nil` for bytes that are not a ThumbHash.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, bytes.count <= 64 else { return nil }
        self.bytes = bytes
        header24 = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        header16 = Int(bytes[3]) | Int(bytes[4]) << 8
        guard bytes.count >= dataStart + (coefficientCount + 1) / 2 else { return nil }
    }

    private var hasAlpha: Bool { header24 >> 23 != 0 }
    private var isLandscape: Bool { header16 >> 15 != 0 }
    private var dataStart: Int { hasAlpha ? 6 : 5 }
    /// The horizontal and vertical cosine components of the luminance.
    private var waves: (x: Int, y: Int) {
        let (long, short) = (hasAlpha ? 5 : 7, header16 & 7)
        return isLandscape ? (max(3, long), max(3, short)) : (max(3, short), max(3, long))
    }

    private var coefficientCount: Int {
        Self.count(waves.x, waves.y) + 2 * Self.count(3, 3) + (hasAlpha ? Self.count(5, 5) : 0)
    }

    private static func count(_ x: Int, _ y: Int) -> Int {
        (0..<y).reduce(0) { $0 + columns(x, y, row: $1).count }
    }

    /// The horizontal components for a vertical one: those below the diagonal, without the
    /// constant.
    private static func columns(_ x: Int, _ y: Int, row: Int) -> Range<Int> {
        let first = row == 0 ? 1 : 0
        return first..<max(first, (x * (y - row) + y - 1) / y)
    }

    /// The image, 32 pixels on its longer side.
    func image() -> PixelBuffer {
        let (lightWaves, side) = (waves, 32.0)
        let ratio =
            Double(isLandscape ? (hasAlpha ? 5 : 7) : header16 & 7)
            / Double(max(1, isLandscape ? header16 & 7 : (hasAlpha ? 5 : 7)))
        let size = PixelSize(
            width: max(1, Int((ratio > 1 ? side : side * ratio).rounded())),
            height: max(1, Int((ratio > 1 ? side / ratio : side).rounded())))
        var reader = NibbleReader(bytes: bytes, index: dataStart * 2)
        func part(_ shift: Int, _ bits: Int, of header: Int) -> Double { Double(header >> shift & (1 << bits - 1)) }
        let light = Channel(
            part(0, 6, of: header24) / 63, lightWaves.x, lightWaves.y, part(18, 5, of: header24) / 31, &reader)
        let yellow = Channel(part(6, 6, of: header24) / 31.5 - 1, 3, 3, part(3, 6, of: header16) / 63 * 1.25, &reader)
        let red = Channel(part(12, 6, of: header24) / 31.5 - 1, 3, 3, part(9, 6, of: header16) / 63 * 1.25, &reader)
        let alpha =
            hasAlpha
            ? Channel(Double(bytes[5] & 15) / 15, 5, 5, Double(bytes[5] >> 4) / 15, &reader) : nil
        return PreviewPixels.make(size, isOpaque: !hasAlpha) { x, y in
            let (l, p, q) = (light.value(x, y), yellow.value(x, y), red.value(x, y))
            let b = l - 2 / 3 * p
            let r = (3 * l - b + q) / 2
            return (r, r - q, b, alpha?.value(x, y) ?? 1)
        }
    }

    /// One of luminance, two color differences and alpha, as a sum of cosines.
    private struct Channel {
        private let constant: Double
        private var terms: [(x: Int, y: Int, factor: Double)] = []

        init(_ constant: Double, _ x: Int, _ y: Int, _ scale: Double, _ reader: inout NibbleReader) {
            self.constant = constant
            for row in 0..<y {
                for column in ThumbHash.columns(x, y, row: row) {
                    terms.append((column, row, (Double(reader.next()) / 7.5 - 1) * scale))
                }
            }
        }

        /// The value at coordinates from 0 to 1.
        func value(_ x: Double, _ y: Double) -> Double {
            terms.reduce(constant) { sum, term in
                // The reference doubles every term, also those without a vertical component.
                sum + 2 * term.factor * cos(.pi * x * Double(term.x)) * cos(.pi * y * Double(term.y))
            }
        }
    }

    /// Reads four bits at a time, the lower ones of a byte first.
    private struct NibbleReader {
        let bytes: [UInt8]
        var index: Int

        mutating func next() -> UInt8 {
            defer { index += 1 }
            guard index / 2 < bytes.count else { return 0 }
            return bytes[index / 2] >> (index % 2 * 4) & 15
        }
    }
}

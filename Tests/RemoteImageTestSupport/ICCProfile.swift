import Foundation

/// A small ICC profile (ICC.1:2022), and the conversion that it defines.
///
/// An RGB profile has three primaries, the white point of the profile connection space (PCS), and
/// one curve. A gray profile has the curve alone.
public struct ICCProfile: Sendable {
    public enum Curve: Sendable {
        case gamma(Double)
        /// The curve of IEC 61966-2-1.
        case sRGB

        func linear(_ value: Double) -> Double {
            switch self {
            case .gamma(let gamma): pow(value, gamma)
            case .sRGB: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
        }
    }

    /// X, Y and Z of red, green and blue, adapted to D50; empty for gray.
    public let primaries: [[Double]]
    public let curve: Curve

    public static let sRGB = ICCProfile(
        primaries: [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]],
        curve: .sRGB)
    public static let displayP3 = ICCProfile(
        primaries: [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]],
        curve: .sRGB)
    public static let adobeRGB = ICCProfile(
        primaries: [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]],
        curve: .gamma(563.0 / 256))
    public static let gray = ICCProfile(primaries: [], curve: .gamma(1.6))

    /// The color of `pixel` in sRGB, with each channel clamped to 0...255.
    public func inSRGB(_ pixel: [UInt8]) -> [Double] {
        let linear = pixel.map { curve.linear(Double($0) / 255) }
        if primaries.isEmpty { return linear.map(Self.encoded) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0.0) { $0 + linear[$1] * primaries[$1][row] } }
        return Self.solve(Self.sRGB.primaries, xyz).map(Self.encoded)
    }

    private static func encoded(_ value: Double) -> Double {
        let bounded = min(1, max(0, value))
        return 255 * (bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * pow(bounded, 1 / 2.4) - 0.055)
    }

    /// The coefficients with which the columns sum to `target` (Cramer's rule).
    private static func solve(_ columns: [[Double]], _ target: [Double]) -> [Double] {
        func determinant(_ c: [[Double]]) -> Double {
            c[0][0] * (c[1][1] * c[2][2] - c[2][1] * c[1][2]) - c[1][0] * (c[0][1] * c[2][2] - c[2][1] * c[0][2])
                + c[2][0] * (c[0][1] * c[1][2] - c[1][1] * c[0][2])
        }
        return (0..<3).map { index in
            var replaced = columns
            replaced[index] = target
            return determinant(replaced) / determinant(columns)
        }
    }

    // MARK: As a file

    public var bytes: [UInt8] {
        let white = [0.96420, 1.0, 0.82491]
        var tags: [(String, [UInt8])] = [
            ("desc", Self.text("mluc") + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]), ("wtpt", Self.xyz(white)),
        ]
        if primaries.isEmpty { tags.append(("kTRC", curveBytes)) }
        for (letter, primary) in zip(["r", "g", "b"], primaries) {
            tags += [("\(letter)XYZ", Self.xyz(primary)), ("\(letter)TRC", curveBytes)]
        }
        var (table, data) = (Self.number(tags.count), [UInt8]())
        for (name, content) in tags {
            table += Self.text(name) + Self.number(132 + tags.count * 12 + data.count) + Self.number(content.count)
            data += content
            while data.count % 4 != 0 { data.append(0) }
        }
        let body = table + data
        let head: [[UInt8]] = [
            Self.number(128 + body.count), [0, 0, 0, 0], [4, 0x20, 0, 0],
            Self.text(primaries.isEmpty ? "mntrGRAYXYZ " : "mntrRGB XYZ "),
            [7, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0], Self.text("acsp"), [UInt8](repeating: 0, count: 28),
            white.flatMap(Self.fixed), [UInt8](repeating: 0, count: 48),
        ]
        return head.flatMap { $0 } + body
    }

    private var curveBytes: [UInt8] {
        let (kind, values): (UInt8, [Double]) =
            switch curve {
            case .gamma(let gamma): (0, [gamma])
            case .sRGB: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            }
        return Self.text("para") + [0, 0, 0, 0, 0, kind, 0, 0] + values.flatMap(Self.fixed)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }

    private static func xyz(_ values: [Double]) -> [UInt8] { text("XYZ ") + [0, 0, 0, 0] + values.flatMap(fixed) }

    // MARK: In an image

    /// `jpeg` with the profile in an APP2 segment after the SOI marker.
    public func insert(intoJPEG jpeg: [UInt8]) -> [UInt8] {
        let content = Self.text("ICC_PROFILE\0") + [1, 1] + bytes
        let length = content.count + 2
        return jpeg[..<2] + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + content + jpeg[2...]
    }

    /// `png` with the profile in an `iCCP` chunk after IHDR, as an uncompressed block (RFC 1951
    /// section 3.2.4).
    public func insert(intoPNG png: [UInt8]) -> [UInt8] {
        let (profile, count) = (bytes, bytes.count)
        let sums = profile.reduce((1, 0)) { sums, byte in
            let first = (sums.0 + Int(byte)) % 65_521
            return (first, (sums.1 + first) % 65_521)
        }
        let head: [UInt8] = [
            0x78, 1, 1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF),
        ]
        let packed = head + profile + Self.number(sums.1 << 16 | sums.0)
        return png[..<33] + PNGChunk.make("iCCP", Self.text("test\0") + [0] + packed) + png[33...]
    }
}

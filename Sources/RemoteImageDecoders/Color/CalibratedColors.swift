// Makes an ICC profile for an image without one, so that all images use the same conversion.

import Glibc

/// A color space defined by a transfer curve and the chromaticities of white, red, green and blue
/// (PNG third edition, sections 11.3.2.1 and 11.3.2.2).
struct CalibratedColors {
    typealias Vector = [Double]

    private let curve: TransferCurve
    /// The XYZ values of red, green and blue, adapted to D50; empty for gray.
    private let primaries: [Vector]

    /// `nil` if the color space is sRGB or nearly so, and if the values are not those of a real
    /// device.
    ///
    /// - Parameters:
    ///   - gamma: The exponent with which light was encoded into samples.
    ///   - chromaticities: x and y of white, red, green and blue. All 0 if the file has none, which
    ///     means those of sRGB.
    init?(gamma: Double, chromaticities: [Double], isGray: Bool) {
        guard (0.1...10).contains(gamma), chromaticities.count == 8 else { return nil }
        let isUnknown = chromaticities.allSatisfy { $0 == 0 }
        let isStandard = isUnknown || zip(chromaticities, Self.standard).allSatisfy { abs($0 - $1) < 0.005 }
        // Programs write 1/2.2 for the curve of sRGB; libpng has the same tolerance of 5 %.
        let hasStandardCurve = abs(gamma * 2.2 - 1) < 0.05
        if hasStandardCurve, isStandard || isGray { return nil }
        curve = .gamma(hasStandardCurve ? 2.2 : 1 / gamma)
        if isGray {
            primaries = []
        } else {
            guard let found = Self.adapted(isUnknown ? Self.standard : chromaticities) else { return nil }
            primaries = found
        }
    }

    /// `nil` if the colors are those of sRGB, and if the code points are not supported.
    init?(_ points: CodePoints) {
        guard let found = points.curve, let chromaticities = points.chromaticities,
            found != .sRGB || chromaticities != Self.standard, let primaries = Self.adapted(chromaticities)
        else { return nil }
        (curve, self.primaries) = (found, primaries)
    }

    static let standard = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
    private static let white: Vector = [0.9642, 1, 0.8249]

    /// The primaries, scaled so that they add up to white and adapted to D50 with the Bradford
    /// transform (ICC.1:2022 annex E).
    static func adapted(_ chromaticities: [Double]) -> [Vector]? {
        let colors: [Vector?] = (0..<4).map { index in
            let (x, y) = (chromaticities[index * 2], chromaticities[index * 2 + 1])
            return y >= 0 && x >= 0 && x + y <= 1 ? [x, y, 1 - x - y] : nil
        }
        guard let light = colors[0], light[1] > 0, let red = colors[1], let green = colors[2], let blue = colors[3]
        else { return nil }
        let own = light.map { $0 / light[1] }
        guard let shares = solve([red, green, blue], own), shares.allSatisfy({ $0 > 0 }) else { return nil }
        let (ownCone, cone) = (multiply(bradford, own), multiply(bradford, white))
        // The cone responses of real whites are near 1. A tiny positive rounding error must not
        // become a divisor.
        guard ownCone.allSatisfy({ $0 > 0.01 }) else { return nil }
        let scaled = zip([red, green, blue], shares).map { color, share in color.map { $0 * share } }
        let primaries = scaled.compactMap { color -> Vector? in
            let adapted = zip(multiply(bradford, color), zip(cone, ownCone)).map { $0 * $1.0 / $1.1 }
            return solve((0..<3).map { column in bradford.map { $0[column] } }, adapted)
        }
        // The range of s15Fixed16Number in a profile. NaN also fails this comparison.
        let areInRange = primaries.allSatisfy { $0.allSatisfy { abs($0) < 32_767 } }
        return primaries.count == 3 && areInRange ? primaries : nil
    }

    private static let bradford: [Vector] = [
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]

    private static func multiply(_ rows: [Vector], _ vector: Vector) -> Vector {
        rows.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Solves for the shares of the columns that add up to `target` (Cramer's rule).
    static func solve(_ columns: [Vector], _ target: Vector) -> Vector? {
        func determinant(_ c: [Vector]) -> Double {
            c[0][0] * (c[1][1] * c[2][2] - c[2][1] * c[1][2]) - c[1][0] * (c[0][1] * c[2][2] - c[2][1] * c[0][2])
                + c[2][0] * (c[0][1] * c[1][2] - c[1][1] * c[0][2])
        }
        let whole = determinant(columns)
        guard abs(whole) > 1e-9 else { return nil }
        return columns.indices.map { index in
            var replaced = columns
            replaced[index] = target
            return determinant(replaced) / whole
        }
    }

    /// An ICC display profile (ICC.1:2022 section 8.3) with the same curve for all channels.
    var profile: [UInt8] {
        let curve = curveTag
        var tags: [(name: String, content: [UInt8])] = [("wtpt", Self.xyz(Self.white))]
        if primaries.isEmpty { tags.append(("kTRC", curve)) }
        for (letter, primary) in zip(["r", "g", "b"], primaries) {
            tags += [("\(letter)XYZ", Self.xyz(primary)), ("\(letter)TRC", curve)]
        }
        var (table, data) = (tags.count.bigEndianBytes(), [UInt8]())
        for tag in tags {
            table += Array(tag.name.utf8) + (132 + tags.count * 12 + data.count).bigEndianBytes()
            table += tag.content.count.bigEndianBytes()
            data += tag.content
        }
        let space = primaries.isEmpty ? "mntrGRAYXYZ " : "mntrRGB XYZ "
        var head = (128 + table.count + data.count).bigEndianBytes() + [0, 0, 0, 0, 4, 0x20, 0, 0] + Array(space.utf8)
        head += [7, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        head += [UInt8](repeating: 0, count: 28) + Self.white.flatMap(Self.fixed)
        head += [UInt8](repeating: 0, count: 48)
        return head + table + data
    }

    /// The curve (ICC.1:2022 section 10.18).
    private var curveTag: [UInt8] {
        Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0] + curve.parameters.flatMap(Self.fixed)
    }

    private static func fixed(_ value: Double) -> [UInt8] { Int((value * 65_536).rounded()).bigEndianBytes() }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
    }
}

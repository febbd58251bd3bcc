// Unsafe code: pixels are read and written in place. Every offset is derived from their size and
// stride.

import Glibc

/// Converts HDR pixels, PQ or HLG (ITU-R BT.2100), to sRGB.
///
/// The curve is the reference white tone mapping of SMPTE ST 2094-50 (annex D) for a display
/// without headroom, which browsers use. Diffuse white, 203 cd/m² (ITU-R BT.2408), becomes half of
/// the light of white; the brightest light of the image becomes white, in the same hue.
struct ToneMapping: Sendable {
    /// The light of each level, where 1 is diffuse white; that of the scene for HLG.
    private let light: [Float]
    /// The matrices, row by row: from the primaries of the image to those of BT.2020, and from
    /// those to sRGB.
    private let toWide, toStandard: [Float]
    /// The luminance of the primaries of an HLG image; `nil` for PQ.
    private let luminance: [Float]?
    private let curve: Curve

    private static let white = 203.0
    /// The brightest light if the file does not specify it, and of the nominal display of HLG.
    private static let nominalPeak = 1000.0

    /// `nil` for code points other than those of PQ and HLG, and for unsupported primaries.
    init?(_ points: CodePoints) {
        guard points.transfer == 16 || points.transfer == 18, let chromaticities = points.chromaticities,
            let own = CalibratedColors.adapted(chromaticities),
            let wide = CodePoints(primaries: 9, transfer: 0).chromaticities.flatMap(CalibratedColors.adapted),
            let standard = CalibratedColors.adapted(CalibratedColors.standard),
            let toWide = Self.matrix(own, wide), let toStandard = Self.matrix(wide, standard)
        else { return nil }
        (self.toWide, self.toStandard) = (toWide, toStandard)
        let levels = (0...255).map { Double($0) / 255 }
        if points.transfer == 16 {
            light = levels.map { Float(Self.quantizedLight($0)) }
            luminance = nil
        } else {
            light = levels.map { Float(Self.sceneLight($0)) }
            luminance = own.map { Float($0[1]) }
        }
        curve = Curve(peak: points.maxLight.map(Double.init) ?? Self.nominalPeak, white: Self.white)
    }

    /// The columns are the colors of one space in terms of the other.
    private static func matrix(_ from: [CalibratedColors.Vector], _ to: [CalibratedColors.Vector]) -> [Float]? {
        let columns = from.compactMap { CalibratedColors.solve(to, $0) }
        guard columns.count == 3 else { return nil }
        return (0..<3).flatMap { row in columns.map { Float($0[row]) } }
    }

    /// PQ (ITU-R BT.2100 table 4).
    private static func quantizedLight(_ sample: Double) -> Double {
        let root = pow(sample, 1 / 78.84375)
        return pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125) * 10_000 / white
    }

    /// HLG (ITU-R BT.2100 table 5), before the light of the display is derived.
    private static func sceneLight(_ sample: Double) -> Double {
        sample <= 0.5 ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    /// Converts rows of RGB or RGBA in place. Colors must not be premultiplied; alpha is unchanged.
    func apply(to pixels: UnsafeMutableRawPointer, size: PixelSize, channels: Int, stride: Int) {
        let peak = Float(Self.nominalPeak / Self.white)
        light.withUnsafeBufferPointer { light in
            Self.samples.withUnsafeBufferPointer { samples in
                for y in 0..<size.height {
                    var pixel = (pixels + y * stride).assumingMemoryBound(to: UInt8.self)
                    for _ in 0..<size.width {
                        var color = SIMD3(light[Int(pixel[0])], light[Int(pixel[1])], light[Int(pixel[2])])
                        if let luminance {
                            let sum = color[0] * luminance[0] + color[1] * luminance[1] + color[2] * luminance[2]
                            // The luminance of the primaries of CIE XYZ may be negative.
                            color *= powf(max(sum, 0), 0.2) * peak
                        }
                        color = Self.multiply(toWide, color)
                        color *= curve.gain(max(color[0], color[1], color[2]))
                        color = Self.multiply(toStandard, color).clamped(lowerBound: .zero, upperBound: .one)
                        let places = color * Float(samples.count - 1) + 0.5
                        for channel in 0..<3 { pixel[channel] = samples[Int(places[channel])] }
                        pixel += channels
                    }
                }
            }
        }
    }

    private static func multiply(_ rows: [Float], _ vector: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(
            (SIMD3(rows[0], rows[1], rows[2]) * vector).sum(), (SIMD3(rows[3], rows[4], rows[5]) * vector).sum(),
            (SIMD3(rows[6], rows[7], rows[8]) * vector).sum())
    }

    /// The sRGB levels of light from 0 to 1, in steps of less than a quarter of a level.
    private static let samples = (0..<16_384).map { index in
        UInt8((TransferCurve.sRGB.sample(of: Double(index) / 16_383) * 255).rounded())
    }
}

/// The factor for light of each brightness: constant up to diffuse white, then falling along a
/// quadratic Bézier curve to white. An image whose brightest light is diffuse white is not changed.
private struct Curve: Sendable {
    /// The brightest light, where 1 is diffuse white.
    private let peak: Float
    private let gainBelowWhite: Float
    /// The gains from diffuse white to the peak, in even steps.
    private let gains: [Float]

    private static let stepCount = 1024

    init(peak: Double, white: Double) {
        let peak = peak / white
        self.peak = Float(peak)
        guard peak > 1 else {
            (gainBelowWhite, gains) = (1, [])
            return
        }
        let knee = 1 - 0.5 * min(log(peak) / log(1000 / 203), 1)
        gainBelowWhite = Float(knee)
        // The control points are (1, knee), (x, y) and (peak, 1).
        let (x, y) = (0.35 + 0.65 / knee, 0.35 * knee + 0.65)
        let (a, b) = (1 - 2 * x + peak, 2 * (x - 1))
        gains = (0...Self.stepCount).map { step in
            let light = 1 + (peak - 1) * Double(step) / Double(Self.stepCount)
            // The position on the curve, in a form that does not divide by a vanishing `a`.
            let t = 2 * (light - 1) / (b + (b * b + 4 * a * (light - 1)).squareRoot())
            let mapped = knee + t * (2 * (y - knee) + t * (knee - 2 * y + 1))
            return Float(mapped / light)
        }
    }

    func gain(_ light: Float) -> Float {
        if light <= 1 || gains.isEmpty { return gainBelowWhite }
        if light >= peak { return 1 / light }
        return gains[Int((light - 1) / (peak - 1) * Float(Self.stepCount) + 0.5)]
    }
}

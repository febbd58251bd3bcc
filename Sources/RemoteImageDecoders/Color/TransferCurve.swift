import Glibc

/// The curve from samples to light, where 1 is white: `(scale × sample + offset) ^ exponent`, and
/// `slope × sample` for the samples below `start` (ICC.1:2022 section 10.18, function type 3).
struct TransferCurve: Hashable {
    let exponent: Double
    var scale = 1.0
    var offset = 0.0
    var slope = 0.0
    var start = 0.0

    /// IEC 61966-2-1.
    static let sRGB = Self(
        exponent: 2.4, scale: 1 / 1.055, offset: 0.055 / 1.055, slope: 1 / 12.92, start: 0.04045)
    /// SMPTE ST 240.
    static let st240 = Self(
        exponent: 1 / 0.45, scale: 1 / 1.1115, offset: 0.1115 / 1.1115, slope: 1 / 4, start: 0.0912)
    /// SMPTE ST 428-1, digital cinema: white is 48 cd/m² of 52.37.
    static let st428 = Self(exponent: 2.6, scale: pow(52.37 / 48, 1 / 2.6))

    static func gamma(_ exponent: Double) -> Self { Self(exponent: exponent) }

    var parameters: [Double] { [exponent, scale, offset, slope, start] }

    /// The light of a sample from 0 to 1.
    func light(of sample: Double) -> Double {
        sample < start ? sample * slope : pow(sample * scale + offset, exponent)
    }

    /// The sample of light from 0 to 1.
    func sample(of light: Double) -> Double {
        light < start * slope ? light / slope : (pow(light, 1 / exponent) - offset) / scale
    }
}

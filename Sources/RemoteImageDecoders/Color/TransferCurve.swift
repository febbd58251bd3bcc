import Glibc

/// The curve from samples to light, where 1 is white.
enum TransferCurve: Hashable {
    case gamma(Double)
    /// IEC 61966-2-1.
    case sRGB

    /// The light of a sample from 0 to 1.
    func light(of sample: Double) -> Double {
        switch self {
        case .gamma(let exponent): pow(sample, exponent)
        case .sRGB: sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        }
    }

    /// The sample of light from 0 to 1.
    func sample(of light: Double) -> Double {
        switch self {
        case .gamma(let exponent): pow(light, 1 / exponent)
        case .sRGB: light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        }
    }
}

import Glibc

/// The curve from samples to light, where 1 is white.
enum TransferCurve: Hashable {
    case gamma(Double)
    /// IEC 61966-2-1.
    case sRGB
    /// PQ, up to 10,000 cd/m² (ITU-R BT.2100 table 4).
    case perceptualQuantizer
    /// HLG, on a display with 1,000 cd/m² (ITU-R BT.2100 table 5).
    case hybridLogGamma

    /// Diffuse white in cd/m² (ITU-R BT.2408 section 2.1).
    private static let white = 203.0

    /// The light of a sample from 0 to 1. PQ and HLG light above 0.7 of diffuse white is compressed
    /// into the rest up to 1.
    func light(of sample: Double) -> Double {
        switch self {
        case .gamma(let exponent): return pow(sample, exponent)
        case .sRGB: return sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        case .perceptualQuantizer:
            let root = pow(sample, 1 / 78.84375)
            let light = pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
            return Self.compressed(light * 10_000 / Self.white)
        case .hybridLogGamma:
            let scene =
                sample <= 0.5 ? sample * sample / 3 : (exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12
            return Self.compressed(pow(scene, 1.2) * 1000 / Self.white)
        }
    }

    /// Leaves light up to 0.7 unchanged and compresses brighter light into the range up to 1.
    private static func compressed(_ light: Double) -> Double {
        let knee = 0.7
        return light <= knee ? light : knee + (1 - knee) * (1 - exp((knee - light) / (1 - knee)))
    }
}

/// The ITU-T H.273 code points of a color space, from `nclx` in HEIF or `cICP` in PNG.
struct CodePoints {
    let primaries: Int
    let transfer: Int

    /// The curve of the samples of television cameras. Browsers show AVIF like sRGB, and PNG as
    /// television screens do (ITU-R BT.1886).
    var televisionCurve = TransferCurve.sRGB

    /// The light of the brightest pixel of an HDR image in cd/m², if the file specifies it.
    var maxLight: Int?

    /// The conversion to sRGB. `nil` for sRGB, and for logarithmic curves and reserved code points.
    var conversion: ColorConversion? {
        ToneMapping(self).map(ColorConversion.init) ?? CalibratedColors(self).flatMap { .from($0.profile) }
    }

    /// x and y of white, red, green and blue (table 2). 0 and 2 specify nothing and count as sRGB.
    var chromaticities: [Double]? {
        switch primaries {
        case 0, 1, 2: CalibratedColors.standard
        case 4: [0.31, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08]
        case 5: [0.3127, 0.329, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06]
        case 6, 7: [0.3127, 0.329, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]
        case 8: [0.31, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049]
        case 9: [0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]
        case 10: [1 / 3, 1 / 3, 1, 0, 0, 1, 0, 0]
        case 11: [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
        case 12: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
        case 22: [0.3127, 0.329, 0.63, 0.34, 0.295, 0.605, 0.155, 0.077]
        default: nil
        }
    }

    /// The curve (table 3), except those of HDR.
    var curve: TransferCurve? {
        switch transfer {
        case 0, 2, 12, 13: .sRGB
        case 1, 6, 11, 14, 15: televisionCurve
        case 4: .gamma(2.2)
        case 5: .gamma(2.8)
        case 7: .st240
        case 8: .gamma(1)
        case 17: .st428
        default: nil
        }
    }
}

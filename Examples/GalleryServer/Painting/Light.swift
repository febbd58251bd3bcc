/// The colors of the sky and of the light at a time of day.
struct Light {
    /// For titles, for example "at dawn".
    let name: String
    let zenith, middle, horizon: Color
    /// The color of the sun or of the moon.
    let sun: Color
    /// The color of distant ground, and of mist.
    let haze: Color
    /// The light on the ground, a factor for each channel.
    let ambient: Color
    /// The height of the sun above the horizon.
    let sunHeight: Float
    var isNight = false
    var isCovered = false

    private init(
        _ name: String, sky: (UInt32, UInt32, UInt32), sun: UInt32, haze: UInt32, ambient: UInt32, sunHeight: Float,
        isNight: Bool = false, isCovered: Bool = false
    ) {
        (self.name, self.sunHeight, self.isNight, self.isCovered) = (name, sunHeight, isNight, isCovered)
        (zenith, middle, horizon) = (Color(hex: sky.0), Color(hex: sky.1), Color(hex: sky.2))
        (self.sun, self.haze, self.ambient) = (Color(hex: sun), Color(hex: haze), Color(hex: ambient))
    }

    /// The brightest and the darkest color of clouds.
    var clouds: (lit: Color, shadow: Color) {
        let lit = isNight ? haze.mixed(with: sun, 0.25) : sun.mixed(with: horizon, isCovered ? 0.8 : 0.25)
        return (lit, middle.mixed(with: zenith, 0.45).mixed(with: haze, 0.35).lit(isCovered ? 0.82 : 0.95))
    }

    /// The color of ground that is `distance` away: 0 is near, 1 is the farthest ridge.
    func ground(_ color: Color, distance: Float) -> Color {
        color.under(ambient).mixed(with: haze, distance * 0.86)
    }

    static let dawn = Light(
        "at dawn", sky: (0x5B79AA, 0xD8A5B2, 0xFBDDBB), sun: 0xFFF2D2, haze: 0xE6BCB9, ambient: 0xD9BBC6,
        sunHeight: 0.06)
    static let earlyMorning = Light(
        "in the early morning", sky: (0x3C7A95, 0x8CC0C0, 0xFCE6C4), sun: 0xFFF7DE, haze: 0xC6DCD2, ambient: 0xE2E6CC,
        sunHeight: 0.16)
    static let noon = Light(
        "at noon", sky: (0x2867B2, 0x6BA5DA, 0xDCECF2), sun: 0xFFFFFA, haze: 0xB4D0E4, ambient: 0xFFFFFF,
        sunHeight: 0.42)
    static let summer = Light(
        "on a summer day", sky: (0x2F88C4, 0x84C3E6, 0xEEF5E8), sun: 0xFFFFF0, haze: 0xBFDCDD, ambient: 0xFFFCEE,
        sunHeight: 0.36)
    static let autumn = Light(
        "on an October afternoon", sky: (0x6D8FAC, 0xC9C4B2, 0xF8E2B6), sun: 0xFFF0C8, haze: 0xD9C9AC,
        ambient: 0xF6DDB8, sunHeight: 0.2)
    static let golden = Light(
        "in the golden hour", sky: (0x5C7FA0, 0xE3B67C, 0xFFE09A), sun: 0xFFF4C4, haze: 0xEDBB82, ambient: 0xF0BE84,
        sunHeight: 0.1)
    static let sunset = Light(
        "at sunset", sky: (0x3A4478, 0xD26A5C, 0xFFB466), sun: 0xFFE4A2, haze: 0xD97F62, ambient: 0xB47270,
        sunHeight: 0.05)
    static let dusk = Light(
        "at dusk", sky: (0x272A5C, 0x7B5897, 0xF3A48C), sun: 0xFFD0AA, haze: 0xA4749E, ambient: 0x7A6699,
        sunHeight: 0.03)
    static let blueHour = Light(
        "in the blue hour", sky: (0x101D45, 0x365385, 0xE0A98E), sun: 0xFFE0C0, haze: 0x5C6F99, ambient: 0x53669A,
        sunHeight: 0.4, isNight: true)
    static let moonlight = Light(
        "by moonlight", sky: (0x0A1330, 0x1B2E5C, 0x46628F), sun: 0xFFF6DF, haze: 0x3F5C8C, ambient: 0x4E6798,
        sunHeight: 0.34, isNight: true)
    static let polarNight = Light(
        "in the polar night", sky: (0x061024, 0x0D2438, 0x1E4C56), sun: 0xEAF4F0, haze: 0x1F4450, ambient: 0x2C4A5E,
        sunHeight: 0.45, isNight: true)
    static let overcast = Light(
        "on a grey day", sky: (0x8A98A5, 0xAAB6BE, 0xDADDD9), sun: 0xF4F4EE, haze: 0xBFC9CC, ambient: 0xC4CED0,
        sunHeight: 0.4, isCovered: true)
    static let storm = Light(
        "before the storm", sky: (0x35424F, 0x61707B, 0xC4BE9E), sun: 0xE8E0BC, haze: 0x8D9896, ambient: 0x8C9A9C,
        sunHeight: 0.2, isCovered: true)
}

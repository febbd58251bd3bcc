/// An invented person, with a name and a portrait. The number alone determines both.
public struct Person {
    enum Hair: CaseIterable {
        case long, bob, bun, curls, wavy, scarf
        case short, parted, shaved, cap, afro, quiff
    }

    enum Clothes: CaseIterable {
        case crew, collar, hood, turtleneck
    }

    let number: Int
    let hair: Hair
    let clothes: Clothes
    let skin, hairColor, shirt, background: Color
    let hasBeard, hasGlasses, hasEarrings: Bool
    /// The first and the last name.
    public let name: String

    /// - Parameter number: 0 to 999,999.
    public init(number: Int) {
        var random = Random(number, 7)
        let isWoman = number.isMultiple(of: 2)
        let styles = Hair.allCases
        self.number = number
        hair = isWoman ? styles[number / 2 % 6] : styles[6 + number / 2 % 6]
        clothes = random.pick(Clothes.allCases)
        let tone = (number * 5 + number / 7) % Self.skins.count
        skin = Color(hex: Self.skins[tone])
        // Fair hair goes with fair skin.
        hairColor = Color(hex: Self.hairs[random.int(0...(tone < 3 ? 7 : 3))])
        let look = Self.looks[number * 3 % Self.looks.count]
        (background, shirt) = (Color(hex: look.0), Color(hex: look.1))
        hasBeard = !isWoman && random.chance(0.42)
        hasGlasses = random.chance(0.3)
        hasEarrings = isWoman && random.chance(0.5)
        let first = isWoman ? Self.women : Self.men
        name = "\(first[number / 2 % first.count]) \(Self.families[number * 7 % Self.families.count])"
    }

    private static let skins: [UInt32] = [0xF8D9C2, 0xF2C6A4, 0xE8B58E, 0xD39B6E, 0xB57B50, 0x8F5B3A, 0x6E442C]
    private static let hairs: [UInt32] = [
        0x1F1A1C, 0x33241E, 0x4A3022, 0x2A2E3A, 0x6B4028, 0xA0522D, 0xD4A65A, 0x9C9A98,
    ]
    /// Colors of backgrounds and shirts that suit each other.
    private static let looks: [(UInt32, UInt32)] = [
        (0xF4C95D, 0x2F5D62), (0x9AD1C8, 0xD1495B), (0xF2A38B, 0x3D405B), (0xA9BCE8, 0xF2CC8F), (0xC9E4B4, 0x5E548E),
        (0xE8B4CB, 0x1D7874), (0xF6E0B5, 0xC8553D), (0x7FB7D6, 0xFDF0D5), (0xD8C4F0, 0x2B6777), (0xF7B267, 0x4D6FA5),
        (0xB8D8BA, 0x8D3B4A),
    ]
    private static let women = [
        "Ada", "Maren", "Ines", "Yuki", "Leila", "Noor", "Tilda", "Amara", "Sofia", "Ruth", "Mei", "Elena", "Asha",
        "Freya",
    ]
    private static let men = [
        "Jonas", "Tomás", "Idris", "Kenji", "Emil", "Malik", "Pavel", "Omar", "Luca", "Aron", "Ravi", "Niko", "Samuel",
    ]
    private static let families = [
        "Lindqvist", "Okafor", "Marin", "Takeda", "Haddad", "Novak", "Silva", "Brandt", "Moreau", "Ferrante", "Duarte",
        "Weiss", "Sandoval", "Kaya", "Petrov", "Rahman", "Ekström",
    ]
}

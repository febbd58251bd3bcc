/// What the gallery's own server has.
public enum GalleryPath: Hashable, Sendable {
    /// One of the numbered exhibits, of which some fail.
    case exhibit(Int)
    /// The same images, none of which fails by itself.
    case image(Int)
    /// A small version of the same, for networks where bytes cost money.
    case small(Int)
    /// The same, over some seconds.
    case slow(Int)
    /// The same, and it never ends.
    case endless(Int)
    /// An animation.
    case moving(Int)
    /// An image of 4000 × 3000 pixels.
    case map
    /// Nothing: 404.
    case missing

    var text: String {
        switch self {
        case .exhibit(let number): "/exhibit/\(number)"
        case .image(let number): "/image/\(number)"
        case .small(let number): "/small/\(number)"
        case .slow(let number): "/slow/\(number)"
        case .endless(let number): "/endless/\(number)"
        case .moving(let number): "/moving/\(number)"
        case .map: "/map"
        case .missing: "/missing"
        }
    }

    /// Nil where the server has nothing of the kind.
    init?(_ text: String) {
        let parts = text.split(separator: "/")
        let number = parts.dropFirst().first.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        switch (parts.first, number) {
        case ("exhibit", let number?): self = .exhibit(number)
        case ("image", let number?): self = .image(number)
        case ("small", let number?): self = .small(number)
        case ("slow", let number?): self = .slow(number)
        case ("endless", let number?): self = .endless(number)
        case ("moving", let number?): self = .moving(number)
        case ("map", nil): self = .map
        default: return nil
        }
    }

    var number: Int {
        switch self {
        case .exhibit(let number), .image(let number), .small(let number), .slow(let number), .endless(let number),
            .moving(let number):
            number
        case .map, .missing: 0
        }
    }
}

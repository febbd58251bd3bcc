/// The paths of the gallery's server. Numbers are from 0 to 999,999.
public enum GalleryPath: Hashable, Sendable {
    /// A numbered exhibit. Some of them fail.
    case exhibit(Int)
    /// The ``Painting`` with this number. It fails only if the server's behaviour says so.
    case image(Int)
    /// A small version of the image, for metered networks.
    case small(Int)
    /// The image, sent within two seconds.
    case slow(Int)
    /// The image, whose second half is sent after ten minutes.
    case endless(Int)
    /// An animated figure on a transparent ground: a GIF of 168 × 168 pixels.
    case moving(Int)
    /// The portrait of the ``Person`` with this number: a JPEG of 256 × 256 pixels.
    case portrait(Int)
    /// A decorative figure on a transparent ground: a PNG of 480 × 480 pixels.
    case pattern(Int)
    /// A panorama of 4000 × 3000 pixels, with details for zooming.
    case map
    /// Always fails with status 404.
    case missing

    var text: String {
        switch self {
        case .exhibit(let number): "/exhibit/\(number)"
        case .image(let number): "/image/\(number)"
        case .small(let number): "/small/\(number)"
        case .slow(let number): "/slow/\(number)"
        case .endless(let number): "/endless/\(number)"
        case .moving(let number): "/moving/\(number)"
        case .portrait(let number): "/portrait/\(number)"
        case .pattern(let number): "/pattern/\(number)"
        case .map: "/map"
        case .missing: "/missing"
        }
    }

    /// `nil` for a path that the server does not have.
    init?(_ text: String) {
        let parts = text.split(separator: "/")
        let number = parts.dropFirst().first.flatMap { Int($0) }.flatMap { (0..<1_000_000).contains($0) ? $0 : nil }
        switch (parts.first, number) {
        case ("exhibit", let number?): self = .exhibit(number)
        case ("image", let number?): self = .image(number)
        case ("small", let number?): self = .small(number)
        case ("slow", let number?): self = .slow(number)
        case ("endless", let number?): self = .endless(number)
        case ("moving", let number?): self = .moving(number)
        case ("portrait", let number?): self = .portrait(number)
        case ("pattern", let number?): self = .pattern(number)
        case ("map", nil): self = .map
        default: return nil
        }
    }

    var number: Int {
        switch self {
        case .exhibit(let number), .image(let number), .small(let number), .slow(let number), .endless(let number),
            .moving(let number), .portrait(let number), .pattern(let number):
            number
        case .map, .missing: 0
        }
    }
}

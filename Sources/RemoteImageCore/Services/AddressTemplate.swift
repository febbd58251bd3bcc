// Addresses with placeholders, for servers whose addresses contain a size.

extension ImageSourceConvertible where Self == ImageSource {
    /// An image of a server whose addresses contain a size, such as Nextcloud or Jellyfin:
    /// `{width}` and `{height}` stand for the size, `{dpr}` for the pixels per point.
    ///
    /// ```swift
    /// let poster = ImageSource.sized(
    ///     template: "https://media.example.org/Items/7/Images/Primary?maxWidth={width}")
    /// ```
    ///
    /// Sizes grow in steps; see ``sized(identity:aspectRatio:largest:address:)``. Without
    /// `{width}` and `{height}`, loads fail with ``ImageError/Code/invalidURL``.
    ///
    /// - Parameters:
    ///   - template: The address with placeholders. Other text in braces is left unchanged.
    ///   - identity: Identifies the image in all sizes: the template by default, with the aspect
    ///     ratio if the address has both sides. Give another one if the template contains a token
    ///     that changes.
    ///   - aspectRatio: Width divided by height of the image that the server returns. If it is
    ///     given, `{width}` and `{height}` have it; otherwise both are the longer side.
    ///   - dpr: The value of `{dpr}`, by which `{width}` and `{height}` are divided: 1 by default,
    ///     at least 1.
    ///   - largest: The longer side of the largest size in pixels: 3693 by default.
    public static func sized(
        template: String, identity: String? = nil, aspectRatio: Double? = nil, dpr: Int = 1, largest: Int = 3_693
    ) -> ImageSource {
        let template = AddressTemplate(template)
        let (ratio, dpr) = (aspectRatio.flatMap { (0.001...1000).contains($0) ? $0 : nil }, max(1, dpr))
        // A server that is asked for both sides may crop the image. Different images would share an
        // empty identity.
        let shape = template.hasBothSides ? ratio.map { " \($0)" } ?? "" : ""
        let identity = identity.flatMap { $0.isEmpty ? nil : $0 } ?? template.text + shape
        guard template.hasSize else {
            let error = ImageError(.invalidURL, "a template without {width} and {height}")
            return ImageSource(.invalid(error), identity: identity)
        }
        return .sized(identity: identity, aspectRatio: ratio, largest: largest) { pixels in
            let size = PixelSize(longestSide: (pixels - 1) / dpr + 1, aspectRatio: ratio ?? 1)
            return template.address(size, dpr: dpr)
        }
    }
}

/// An address in which `{width}`, `{height}` and `{dpr}` are replaced by numbers.
struct AddressTemplate: Sendable {
    private enum Part: Sendable {
        case text([UInt8])
        case width, height, dpr
    }

    let text: String
    private let parts: [Part]
    /// Whether the address depends on the size.
    var hasSize: Bool { sides != (false, false) }
    var hasBothSides: Bool { sides == (true, true) }
    private let sides: (width: Bool, height: Bool)

    init(_ text: String) {
        self.text = text
        let names: [(name: [UInt8], part: Part)] = [
            (Array("{width}".utf8), .width), (Array("{height}".utf8), .height), (Array("{dpr}".utf8), .dpr),
        ]
        var parts: [Part] = []
        var sides = (width: false, height: false)
        var (rest, literal): (ArraySlice<UInt8>, [UInt8]) = (Array(text.utf8)[...], [])
        while let byte = rest.first {
            if byte == UInt8(ascii: "{"), let (name, part) = names.first(where: { rest.starts(with: $0.name) }) {
                parts += [.text(literal), part]
                literal = []
                switch part {
                case .width: sides.width = true
                case .height: sides.height = true
                case .dpr, .text: break
                }
                rest = rest.dropFirst(name.count)
            } else {
                literal.append(byte)
                rest = rest.dropFirst()
            }
        }
        (self.parts, self.sides) = (parts + [.text(literal)], sides)
    }

    func address(_ size: PixelSize, dpr: Int) -> String {
        let bytes = parts.flatMap { part -> [UInt8] in
            switch part {
            case .text(let text): text
            case .width: Array(String(size.width).utf8)
            case .height: Array(String(size.height).utf8)
            case .dpr: Array(String(dpr).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The parts of CSS in an SVG file that decide how much librsvg draws: references to elements, and
/// properties for which it draws an element on a surface of its own.
enum SVGStyle {
    /// The values with which such a property needs no surface.
    private static let plainValues: [String: [String]] = [
        "opacity": ["1", "1.0", "100%", "inherit"], "filter": ["none", "inherit"], "mask": ["none", "inherit"],
        "mix-blend-mode": ["normal"], "isolation": ["auto"], "clipPathUnits": ["userSpaceOnUse"],
    ]

    /// Whether an attribute, `style` or a property, needs a surface. A clip path needs one only
    /// with `clipPathUnits`; the path is counted instead of the elements that are clipped.
    static func isIsolating(_ attribute: ArraySlice<UInt8>, _ value: [UInt8]) -> Bool {
        if attribute.elementsEqual("style".utf8) { return isIsolating(value) }
        return isIsolating(name: String(decoding: attribute, as: UTF8.self), value[...])
    }

    /// Whether a style sheet or a `style` attribute contains such a property. Comments may hide
    /// one.
    static func isIsolating(_ style: [UInt8]) -> Bool {
        let separators = Set(";{}".utf8)
        let hasComment = zip(style, style.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*") }
        return hasComment
            || style.split { separators.contains($0) }.contains { declaration in
                let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
                guard parts.count == 2, let name = parts.first, let value = parts.last else { return false }
                return isIsolating(name: trimmed(name).lowercased(), value)
            }
    }

    /// The identifiers in `url(#id)`.
    static func targets(in style: [UInt8]) -> [String] {
        let ends = Set("\"') \t\r\n".utf8)
        return style.indices.compactMap { start in
            let isReference = style[start...].prefix(4).elementsEqual("url(".utf8) { $0 | 0x20 == $1 | 0x20 }
            guard isReference else { return nil }
            let reference = style[(start + 4)...].drop { ends.contains($0) }
            guard reference.first == UInt8(ascii: "#") else { return nil }
            return String(decoding: reference.dropFirst().prefix { !ends.contains($0) }, as: UTF8.self)
        }
    }

    private static func isIsolating(name: String, _ value: ArraySlice<UInt8>) -> Bool {
        plainValues[name].map { !$0.contains(trimmed(value)) } ?? false
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> String {
        guard let start = text.firstIndex(where: { $0 > 0x20 }), let end = text.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return String(decoding: text[start...end], as: UTF8.self)
    }
}

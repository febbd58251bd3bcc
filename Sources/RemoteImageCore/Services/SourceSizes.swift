// The `sizes` attribute of HTML.

/// The widths of a `sizes` attribute (HTML Standard, section *Parsing a sizes attribute*).
///
/// Media conditions are limited to `min-width` and `max-width` in `px`, `em` and `rem`, joined by
/// `and`; widths to `px`, `em`, `rem`, `vw` and `vh`. An entry with anything else does not apply,
/// as in a browser that does not know it. An `em` has 16 points.
///
/// ```swift
/// let sizes = SourceSizes("(max-width: 600px) 100vw, 50vw")
/// let width = sizes.width(inViewportOfWidth: 800, height: 600)
/// ```
public struct SourceSizes: Hashable, Sendable {
    private let text: String

    /// - Parameter text: The value of the attribute. Any text is accepted.
    public init(_ text: String) {
        self.text = text
    }

    /// The width of the image in points: that of the first entry that applies, or the width of the
    /// viewport.
    ///
    /// - Parameters:
    ///   - width: The width of the viewport in points.
    ///   - height: The height of the viewport in points.
    public func width(inViewportOfWidth width: Double, height: Double) -> Double {
        let viewport = Viewport(width: width, height: height)
        for entry in Self.entries(of: Array(text.utf8)) {
            let entry = Self.trimmed(entry)
            // The width is the last value; the condition before it may end without a space.
            let length = entry.reversed().prefix { !SourceSetParser.isSpace($0) && $0 != UInt8(ascii: ")") }
            let condition = Self.trimmed(entry.dropLast(length.count))
            guard viewport.satisfies(condition), let value = viewport.length(entry.suffix(length.count)), value >= 0
            else { continue }
            return value
        }
        return width
    }

    /// The parts between commas that are not in parentheses.
    private static func entries(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var (depth, start): (Int, Int) = (0, 0)
        var entries: [ArraySlice<UInt8>] = []
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            case UInt8(ascii: ",") where depth == 0:
                entries.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        return entries + [text[start...]]
    }

    fileprivate static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = text.drop(while: SourceSetParser.isSpace)
        let end = text.lastIndex { !SourceSetParser.isSpace($0) }
        return text[..<(end.map { $0 + 1 } ?? text.startIndex)]
    }
}

/// The viewport that conditions and lengths refer to, in points.
private struct Viewport {
    let width: Double
    let height: Double

    func satisfies(_ condition: ArraySlice<UInt8>) -> Bool {
        var rest = condition
        while !rest.isEmpty {
            guard rest.first == UInt8(ascii: "("), let end = rest.firstIndex(of: UInt8(ascii: ")")),
                satisfies(feature: rest[(rest.startIndex + 1)..<end])
            else { return false }
            rest = SourceSizes.trimmed(rest[(end + 1)...])
            if rest.isEmpty { break }
            guard Self.lowercased(rest.prefix(3)) == "and" else { return false }
            rest = SourceSizes.trimmed(rest.dropFirst(3))
            // A condition must follow.
            if rest.isEmpty { return false }
        }
        return true
    }

    private func satisfies(feature: ArraySlice<UInt8>) -> Bool {
        guard let colon = feature.firstIndex(of: UInt8(ascii: ":")),
            let value = length(SourceSizes.trimmed(feature[(colon + 1)...]), isRelative: false)
        else { return false }
        switch Self.lowercased(SourceSizes.trimmed(feature[..<colon])) {
        case "min-width": return width >= value
        case "max-width": return width <= value
        default: return false
        }
    }

    /// A length in points.
    ///
    /// - Parameter isRelative: Whether the units of the viewport are allowed.
    func length(_ text: ArraySlice<UInt8>, isRelative: Bool = true) -> Double? {
        let unit = text.reversed().prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }.count
        guard let number = SourceSetParser.real(text.dropLast(unit)) else { return nil }
        switch Self.lowercased(text.suffix(unit)) {
        case "px": return number
        case "em", "rem": return number * 16
        case "vw": return isRelative ? number * width / 100 : nil
        case "vh": return isRelative ? number * height / 100 : nil
        case "": return number == 0 ? 0 : nil
        default: return nil
        }
    }

    private static func lowercased(_ text: ArraySlice<UInt8>) -> String {
        // Longer words are no names of this language.
        String(decoding: text.prefix(20), as: UTF8.self).lowercased()
    }
}

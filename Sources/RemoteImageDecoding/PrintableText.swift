extension String {
    /// The text with `U+FFFD` in place of each character that a terminal or a line-based log would
    /// interpret: control characters, including escapes and line breaks, and bidirectional
    /// formatting characters.
    ///
    /// For untrusted text: addresses, headers and decoder messages.
    package var printable: String {
        // Nearly all texts are ASCII, whose bytes are faster to check.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars { text.unicodeScalars.append(Self.isControl(scalar) ? "\u{FFFD}" : scalar) }
        return text
    }

    /// ``printable``, shortened to at most `limit` characters; an ellipsis replaces the rest.
    package func printable(limit: Int) -> String {
        let beginning = unicodeScalars.prefix(limit + 1)
        guard beginning.count > limit else { return printable }
        return "\(String(beginning.prefix(limit - 1)).printable)…"
    }

    /// C0 and C1 controls, and Unicode's bidirectional and line separators.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

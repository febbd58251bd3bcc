extension String {
    /// The text without what a terminal or a line of a log would act on: control characters, among them escapes and line
    /// breaks, and marks that turn the direction of writing around. Each is replaced by `U+FFFD`.
    ///
    /// For text from elsewhere: addresses, headers, and what a decoder says of an image.
    package var printable: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars { text.unicodeScalars.append(Self.isControl(scalar) ? "\u{FFFD}" : scalar) }
        return text
    }

    /// ``printable``, with at most `limit` characters, the last of them an ellipsis where some are missing.
    package func printable(limit: Int) -> String {
        let beginning = unicodeScalars.prefix(limit + 1)
        guard beginning.count > limit else { return printable }
        return "\(String(beginning.prefix(limit - 1)).printable)…"
    }

    /// C0 and C1 controls, and Unicode's bidirectional and line separators.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

import CGtk

/// The name that is suggested for the file of an image: the last part of its address as people read it. Always a name
/// alone, never a path, and one that file systems take.
enum ImageName {
    /// Bytes of the name without its ending: file systems allow 255 in all, some that encrypt names fewer.
    private static let maxByteCount = 120

    /// What images' names end in: another one is not put behind it, whatever the bytes are. SVG is compressed as `svgz`.
    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "svg", "svgz", "bmp", "ico", "tif", "tiff",
        "heic", "heif", "jxl",
    ]

    /// - Parameters:
    ///   - address: Where the image came from, `http:`, `https:` or `file:`; nil where it has no address.
    ///   - format: What its bytes are; gives the ending where the address has none.
    static func suggested(for address: String?, _ format: ImageFormat?) -> String {
        let name = address.flatMap(lastPart).map(harmless) ?? ""
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let isComplete = endings.contains(name[dot...].dropFirst().lowercased())
        var stem = isComplete ? name[..<dot] : name[...]
        let ending = isComplete ? String(name[dot...]) : format?.ending.map { ".\($0)" } ?? ""
        while stem.utf8.count > maxByteCount { stem.removeLast() }
        return (stem.isEmpty ? Localization.translated("image") : String(stem)) + ending
    }

    private static func lastPart(of address: String) -> String? {
        // Less the scheme and the host, which a file has not.
        let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .dropFirst(address.hasPrefix("file:") ? 1 : 2)
        return parts.last.map { decoded(String($0)) }
    }

    /// As it is where what is encoded is no text.
    private static func decoded(_ part: String) -> String {
        guard let text = g_uri_unescape_string(part, nil) else { return part }
        defer { g_free(text) }
        return String(validatingCString: text) ?? part
    }

    /// Neither hidden nor a path, and without what makes a name look like another one.
    private static func harmless(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            let isHarmful =
                switch properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: scalar == "/" || properties.isBidiControl
                }
            scalars.append(isHarmful ? "_" : scalar)
        }
        var name = String(scalars).drop { $0 == "." || $0.isWhitespace }
        while name.last?.isWhitespace == true { name.removeLast() }
        return String(name)
    }
}

extension ImageFormat {
    /// What the names of such files end in; nil where that is not known.
    fileprivate var ending: String? {
        switch self {
        case .jpeg: "jpg"
        case .png, .gif, .webp, .avif, .heic, .ico, .bmp, .svg, .jxl: rawValue
        case .other: nil
        }
    }
}

import CRemoteImageGtk

/// The suggested file name of an image: the last part of its address, decoded. It is never a path,
/// and is valid on common file systems.
enum ImageName {
    /// The maximum length of the name without its extension, in bytes. File systems allow 255 bytes
    /// in total; encrypting ones allow fewer.
    private static let maxByteCount = 120

    /// Known image extensions. A name with one of them keeps it, whatever its format; `svgz` is
    /// compressed SVG.
    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "svg", "svgz", "bmp", "ico", "tif", "tiff",
        "heic", "heif", "jxl",
    ]

    /// - Parameters:
    ///   - address: The `http:`, `https:` or `file:` address of the image, or `nil`.
    ///   - format: The format of the file, which determines the extension if the address has none.
    static func suggested(for address: String?, _ format: ImageFormat?) -> String {
        let name = address.flatMap(lastPart).map(harmless) ?? ""
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let isComplete = endings.contains(name[dot...].dropFirst().lowercased())
        var stem = isComplete ? name[..<dot] : name[...]
        let ending = isComplete ? String(name[dot...]) : format?.facts.fileExtension.map { ".\($0)" } ?? ""
        while stem.utf8.count > maxByteCount { stem.removeLast() }
        return (stem.isEmpty ? Localization.translated("image") : String(stem)) + ending
    }

    private static func lastPart(of address: String) -> String? {
        // Skips the scheme and the host; a `file:` address has no host.
        let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .dropFirst(address.hasPrefix("file:") ? 1 : 2)
        return parts.last.map { decoded(String($0)) }
    }

    /// Returns the part unchanged if its decoded bytes are not UTF-8.
    private static func decoded(_ part: String) -> String {
        guard let text = g_uri_unescape_string(part, nil) else { return part }
        defer { g_free(text) }
        return String(validatingCString: text) ?? part
    }

    /// Makes a name that is neither hidden, nor a path, nor an option of a command, without
    /// control and bidirectional characters that could disguise it.
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
        var name = String(scalars).drop { $0 == "." || $0 == "-" || $0.isWhitespace }
        while name.last?.isWhitespace == true { name.removeLast() }
        return String(name)
    }
}

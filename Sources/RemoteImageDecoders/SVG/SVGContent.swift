/// Refuses SVG files that embed images, style sheets or documents, and files for which librsvg
/// would need much memory. Only for drawings in the calling process: a decoder process may be lost.
///
/// librsvg decodes an embedded image of any size with any GdkPixbuf loader, without the allow-list
/// and the limits. A file is accepted only if this parser and an XML parser cannot read it
/// differently: in ASCII-compatible encodings, without entity declarations, and without CSS
/// escapes. References to other files are accepted, since librsvg loads none of them without a base
/// URL.
///
/// Measured with librsvg 2.54 and GdkPixbuf: a tile of a pattern is drawn in its own size, 3.4 GB
/// for a drawing of 64 × 64 pixels, so patterns are refused. The results of filter primitives and
/// masks of masks are kept in the size of the drawing, 1.6 GB for a hundred at 2000 × 2000, so both
/// are counted. ``SVGNesting`` counts the surfaces of groups.
struct SVGContent {
    private let bytes: [UInt8]
    private var index = 0
    /// The number of open elements from the outermost `style` on.
    private var styleDepth = 0
    private var style: [UInt8] = []
    /// Counts the drawing, the results of filter primitives, and masks.
    private var surfaceCount = 1
    private var nesting = SVGNesting()
    /// The number of references in style sheets. Any element may contain them.
    private var styleReferenceCount = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The number of surfaces of the drawing's size that librsvg may hold at the same time.
    ///
    /// Throws `ImageError.Code.unsupportedFormat` for a file that embeds something or could hide
    /// that, and `ImageError.Code.corrupt` for a file that is not well-formed.
    @discardableResult
    static func check(_ bytes: [UInt8]) throws(ImageError) -> Int {
        var content = SVGContent(bytes)
        try content.checkDocument()
        return content.surfaceCount + (try content.surfaceCountOfLevels)
    }

    private var surfaceCountOfLevels: Int {
        get throws(ImageError) {
            guard let count = nesting.levelCount, count + styleReferenceCount <= SVGNesting.maxLevelCount else {
                throw Self.refused("too many levels")
            }
            return nesting.surfaceCount(of: count + styleReferenceCount)
        }
    }

    private mutating func checkDocument() throws(ImageError) {
        guard !bytes.contains(0) else { throw Self.malformed }
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                let start = index
                while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
                if styleDepth > 0 { style += try Self.decoded(bytes[start..<index]) }
            } else if skip("<!--") {
                _ = try take(until: "-->")
            } else if skip("<![CDATA[") {
                let text = try take(until: "]]>")
                if styleDepth > 0 { style += text }
            } else if skip("<?") {
                try checkInstruction(try take(until: "?>"))
            } else if skip("<!") {
                try checkDeclaration()
            } else {
                try checkTag()
            }
        }
        guard styleDepth == 0 else { throw Self.malformed }
    }

    /// Refuses style sheets, and encodings in which an ASCII byte may not be an ASCII
    /// character.
    private func checkInstruction(_ text: ArraySlice<UInt8>) throws(ImageError) {
        let text = Self.lowercased(text)
        if text.starts(with: "xml-stylesheet".utf8) { throw Self.refused("a style sheet") }
        guard text.starts(with: "xml".utf8), let start = Self.firstIndex(of: "encoding", in: text) else { return }
        let name = text[start...].drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }.dropFirst()
        let known = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252"]
        let isKnown = known.contains { known in
            name.starts(with: known.utf8)
                && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(name.dropFirst(known.utf8.count).first)
        }
        guard isKnown else { throw Self.refused("another encoding than UTF-8") }
    }

    /// Accepts a document type without an internal subset.
    private mutating func checkDeclaration() throws(ImageError) {
        guard skip("DOCTYPE") else { throw Self.malformed }
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw Self.refused("entities or other declarations")
            } else if byte == UInt8(ascii: ">") {
                return
            }
        }
        throw Self.malformed
    }

    private mutating func checkTag() throws(ImageError) {
        index += 1
        let isEnd = skip("/")
        let name = takeName()
        guard !name.isEmpty else { throw Self.malformed }
        let element = Self.localName(name)
        if element == "include" { throw Self.refused("an inclusion") }
        if element == "pattern" { throw Self.refused("patterns") }
        if !isEnd, element.hasPrefix("fe") || element == "mask" { surfaceCount += 1 }
        var id: String?
        var targets: [String] = []
        var isIsolated = false
        while true {
            skipSpace()
            guard index < bytes.count else { throw Self.malformed }
            if skip("/>") {
                guard !isEnd else { throw Self.malformed }
                try begin(id, targets, isIsolated)
                return nesting.end()
            }
            if skip(">") { break }
            let attribute = takeName()
            skipSpace()
            guard !attribute.isEmpty, skip("=") else { throw Self.malformed }
            skipSpace()
            guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
                throw Self.malformed
            }
            let quote = bytes[index]
            index += 1
            guard let end = bytes[index...].firstIndex(of: quote) else { throw Self.malformed }
            let value = try Self.decoded(bytes[index..<end])
            index = end + 1
            try check(value, of: attribute, in: element)
            if attribute.elementsEqual("id".utf8) { id = String(decoding: value, as: UTF8.self) }
            if element != "a" { targets += Self.targets(in: value, of: attribute) }
            isIsolated = isIsolated || SVGStyle.isIsolating(attribute, value)
        }
        if isEnd { nesting.end() } else { try begin(id, targets, isIsolated) }
        if isEnd {
            guard styleDepth > 0 else { return }
            styleDepth -= 1
            if styleDepth == 0 {
                try Self.checkStyle(style)
                styleReferenceCount += SVGStyle.targets(in: style).count
                if SVGStyle.isIsolating(style) { nesting.hasIsolatingStyle = true }
                style = []
            }
        } else if styleDepth > 0 || element == "style" {
            styleDepth += 1
        }
    }

    private mutating func begin(_ id: String?, _ targets: [String], _ isIsolated: Bool) throws(ImageError) {
        guard nesting.begin(id: id, targets: targets, isIsolated: isIsolated) else {
            throw Self.refused("too many levels")
        }
    }

    /// The identifiers of the elements that an attribute refers to.
    private static func targets(in value: [UInt8], of attribute: ArraySlice<UInt8>) -> [String] {
        guard localName(attribute) == "href" else { return SVGStyle.targets(in: value) }
        let reference = value.drop { $0 <= 0x20 }
        guard reference.first == UInt8(ascii: "#") else { return [] }
        return [String(decoding: reference.dropFirst(), as: UTF8.self)]
    }

    private func check(
        _ value: [UInt8], of attribute: ArraySlice<UInt8>, in element: String
    ) throws(ImageError) {
        if Self.localName(attribute) == "href" {
            // librsvg does not follow the links of `a` elements.
            guard element == "a" || Self.isExternal(value[...]) else { throw Self.refused("embedded images") }
        }
        // Editors store their own data, such as paths, in attributes with a prefix.
        let isNote = attribute.contains(UInt8(ascii: ":")) || attribute.starts(with: "data-".utf8)
        guard !isNote, !attribute.elementsEqual("id".utf8), !attribute.elementsEqual("class".utf8) else { return }
        try Self.checkStyle(value)
    }

    /// Whether a reference names an element of the file or another file. A `data:` address is
    /// neither, however it is written: addresses are parsed without line feeds and tabs.
    private static func isExternal(_ reference: ArraySlice<UInt8>) -> Bool {
        let reference = lowercased(reference.drop { $0 <= 0x20 })
        return !reference.contains(UInt8(ascii: ":"))
            || ["#", "http:", "https:", "file:"].contains { reference.starts(with: $0.utf8) }
    }

    /// Refuses CSS with an embedding `url()`, an import or an escape.
    private static func checkStyle(_ style: [UInt8]) throws(ImageError) {
        let style = lowercased(style[...])
        guard !style.contains(UInt8(ascii: "\\")) else { throw refused("CSS escapes") }
        guard firstIndex(of: "@import", in: style) == nil else { throw refused("a style sheet") }
        var rest = style[...]
        while let start = firstIndex(of: "url(", in: rest) {
            rest = rest[(start + 4)...].drop { $0 <= 0x20 }
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                rest = rest.dropFirst().drop { $0 <= 0x20 }
            }
            guard isExternal(rest.prefix { $0 != UInt8(ascii: ")") }) else { throw refused("embedded images") }
        }
    }

    // MARK: Pieces

    private mutating func skip(_ text: StaticString) -> Bool {
        let isThere = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
        if isThere { index += text.utf8CodeUnitCount }
        return isThere
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func takeName() -> ArraySlice<UInt8> {
        let start = index
        let ends = Set(" \t\r\n=/>\"'<&".utf8)
        while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private mutating func take(until end: String) throws(ImageError) -> ArraySlice<UInt8> {
        guard let found = Self.firstIndex(of: end, in: bytes[index...]) else { throw Self.malformed }
        defer { index = found + end.utf8.count }
        return bytes[index..<found]
    }

    private static func firstIndex(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(text.utf8)
        guard let first = text.first else { return nil }
        var rest = bytes
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: text) { return index }
            rest = rest[(index + 1)...]
        }
        return nil
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        ArraySlice(bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 })
    }

    /// A name without its prefix.
    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    /// Replaces character references and the five predefined entities of XML; refuses other
    /// entities.
    private static func decoded(_ text: ArraySlice<UInt8>) throws(ImageError) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            output += rest[..<start]
            guard let end = rest[start...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else { throw malformed }
            let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            let scalar =
                name.hasPrefix("#")
                ? UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init) : named[name]
            guard let scalar else { throw refused("entities or other declarations") }
            output += Character(scalar).utf8
            rest = rest[(end + 1)...]
        }
        return output + rest
    }

    private static let malformed = ImageError(.corrupt, "the SVG is not well-formed")

    private static func refused(_ reason: String) -> ImageError {
        ImageError(.unsupportedFormat, "an SVG with \(reason)")
    }
}

/// An SVG file has no signature; it is XML whose first element is `svg`, with any prefix, behind
/// any comments and declarations. The encoding is compatible with ASCII, or UTF-16 with a byte
/// order mark, as in Chromium.
struct SVGSignature {
    private let reader: ByteReader
    private var index = 0
    /// The number of bytes of a character, and the index of its lower byte.
    private var (width, lowByte) = (1, 0)

    static func isOne(_ reader: ByteReader) -> Bool {
        var prolog = SVGSignature(reader)
        guard prolog.isMarkup else { return false }
        while true {
            prolog.skipSpace()
            let isComplete: Bool
            if prolog.skip("<!--") {
                isComplete = prolog.skip(behind: "-->")
            } else if prolog.skip("<?") {
                isComplete = prolog.skip(behind: "?>")
            } else if prolog.skip("<!DOCTYPE") {
                isComplete = prolog.skipDocumentType()
            } else {
                return prolog.isAtSVG
            }
            guard isComplete else { return false }
        }
    }

    private init(_ reader: ByteReader) {
        self.reader = reader
        if reader.has([0xEF, 0xBB, 0xBF]) {
            index = 3
        } else if reader.has([0xFE, 0xFF]) {
            (index, width, lowByte) = (2, 2, 1)
        } else if reader.has([0xFF, 0xFE]) {
            (index, width, lowByte) = (2, 2, 0)
        }
    }

    /// An ASCII character, 0xFF for any other one; `nil` at the end.
    private func character(at offset: Int = 0) -> UInt8? {
        let start = index + offset * width
        guard let low = reader.byte(at: start + lowByte) else { return nil }
        guard width == 2 else { return low }
        return reader.byte(at: start + 1 - lowByte).map { $0 == 0 ? low : 0xFF }
    }

    var isMarkup: Bool {
        var rest = self
        rest.skipSpace()
        return rest.character() == UInt8(ascii: "<")
    }

    /// Whether the start tag of an `svg` element follows.
    var isAtSVG: Bool {
        guard character() == UInt8(ascii: "<") else { return false }
        var name: [UInt8] = []
        // Prefixes are short.
        for offset in 1...128 {
            guard let next = character(at: offset) else { return false }
            if next <= 0x20 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { break }
            name.append(next)
        }
        return name.split(separator: UInt8(ascii: ":"), maxSplits: 1).last?.elementsEqual("svg".utf8) == true
    }

    mutating func skipSpace() {
        while let next = character(), next <= 0x20 { index += width }
    }

    mutating func skip(_ text: StaticString) -> Bool {
        let isThere = text.withUTF8Buffer { text in
            text.indices.allSatisfy { character(at: $0) == text[$0] }
        }
        if isThere { index += text.utf8CodeUnitCount * width }
        return isThere
    }

    mutating func skip(behind end: StaticString) -> Bool {
        while character() != nil {
            if skip(end) { return true }
            index += width
        }
        return false
    }

    /// Skips the rest of a document type with its internal subset.
    mutating func skipDocumentType() -> Bool {
        var isInSubset = false
        while let next = character() {
            if isInSubset, skip("<!--") {
                guard skip(behind: "-->") else { return false }
                continue
            }
            if isInSubset, skip("<?") {
                guard skip(behind: "?>") else { return false }
                continue
            }
            index += width
            switch next {
            case UInt8(ascii: "\""): guard skip(behind: "\"") else { return false }
            case UInt8(ascii: "'"): guard skip(behind: "'") else { return false }
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return true
            default: break
            }
        }
        return false
    }
}

/// Reads one JSON text; see ``JSONValue``.
struct JSONReader {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func readAll() throws(ImageError) -> JSONValue {
        let value = try readValue(depth: 0)
        skipSpace()
        guard position == text.count else { throw error("text after the value") }
        return value
    }

    private func error(_ reason: String) -> ImageError {
        ImageError(.protocol, "invalid JSON at byte \(position): \(reason)")
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ expected: Character) -> Bool {
        guard next == expected.asciiValue else { return false }
        position += 1
        return true
    }

    // MARK: Values

    private mutating func readValue(depth: Int) throws(ImageError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
        case UInt8(ascii: "["): return try readArray(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readWord(_ word: String, _ value: JSONValue) throws(ImageError) -> JSONValue {
        guard text[position...].starts(with: word.utf8) else { throw error("no value") }
        position += word.utf8.count
        return value
    }

    private mutating func readArray(depth: Int) throws(ImageError) -> JSONValue {
        guard depth <= JSONValue.maxDepth else { throw error("too deep") }
        position += 1
        skipSpace()
        if take("]") { return .array([]) }
        var values: [JSONValue] = []
        while true {
            values.append(try readValue(depth: depth))
            skipSpace()
            if take("]") { return .array(values) }
            guard take(",") else { throw error("no comma in an array") }
        }
    }

    private mutating func readObject(depth: Int) throws(ImageError) -> JSONValue {
        guard depth <= JSONValue.maxDepth else { throw error("too deep") }
        position += 1
        skipSpace()
        if take("}") { return .object([:]) }
        var members: [String: JSONValue] = [:]
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("no name in an object") }
            let name = try readString()
            skipSpace()
            guard take(":") else { throw error("no colon in an object") }
            // Readers differ on which of two members counts.
            guard members.updateValue(try readValue(depth: depth), forKey: name) == nil else {
                throw error("a name occurs twice in an object")
            }
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("no comma in an object") }
        }
    }

    // MARK: Numbers

    private mutating func readNumber() throws(ImageError) -> Double {
        let start = position
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
        guard position - start <= 100,
            let number = Double(String(decoding: text[start..<position], as: UTF8.self)), number.isFinite
        else { throw error("a number that is too large or too long") }
        return number
    }

    private mutating func skipDigits() throws(ImageError) {
        let start = position
        while let byte = next, byte &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw error("no value") }
    }

    // MARK: Strings

    private mutating func readString() throws(ImageError) -> String {
        position += 1
        var bytes: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: bytes, as: UTF8.self) else {
                    throw error("a string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): bytes += try readEscape()
            case 0..<0x20: throw error("a control character in a string")
            default: bytes.append(byte)
            }
        }
        throw error("a string without an end")
    }

    private mutating func readEscape() throws(ImageError) -> [UInt8] {
        guard let byte = next else { throw error("a string without an end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try readUnicode()
        default: throw error("an unknown escape")
        }
    }

    private mutating func readUnicode() throws(ImageError) -> [UInt8] {
        var value = try readHexadecimal()
        if (0xD800...0xDBFF).contains(value) {
            guard take("\\"), take("u") else { throw error("half of a surrogate pair") }
            let low = try readHexadecimal()
            guard (0xDC00...0xDFFF).contains(low) else { throw error("half of a surrogate pair") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = UnicodeScalar(value) else { throw error("half of a surrogate pair") }
        return Array(String(scalar).utf8)
    }

    private mutating func readHexadecimal() throws(ImageError) -> UInt32 {
        guard position + 4 <= text.count,
            let digits = ServiceText.bytes(
                ofHexadecimal: String(decoding: text[position..<(position + 4)], as: UTF8.self)), digits.count == 2
        else { throw error("an invalid escape") }
        position += 4
        return UInt32(digits[0]) << 8 | UInt32(digits[1])
    }
}

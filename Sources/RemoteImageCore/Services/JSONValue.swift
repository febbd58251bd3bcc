/// A value of a JSON text (RFC 8259).
///
/// The reader is strict: names are unique, strings are valid Unicode, and nothing follows the
/// value. Texts from servers are untrusted, so their size and depth are bounded.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The largest text in bytes.
    static let maxByteCount = 1 << 20
    /// The deepest nesting of arrays and objects.
    static let maxDepth = 32

    /// Reads a text in UTF-8. Throws ``ImageError/Code/protocol`` with the position of the first
    /// error.
    init(_ text: [UInt8]) throws(ImageError) {
        guard text.count <= Self.maxByteCount else {
            throw ImageError(.protocol, "the JSON text has more than \(Self.maxByteCount) bytes")
        }
        var reader = JSONReader(text)
        self = try reader.readAll()
    }

    /// The member of an object; `nil` if there is none, or if the value is no object.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The number if it is a positive integer that a size may be, up to 2³¹ − 1.
    var positiveInteger: Int? {
        guard case .number(let number) = self, number >= 1, number <= 2_147_483_647,
            number == number.rounded(.towardZero)
        else { return nil }
        return Int(number)
    }
}

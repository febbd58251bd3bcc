/// A JSON object on one line (RFC 8259). Fields keep the order in which they were added.
struct JSONLine {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: String) { append(name, Self.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { append(name, String(value)) }
    mutating func add(_ name: String, _ value: Bool) { append(name, String(value)) }

    /// Adds pairs of strings, such as headers.
    mutating func add(_ name: String, _ pairs: [[String]]) {
        let lists = pairs.map { "[\($0.map(Self.quoted).joined(separator: ","))]" }
        append(name, "[\(lists.joined(separator: ","))]")
    }

    mutating func add(_ name: String, _ value: JSONLine) { append(name, value.object) }
    mutating func add(_ name: String, _ values: [JSONLine]) {
        append(name, "[\(values.map(\.object).joined(separator: ","))]")
    }

    /// Seconds with three decimals.
    mutating func add(_ name: String, _ value: Duration) { append(name, value.secondsText) }

    var object: String { "{\(text)}" }

    private mutating func append(_ name: String, _ value: String) {
        if !text.isEmpty { text += "," }
        text += "\"\(name)\":\(value)"
    }

    static func quoted(_ string: String) -> String {
        let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"\(string)\"" }
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where String.isControl(scalar):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension Duration {
    /// Seconds with three decimals, independent of the locale: `1.234`.
    var secondsText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

/// Reads the images of a `srcset` attribute one after the other, in time proportional to its
/// length.
struct SourceSetParser {
    private let text: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// The next valid image; `nil` at the end.
    mutating func next() -> SourceSet.Candidate? {
        while true {
            skip { Self.isSpace($0) || $0 == Self.comma }
            guard position < text.count else { return nil }
            var address = take { !Self.isSpace($0) }
            var descriptors: [ArraySlice<UInt8>] = []
            if address.last == Self.comma {
                let end = address.lastIndex { $0 != Self.comma } ?? address.startIndex
                address = address[...end]
            } else {
                descriptors = takeDescriptors()
            }
            if let descriptor = Self.descriptor(of: descriptors) {
                return SourceSet.Candidate(address: String(decoding: address, as: UTF8.self), descriptor: descriptor)
            }
        }
    }

    // MARK: Tokens

    /// The descriptors up to a comma that is not in parentheses.
    private mutating func takeDescriptors() -> [ArraySlice<UInt8>] {
        var descriptors: [ArraySlice<UInt8>] = []
        while true {
            skip(Self.isSpace)
            let start = position
            var isInParentheses = false
            while position < text.count {
                let byte = text[position]
                if isInParentheses {
                    isInParentheses = byte != UInt8(ascii: ")")
                } else if Self.isSpace(byte) || byte == Self.comma {
                    break
                } else {
                    isInParentheses = byte == UInt8(ascii: "(")
                }
                position += 1
            }
            if position > start { descriptors.append(text[start..<position]) }
            guard position < text.count else { return descriptors }
            if text[position] == Self.comma {
                position += 1
                return descriptors
            }
        }
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        _ = take(isSkipped)
    }

    private mutating func take(_ isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < text.count, isTaken(text[position]) { position += 1 }
        return text[start..<position]
    }

    private static let comma = UInt8(ascii: ",")

    /// ASCII white space of the Infra Standard.
    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20: true
        default: false
        }
    }

    // MARK: Descriptors

    /// `nil` if the descriptors contradict each other or are invalid.
    private static func descriptor(of descriptors: [ArraySlice<UInt8>]) -> SourceSet.Descriptor? {
        var (width, height): (Int?, Int?) = (nil, nil)
        var density: Double?
        for descriptor in descriptors {
            let number = descriptor.dropLast()
            switch descriptor.last {
            case UInt8(ascii: "w"):
                guard width == nil, density == nil, let value = positiveInteger(number) else { return nil }
                width = value
            case UInt8(ascii: "x"):
                guard width == nil, density == nil, height == nil, let value = real(number), value >= 0 else {
                    return nil
                }
                density = value
            case UInt8(ascii: "h"):
                // Reserved by the standard, and only valid beside a width.
                guard height == nil, density == nil, let value = positiveInteger(number) else { return nil }
                height = value
            default: return nil
            }
        }
        if let width { return .width(width) }
        return height == nil ? .density(density ?? 1) : nil
    }

    private static func positiveInteger(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(isDigit), let value = Int(String(decoding: digits, as: UTF8.self)),
            value > 0
        else { return nil }
        return value
    }

    /// A valid floating-point number of HTML: no sign `+`, and digits after the point.
    static func real(_ text: ArraySlice<UInt8>) -> Double? {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        } else if whole.isEmpty {
            return nil
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            let exponent = rest.prefix(while: isDigit)
            guard !exponent.isEmpty else { return nil }
            rest = rest.dropFirst(exponent.count)
        }
        // Bounded, since numbers of a megabyte are valid, too.
        guard rest.isEmpty, text.count <= 100 else { return nil }
        let prefix = text.first == UInt8(ascii: ".") ? "0" : ""
        return Double(prefix + String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

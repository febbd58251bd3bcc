import HTTPTypes

/// The directives of `Cache-Control` (RFC 9111 section 5.2), in a request or a response.
///
/// Invalid values are read conservatively: a lifetime that is not a number counts as zero, and if a
/// directive occurs twice, its stricter value counts (section 4.2.1).
struct CacheControl: Hashable, Sendable {
    private(set) var noStore = false
    private(set) var noCache = false
    private(set) var mustRevalidate = false
    private(set) var isPrivate = false
    private(set) var isPublic = false
    private(set) var immutable = false
    private(set) var onlyIfCached = false
    private(set) var mustUnderstand = false
    /// In seconds, as all values below.
    private(set) var maxAge: Int?
    private(set) var minFresh: Int?
    /// `Int.max` if any staleness is accepted.
    private(set) var maxStale: Int?
    /// RFC 5861.
    private(set) var staleWhileRevalidate: Int?
    private(set) var staleIfError: Int?

    init(_ headers: HTTPFields) {
        for value in headers[values: .cacheControl] {
            for (name, argument) in Self.directives(in: value) { add(name, argument) }
        }
    }

    private mutating func add(_ name: String, _ argument: String?) {
        switch name {
        case "no-store": noStore = true
        // With field names, `no-cache` only forbids the unvalidated use of those fields; applying
        // it to the whole response is safe.
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "private": isPrivate = true
        case "public": isPublic = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "must-understand": mustUnderstand = true
        case "max-age": maxAge = Self.smaller(maxAge, Self.seconds(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? Self.maxSeconds)
        case "max-stale":
            maxStale = Self.smaller(maxStale, argument == nil ? .max : Self.seconds(argument) ?? 0)
        case "stale-while-revalidate":
            staleWhileRevalidate = Self.smaller(staleWhileRevalidate, Self.seconds(argument) ?? 0)
        case "stale-if-error": staleIfError = Self.smaller(staleIfError, Self.seconds(argument) ?? 0)
        default: break
        }
    }

    private static func smaller(_ old: Int?, _ new: Int) -> Int { min(old ?? .max, new) }

    /// The value used for larger numbers of seconds (section 1.2.2).
    static let maxSeconds = 1 << 31

    /// Parses a number of seconds, which must consist of digits only.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(maxSeconds, Int(text) ?? maxSeconds)
    }

    /// The name, in lower case, and the argument of each directive. A comma within quotes does not
    /// end a directive.
    private static func directives(in value: String) -> [(name: String, argument: String?)] {
        // An unbalanced quote is not treated as a quote, so it cannot hide directives.
        let isBalanced = value.count { $0 == "\"" } % 2 == 0
        var parts: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"", isBalanced {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.compactMap { part in
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = pieces.first else { return nil }
            let name = first.trimmed.lowercased()
            guard !name.isEmpty else { return nil }
            guard pieces.count == 2 else { return (name, nil) }
            var argument = pieces[1].trimmedEnd
            if argument.count >= 2, argument.first == "\"", argument.last == "\"" {
                argument = argument.dropFirst().dropLast()
            }
            return (name, String(argument.trimmedEnd))
        }
    }
}

extension Substring {
    /// Without the spaces and tabs at both ends.
    var trimmed: Substring { drop { $0 == " " || $0 == "\t" }.trimmedEnd }

    fileprivate var trimmedEnd: Substring {
        var text = self
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

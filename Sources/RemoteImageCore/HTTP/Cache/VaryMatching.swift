import HTTPTypes

/// What `Vary` says of a response (RFC 9111 section 4.1).
enum VaryMatching {
    /// The names of fields in lower case; nil where `*`, or what is no name, says that no request is like another.
    static func names(in headers: HTTPFields) -> [String]? {
        var names: Set<String> = []
        for value in headers[values: .vary] {
            for part in value.split(separator: ",") {
                let spaces: Set<Character> = [" ", "\t"]
                let name = part.drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }.reversed()
                if name.isEmpty { continue }
                // One that cannot be read may mean any.
                guard let field = HTTPField.Name(String(name)), field.canonicalName != "*" else { return nil }
                names.insert(field.canonicalName)
            }
        }
        return names.sorted()
    }

    /// Hashes of the values that a request has of the fields that its response varies by.
    static func values(of request: HTTPFields, for headers: HTTPFields) -> [String: String] {
        var values: [String: String] = [:]
        for name in names(in: headers) ?? [] { values[name] = value(of: name, in: request) }
        return values
    }

    /// Whether a stored response was given for a request like this one.
    static func matches(_ response: StoredResponse, _ request: HTTPFields) -> Bool {
        guard let names = names(in: response.headers) else { return false }
        return names.allSatisfy { name in
            response.varying[name] == value(of: name, in: request)
                || name == HTTPField.Name.acceptLanguage.canonicalName
                    && AcceptLanguage(request).prefers(response.headers[.contentLanguage])
        }
    }

    /// A hash of all values of a field as one, spaces around commas left out; absent is unlike empty.
    private static func value(of name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = request[values: name]
        guard !values.isEmpty else { return nil }
        if name == .acceptLanguage, let text = AcceptLanguage(request).normalized { return SHA256.name(of: text) }
        let text = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { part in
                let start = part.drop { $0 == " " || $0 == "\t" }
                return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            .joined(separator: ",")
        return SHA256.name(of: text)
    }
}

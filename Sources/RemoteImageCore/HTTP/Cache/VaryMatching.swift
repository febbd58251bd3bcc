import HTTPTypes

/// Matches requests with the `Vary` header of stored responses (RFC 9111 section 4.1).
enum VaryMatching {
    /// The field names in lower case. `nil` for `*` and for invalid names, which no request
    /// matches.
    static func names(in headers: HTTPFields) -> [String]? {
        var names: Set<String> = []
        for value in headers[values: .vary] {
            for part in value.split(separator: ",") {
                let name = part.trimmed
                if name.isEmpty { continue }
                // An invalid name may stand for any field.
                guard let field = HTTPField.Name(String(name)), field.canonicalName != "*" else { return nil }
                names.insert(field.canonicalName)
            }
        }
        return names.sorted()
    }

    /// Hashes of the request's values for the fields that `Vary` names.
    static func values(of request: HTTPFields, for headers: HTTPFields) -> [String: String] {
        var values: [String: String] = [:]
        for name in names(in: headers) ?? [] { values[name] = value(of: name, in: request) }
        return values
    }

    /// Whether a stored response matches a request.
    static func matches(_ response: StoredResponse, _ request: HTTPFields) -> Bool {
        guard let names = names(in: response.headers) else { return false }
        return names.allSatisfy { name in
            response.varying[name] == value(of: name, in: request)
                || name == HTTPField.Name.acceptLanguage.canonicalName
                    && AcceptLanguage(request).prefers(response.headers[.contentLanguage])
        }
    }

    /// A hash of all values of a field, joined, without spaces around commas. An absent field
    /// differs from an empty one.
    private static func value(of name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = request[values: name]
        guard !values.isEmpty else { return nil }
        if name == .acceptLanguage, let text = AcceptLanguage(request).normalized { return SHA256.name(of: text) }
        let text = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map(\.trimmed).joined(separator: ",")
        return SHA256.name(of: text)
    }
}

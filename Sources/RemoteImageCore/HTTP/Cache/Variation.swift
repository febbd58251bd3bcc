import HTTPTypes

/// What `Vary` says of a response (RFC 9111 section 4.1).
enum Variation {
    /// The names of fields in lower case; nil where `*` says that no request is like another.
    static func names(in headers: HTTPFields) -> [String]? {
        var names: Set<String> = []
        for value in headers[values: .vary] {
            for part in value.split(separator: ",") {
                let name = part.filter { $0 != " " && $0 != "\t" }.lowercased()
                if name == "*" { return nil }
                if !name.isEmpty { names.insert(name) }
            }
        }
        return names.sorted()
    }

    /// The values that a request has of the fields that its response varies by.
    static func values(of request: HTTPFields, for headers: HTTPFields) -> [String: String] {
        var values: [String: String] = [:]
        for name in names(in: headers) ?? [] { values[name] = value(of: name, in: request) }
        return values
    }

    /// Whether a stored response was given for a request like this one.
    static func matches(_ response: StoredResponse, _ request: HTTPFields) -> Bool {
        guard let names = names(in: response.headers) else { return false }
        return names.allSatisfy { response.varying[$0] == value(of: $0, in: request) }
    }

    /// All values of a field as one, spaces around commas left out; absent is unlike empty.
    private static func value(of name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = request[values: name]
        guard !values.isEmpty else { return nil }
        return values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { part in
                let start = part.drop { $0 == " " || $0 == "\t" }
                return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            .joined(separator: ",")
    }
}

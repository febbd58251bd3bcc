import HTTPTypes

/// The languages of a request. Their case and the order of equal weights are not significant (RFC
/// 9110 section 12.5.4).
struct AcceptLanguage {
    /// Weights in thousandths by language in lower case; `nil` for an invalid header.
    private let weights: [String: Int]?

    init(_ request: HTTPFields) {
        var weights: [String: Int] = [:]
        for part in request[values: .acceptLanguage].flatMap({ $0.lowercased().split(separator: ",") }) {
            let pieces = part.filter { $0 != " " && $0 != "\t" }.split(separator: ";", omittingEmptySubsequences: false)
            if pieces.allSatisfy(\.isEmpty) { continue }
            let weight = pieces.count == 2 ? Self.weight(pieces[1]) : 1000
            guard let weight, pieces.count <= 2, !pieces[0].isEmpty, weights[String(pieces[0])] == nil else {
                self.weights = nil
                return
            }
            weights[String(pieces[0])] = weight
        }
        self.weights = weights
    }

    /// Parses `q=0.5` (RFC 9110 section 12.4.2).
    private static func weight(_ text: Substring) -> Int? {
        guard text.hasPrefix("q=") else { return nil }
        let number = text.dropFirst(2)
        let digits = number.filter { $0 != "." }
        guard let first = digits.first, "01".contains(first), (1...4).contains(digits.count),
            number.count == 1 || number.dropFirst().first == "." && number.count == digits.count + 1,
            let value = Int(digits + String(repeating: "0", count: 4 - digits.count)), value <= 1000
        else { return nil }
        return value
    }

    /// A normal form, equal for all spellings of the same languages; `nil` for an invalid header.
    var normalized: String? {
        weights.map { weights in
            weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key);\($0.value)" }
                .joined(separator: ",")
        }
    }

    /// Whether a response in this language has the highest weight, so that no other response could
    /// be better.
    func prefers(_ contentLanguage: String?) -> Bool {
        guard let weights, let language = contentLanguage?.lowercased(), let own = weights[language], own > 0 else {
            return false
        }
        return weights.allSatisfy { $0.key == language || $0.value < own }
    }
}

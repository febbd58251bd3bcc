import Foundation
import Testing

/// Compares the translated snippets with the number of lines of their originals, which a comment
/// above each translation states.
@Suite struct SnippetLengthTests {
    @Test(arguments: [("URLImage", 12), ("FetchImage", 8), ("SmartImages", 7), ("FlowImage", 3), ("NetworkImage", 14)])
    func `no translation is longer than its original`(page: String, expectedCount: Int) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(page)Tests.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        var snippet: (name: String, limit: Int, count: Int)?
        var snippetCount = 0
        for line in lines {
            if let match = line.firstMatch(of: #/^// Original: (.*), (\d+) lines?\b/#) {
                #expect(snippet == nil, "\(match.1) begins within another snippet")
                snippet = (String(match.1), try #require(Int(match.2)), 0)
                snippetCount += 1
            } else if line.hasPrefix("// Outcome"), let (name, limit, count) = snippet {
                #expect((1...limit).contains(count), "\(name): \(count) lines")
                snippet = nil
            } else if !line.hasPrefix("//") {
                snippet?.count += 1
            }
        }
        #expect(snippet == nil)
        #expect(snippetCount == expectedCount)
    }
}

import Foundation
import Testing

/// Compares the translated snippets with the number of lines of their originals, which a comment
/// above each translation states.
@Suite struct SnippetLengthTests {
    private static let files: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let other = folder.appending(path: "../../RemoteImageGtkTests/Seeds")
        return [folder, other].flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix("SnippetTests.swift") }.map { folder.appending(path: $0).path }
        }
    }()

    @Test func `all translations are found`() {
        #expect(Self.files.count == 10)
    }

    @Test(arguments: files)
    func `no translation is longer than its original`(file: String) throws {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        var snippet: (name: String, limit: Int, count: Int)?
        var snippetCount = 0
        for line in lines {
            if let match = line.firstMatch(of: #/^// Original: (.*), (\d+) lines?\b/#) {
                snippet = (String(match.1), try #require(Int(match.2)), 0)
                snippetCount += 1
            } else if line.hasPrefix("// Outcome"), let (name, limit, count) = snippet {
                #expect((1...limit).contains(count), "\(name): \(count) lines")
                snippet = nil
            } else if !line.hasPrefix("//") {
                snippet?.count += 1
            }
        }
        #expect(snippet == nil && snippetCount > 0)
    }
}

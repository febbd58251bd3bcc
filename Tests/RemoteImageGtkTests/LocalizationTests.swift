import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class LocalizationTests: XCTestCase {
    func testMessagesWithoutATranslationAreEnglish() {
        XCTAssertEqual(Localization.translated("Try again"), "Try again")
        XCTAssertEqual(ImageError(.timeout, "10 s").localizedDescription, "The server took too long")
    }

    func testTheTemplateContainsEveryErrorMessage() throws {
        let template = try String(contentsOfFile: Self.path("po/remote-image.pot"), encoding: .utf8)
        let errors = ImageError.Code.allCases.map { ImageError($0) } + (300..<600).map(ImageError.httpStatus)
        for error in errors {
            XCTAssertTrue(template.contains("msgid \"\(error.sentence)\""), error.sentence)
        }
    }

    func testTheTemplateContainsEveryTranslatedText() throws {
        let template = try String(contentsOfFile: Self.path("po/remote-image.pot"), encoding: .utf8)
        let folder = Self.path("Sources/RemoteImageGtk")
        var count = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
            let source = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for match in source.matches(of: /Localization\.translated\("([^"]+)"\)/) {
                count += 1
                XCTAssertTrue(template.contains("msgid \"\(match.1)\""), "\(name): \(match.1)")
            }
        }
        XCTAssertGreaterThan(count, 5)
    }

    func testEveryTextOfTheTemplateIsTranslatedIntoEachLanguage() throws {
        let texts = try Self.entries(of: "remote-image.pot")
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.path("po")).filter { $0.hasSuffix(".po") }
        XCTAssertGreaterThan(files.count, 25)
        for file in files {
            let translations = try Self.entries(of: file)
            XCTAssertEqual(Set(translations.keys).symmetricDifference(texts.keys), [], file)
            for (text, translation) in translations {
                XCTAssertNotEqual(translation, "", "\(file): \(text)")
                XCTAssertEqual(Self.placeholders(translation), Self.placeholders(text), "\(file): \(text)")
                XCTAssertEqual(Self.ending(translation), Self.ending(text), "\(file): \(text)")
            }
        }
    }

    /// The translations of a file of `po` by their texts. Fuzzy and obsolete entries fail the test.
    private static func entries(of file: String) throws -> [String: String] {
        let text = try String(contentsOfFile: path("po/\(file)"), encoding: .utf8)
        XCTAssertFalse(text.contains(/#~|#,.*fuzzy/), file)
        let entries = text.matches(of: /msgid "(.+)"\nmsgstr "(.*)"/).map { (String($0.1), String($0.2)) }
        XCTAssertEqual(entries.count, text.matches(of: /msgid "/).count - 1, "\(file): all entries but the header")
        return Dictionary(uniqueKeysWithValues: entries)
    }

    /// `%d`, `%1$s`, `{name}` and others, in alphabetical order.
    private static func placeholders(_ text: String) -> [String] {
        text.matches(of: /%[0-9$]*[a-z]+|\{\w*\}/).map { String($0.0) }.sorted()
    }

    /// The ellipsis or the period at the end, which Chinese and Japanese write as `。`.
    private static func ending(_ text: String) -> Character? {
        switch text.last {
        case ".", "。": "."
        case "…": "…"
        default: nil
        }
    }

    private static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/").dropLast(3).map(String.init)
        return "/" + (parts + [name]).joined(separator: "/")
    }
}

import TestSupport
import XCTest

@testable import RemoteImageGtk

final class LocalizationTests: XCTestCase {
    func testWithoutATranslationEnglishIsSpoken() {
        XCTAssertEqual(Localization.translated("Try again"), "Try again")
        XCTAssertEqual(ImageError(.timeout, "10 s").localizedMessage, "The server took too long (10 s)")
    }

    func testEverySentenceOfAnErrorIsInTheTemplate() throws {
        let template = try String(contentsOfFile: Self.path("remote-image.pot"), encoding: .utf8)
        for code in ImageError.Code.allCases {
            XCTAssertTrue(template.contains("msgid \"\(code.sentence)\""), code.sentence)
        }
    }

    func testEveryWordOfTheTemplateIsTranslatedIntoGerman() throws {
        let template = try String(contentsOfFile: Self.path("remote-image.pot"), encoding: .utf8)
        let german = try String(contentsOfFile: Self.path("de.po"), encoding: .utf8).components(separatedBy: "\n")
        for word in template.components(separatedBy: "\n") where word.hasPrefix("msgid \"") && word != "msgid \"\"" {
            let index = try XCTUnwrap(german.firstIndex(of: word), word)
            XCTAssertNotEqual(german[index + 1], "msgstr \"\"", word)
        }
    }

    private static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/").dropLast(3).map(String.init)
        return "/" + (parts + ["po", name]).joined(separator: "/")
    }
}

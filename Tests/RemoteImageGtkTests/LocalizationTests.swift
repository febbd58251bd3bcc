import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class LocalizationTests: XCTestCase {
    func testMessagesWithoutATranslationAreEnglish() {
        XCTAssertEqual(Localization.translated("Try again"), "Try again")
        XCTAssertEqual(ImageError(.timeout, "10 s").localizedMessage, "The server took too long")
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

    func testEveryTextOfTheTemplateIsTranslatedIntoGerman() throws {
        let template = try String(contentsOfFile: Self.path("po/remote-image.pot"), encoding: .utf8)
        let german = try String(contentsOfFile: Self.path("po/de.po"), encoding: .utf8).components(separatedBy: "\n")
        for word in template.components(separatedBy: "\n") where word.hasPrefix("msgid \"") && word != "msgid \"\"" {
            let index = try XCTUnwrap(german.firstIndex(of: word), word)
            XCTAssertNotEqual(german[index + 1], "msgstr \"\"", word)
        }
    }

    private static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/").dropLast(3).map(String.init)
        return "/" + (parts + [name]).joined(separator: "/")
    }
}

import ArgumentParser
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The names of written files.
struct NameTemplateTests {
    /// `rm *` takes the name `-rf.png` for an option.
    @Test(arguments: [
        ("http://test/-rf.jpg", "rf"), ("http://test/--.jpg", "image"), ("http://test/.profile", "image"),
        ("http://test/..", "image"), ("http://test/%2drf", "_2drf"), ("http://test/a\u{1B}[2J-.png", "a_[2J-"),
        ("http://test/_-rf", "_-rf"),
    ])
    func `a name begins with no dash and no dot and has no control characters`(address: String, name: String) {
        let name = name.replacing("[", with: "_")
        #expect(NameTemplate.name(for: address) == name)
    }

    @Test func `a name has at most 80 characters`() {
        let address = "http://test/\(String(repeating: "a", count: 90)).jpg"
        #expect(NameTemplate.name(for: address) == String(repeating: "a", count: 80))
    }

    @Test(arguments: [
        ("{name}", 3, 12, "cat"), ("{index}-{name}", 3, 12, "03-cat"), ("{index}", 7, 7, "7"),
        ("x{name}.{name}", 1, 1, "xcat.cat"),
    ])
    func `a template is filled with the place and the name`(
        template: String, index: Int, count: Int, name: String
    ) throws {
        #expect(try NameTemplate(template).name(for: "http://test/cat.jpg", index: index, of: count) == name)
    }

    @Test(arguments: [
        ("", "not empty"), ("a/{name}", "no /"), ("{host}-{name}", "not {host}."), ("{name", "not {."),
        ("{name}}", "not }."), (String(repeating: "a", count: 250), "255 bytes; these names may have 263"),
        ("{name}{name}{name}{name}", "255 bytes"),
    ])
    func `an invalid template is explained`(template: String, explanation: String) {
        let error = #expect(throws: ValidationError.self) { try NameTemplate(template) }
        #expect(error?.message.contains(explanation) == true)
    }
}

import Foundation
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The file names of `remote-image fetch --output`.
@Suite(.timeLimit(.minutes(5)))
struct OutputFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(into output: OutputFolder) async throws {
        try await output.write(TestImage().decoded, from: "http://test/a.jpg", size: nil)
    }

    @Test func `the numbers of equal names skip existing files`() async throws {
        for name in ["a.png", "a-3.png"] { try folder.write("old", to: name) }
        let output = try OutputFolder(folder.path)
        for _ in 0..<2 { try await write(into: output) }
        #expect(try folder.names() == ["a-2.png", "a-3.png", "a-4.png", "a.png"])
        for name in ["a.png", "a-3.png"] { #expect(try folder.read(name) == Array("old".utf8)) }
    }

    /// `rm *` takes the name `-rf.png` for an option.
    @Test(arguments: [
        ("http://test/-rf.jpg", "rf"), ("http://test/--.jpg", "image"), ("http://test/.profile", "image"),
        ("http://test/..", "image"), ("http://test/%2drf", "_2drf"), ("http://test/a\u{1B}[2J-.png", "a_[2J-"),
        ("http://test/_-rf", "_-rf"),
    ])
    func `a name begins with no dash and no dot and has no control characters`(address: String, name: String) {
        let name = name.replacing("[", with: "_")
        #expect(OutputFolder.name(for: address) == name)
    }

    /// Each file was once tried under all numbers from 1 on.
    @Test func `a number is tried once`() async throws {
        let output = try OutputFolder(folder.path)
        for _ in 0..<2 { try await write(into: output) }
        try FileManager.default.removeItem(atPath: folder.path("a.png"))
        try await write(into: output)
        #expect(try folder.names() == ["a-2.png", "a-3.png"])
    }
}

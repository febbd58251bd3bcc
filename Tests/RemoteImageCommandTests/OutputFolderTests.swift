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
        _ = try await output.write(TestImage().decoded, as: output.claim("a"), size: nil)
    }

    @Test func `the numbers of equal names skip existing files`() async throws {
        for name in ["a.png", "a-3.png"] { try folder.write("old", to: name) }
        let output = try OutputFolder(folder.path)
        for _ in 0..<2 { try await write(into: output) }
        #expect(try folder.names() == ["a-2.png", "a-3.png", "a-4.png", "a.png"])
        for name in ["a.png", "a-3.png"] { #expect(try folder.read(name) == Array("old".utf8)) }
    }

    /// The numbers once followed the order in which the images finished.
    @Test func `names are claimed in the order of the addresses, and no claim repeats another name`() throws {
        let output = try OutputFolder(folder.path)
        #expect(["a", "a", "a-2", "b", "a"].map(output.claim) == ["a", "a-2", "a-2-2", "b", "a-3"])
    }

    @Test func `a file that appears after the claim of its name is kept`() async throws {
        let output = try OutputFolder(folder.path, format: .jpeg)
        let name = output.claim("a")
        try folder.write("other", to: "a.jpg")
        let file = try await output.write(TestImage().decoded, as: name, size: nil)
        #expect(file.path == folder.path("a-2.jpg"))
        #expect(try folder.read("a.jpg") == Array("other".utf8))
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

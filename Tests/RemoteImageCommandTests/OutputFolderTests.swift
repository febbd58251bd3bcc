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

    @Test func `the folder and its files have the usual permissions`() async throws {
        let output = try OutputFolder(folder.path("new/deep"))
        try await write(into: output)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        let mask = try #require(line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0, radix: 8) })
        func mode(_ name: String) -> Int? {
            var status = stat()
            return stat(folder.path(name), &status) == 0 ? Int(status.st_mode & 0o777) : nil
        }
        for name in ["new", "new/deep"] { #expect(mode(name) == 0o777 & ~mask) }
        #expect(mode("new/deep/a.png") == 0o666 & ~mask)
    }

    @Test func `an image is scaled down to the longest side, and never up`() async throws {
        let output = try OutputFolder(folder.path)
        let image = TestImage(5, width: 40, height: 24).decoded
        for (side, width, height) in [(20, 20, 12), (39, 39, 23), (40, 40, 24), (41, 40, 24), (nil, 40, 24)]
            as [(Int?, Int, Int)]
        {
            let file = try await output.write(image, as: output.claim("a"), size: side)
            #expect(file.size == PixelSize(width: width, height: height))
            let bytes = try folder.read(String(file.path.split(separator: "/").last ?? ""))
            #expect(try ImageHeader.read(bytes).storedSize == file.size)
        }
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

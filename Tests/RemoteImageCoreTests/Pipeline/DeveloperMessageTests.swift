import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// Errors of programs say what to write instead.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct DeveloperMessageTests {
    private func error(of source: ImageSource, decoders: [any ImageDecoder]) async throws -> ImageError {
        let pipeline = ImagePipeline(ImagePipeline.Configuration(transport: FakeTransport(), decoders: decoders))
        return try #require(await #expect(throws: ImageError.self) { try await pipeline.image(for: source) })
    }

    @Test func `a pipeline without decoders names those that it needs`() async throws {
        let error = try await error(of: .bytes(TestImage().bytes, identity: "a"), decoders: [])
        #expect(error.code == .unsupportedFormat)
        #expect(error.detail?.contains("`decoders: .standard()`") == true)
    }

    @Test func `an unsupported format is not mistaken for missing decoders`() async throws {
        let gif = ImageSource.bytes(SampleImage.animatedGIF, identity: "a")
        let error = try await error(of: gif, decoders: [FakeDecoder()])
        #expect(error.detail == "gif")
    }

    @Test(arguments: ["file:///tmp/a.png", "FILE:///tmp/a.png", "file:a.png"])
    func `a file address as text names the source for files`(text: String) async throws {
        let error = try await error(of: ImageSource(text), decoders: [FakeDecoder()])
        #expect(error.code == .forbiddenScheme)
        #expect(error.detail?.hasPrefix(text) == true)
        #expect(error.detail?.hasSuffix("write .file(path)") == true)
        #expect(!error.message.contains(".file"))
    }

    @Test func `other forbidden schemes do not name the source for files`() async throws {
        let error = try await error(of: "ftp://test/a", decoders: [FakeDecoder()])
        #expect(error.detail == "ftp://test/a")
    }

    @Test(arguments: ["/tmp/a.png", "a.png", "../a.png", "~/a.png", "example.org/a.png", "//example.org/a.png"])
    func `text without a scheme names what to write for addresses and for files`(text: String) async throws {
        let error = try await error(of: ImageSource(text), decoders: [FakeDecoder()])
        #expect(error.code == .invalidURL)
        #expect(error.detail?.hasPrefix("not absolute: \(text)") == true)
        #expect(error.detail?.contains("https://") == true)
        #expect(error.detail?.hasSuffix("for a local file write .file(path)") == true)
        #expect(!error.message.contains(".file"))
    }

    @Test func `other invalid addresses name no remedy`() async throws {
        let error = try await error(of: "http://te st/a", decoders: [FakeDecoder()])
        #expect(error.detail == "bad host: http://te st/a")
        #expect(try await self.error(of: " ", decoders: [FakeDecoder()]).detail == "it is empty")
    }
}

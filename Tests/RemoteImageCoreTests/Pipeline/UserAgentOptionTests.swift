import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// The `User-Agent` of a pipeline. This file names header fields without importing HTTPTypes.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct UserAgentOptionTests {
    let transport = FakeTransport { _ in .ok(TestImage().bytes) }

    @Test func `the user agent of the pipeline is sent unless a header sets another one`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.userAgent = "viewer/2.0" }
        _ = try await pipeline.image(for: "http://test/a")
        let own: HTTPFields = [.userAgent: "special"]
        _ = try await pipeline.image(for: ImageRequest("http://test/b", options: ImageOptions(headers: own)))
        let sent = transport.transfers.map { $0.request.headers[.userAgent] }
        #expect(sent == ["viewer/2.0", "special"])
    }

    @Test func `another user agent finds the stored responses of the first`() async throws {
        let transport = FakeTransport { _ in .ok(TestImage().bytes, headers: [.cacheControl: "max-age=60"]) }
        let store = DictionaryStore()
        for agent in ["viewer/1.0", "viewer/2.0"] {
            let pipeline = ImagePipeline.test(transport) { ($0.userAgent, $0.responseStore) = (agent, store) }
            _ = try await pipeline.image(for: "http://test/a")
            await pipeline.finishWriting()
        }
        #expect(transport.transfers.map { $0.request.headers[.userAgent] } == ["viewer/1.0"])
    }

    @Test func `header fields have names of the program's own`() throws {
        let name = try #require(HTTPField.Name("X-Api-Key"))
        var options = ImageOptions()
        options.headers[name] = "secret"
        #expect(options.headers == [name: "secret"])
    }
}

import FlyingFox
import Foundation
import FoundationNetworking
import GalleryServer
import HTTPTypes
import RemoteImage
import Testing
import URLSessionLoader

/// Tests the pipeline over an HTTP client of the program, against the gallery's server.
@Suite(.timeLimit(.minutes(5)))
struct URLSessionLoaderTests {
    private func pipeline() -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            transport: URLSessionLoader(.ephemeral), decoders: .standard())
        configuration.retryPolicy = .never
        return ImagePipeline(configuration)
    }

    @Test func `images are loaded through a URLSession`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        let pipeline = pipeline()
        let image = try await pipeline.image(for: server.addresses[0])
        #expect(image.info.size == PixelSize(width: 480, height: 640))
        #expect(image.info.status == 200)
        #expect(image.info.address?.string == server.addresses[0])
        await server.stop()
    }

    @Test func `failures have the same error codes as with libcurl`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        let pipeline = pipeline()
        let missing = await #expect(throws: ImageError.self) { try await pipeline.image(for: server.addresses[8]) }
        #expect(missing?.code == .httpStatus)
        #expect(missing?.status == 404)
        await server.stop()
        let gone = await #expect(throws: ImageError.self) { try await pipeline.image(for: "http://127.0.0.1:1/x") }
        #expect(gone?.code == .connection)
    }

    @Test func `a transfer with a body above the limit is cancelled`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        var options = ImageOptions()
        options.transferLimits = TransferLimits()
        options.transferLimits?.maxBodyByteCount = 1000
        let request = ImageRequest(server.addresses[0], options: options)
        let error = await #expect(throws: ImageError.self) { try await pipeline().image(for: request) }
        #expect(error?.code == .tooLarge)
        await server.stop()
    }

    @Test func `cancelling ends the transfer`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        let pipeline = pipeline()
        // The fourth exhibit is slow.
        let task = pipeline.start(ImageRequest(server.addresses[3]))
        var hasBegun = false
        for await event in task.events {
            guard case .progress(let progress) = event, progress.completedByteCount > 0 else { continue }
            hasBegun = true
            task.cancel()
        }
        #expect(hasBegun)
        #expect(throws: ImageError.cancelled) { try task.result?.get() }
        await server.stop()
    }

    @Test func `credentials are sent only to the origin of the request`() async throws {
        let key = HTTPHeader("X-Api-Key")
        // Echoes the request headers.
        let other = try await TestServer { request in
            let said = [HTTPHeader("Accept"), .authorization, key].map { request.headers[$0] ?? "nothing" }
            return TestServer.Response(statusCode: .ok, body: Data(said.joined(separator: " ").utf8))
        }
        let first = try await TestServer { request in
            guard request.path != "/here" else {
                return TestServer.Response(statusCode: .ok, body: Data((request.headers[key] ?? "nothing").utf8))
            }
            let target = request.path == "/away" ? "\(other.base)/" : "/here"
            return TestServer.Response(statusCode: .found, headers: HTTPHeaders([.location: target]))
        }
        let name = try #require(HTTPField.Name("X-Api-Key"))
        let headers: HTTPFields = [.accept: "image/*", .authorization: "secret", name: "secret"]
        for (path, text) in [("/within", "secret"), ("/away", "image/* nothing nothing")] {
            var request = ImageRequest(first.base + path)
            request.options.headers = headers
            #expect(try await pipeline().data(for: request).bytes == Array(text.utf8))
        }
        await first.stop()
        await other.stop()
    }
}

/// A server on a free port of the loopback interface.
private struct TestServer {
    let base: String
    private let server: HTTPServer
    private let serving: Task<Void, Never>

    /// Types of FlyingFox, whose names swift-http-types also uses.
    typealias Request = FlyingFox.HTTPRequest
    typealias Response = FlyingFox.HTTPResponse

    init(_ answer: @escaping @Sendable (Request) async throws -> Response) async throws {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: ClosureHTTPHandler(answer))
        self.server = server
        serving = Task { try? await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
        base = "http://127.0.0.1:\(port)"
    }

    func stop() async {
        await server.stop()
        serving.cancel()
    }
}

// The snippets of the documentation of SmartImages (UIKit), translated. Above each translation
// stand the heading of the snippet and its number of lines of code, which the translation does not
// exceed.

import CRemoteImageGtk
import FlyingFox
import Foundation
import FoundationNetworking
import HTTPTypes
import RemoteImageGtk
import RemoteImageTesting
import Testing
import XCTest

private let planePlaceholder: LoadedImage = {
    let pixels = PixelBuffer.filled(with: .white, width: 4, height: 3)
    return LoadedImage(
        pixels: pixels, info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local))
}()

final class SmartImagesWidgetTests: XCTestCase {
    func testAViewOvertakesPrefetches() throws {
        try Fixture.run {
            $0.maxConcurrentTransfers = 2
        } body: { test in
            let prefetcher = ImagePrefetcher(pipeline: test.pipeline, maxCount: 5)
            prefetcher.start((0..<5).map { "https://apple.com/image_\($0)" })
            test.turn { test.server.requests.count == 2 }
            // Original: ImageDownloadQueue, second snippet, 3 lines.
            let imageView = RemoteImageView(NetworkImage("https://apple.com/image_99"))
            imageView.source = "https://apple.com/image_3"
            // Outcome.
            let widget = test.shown(imageView)
            test.turn { imageView.model.isLoading }
            try test.respond(with: gray(1))
            try test.respond(to: 3, with: gray(9))
            test.see(9, in: widget)
            XCTAssertEqual(test.server.requests[2].string, "https://apple.com/image_3")
            prefetcher.stopAll()
        }
    }

    func testPlaceholders() throws {
        try Fixture.run { test in
            let url = "https://example.org/plane.jpg"
            let column = Column {
                // Original: How to use, first snippet, 3 lines.
                NetworkImage(url, content: { Picture($0) }, placeholder: { Picture(planePlaceholder) }).expand()
                NetworkImage(url, content: { Picture($0) }, placeholder: {}).expand()
                NetworkImage(url).expand()
                // Outcome.
            }
            let widget = test.shown(column)
            let views = views(in: widget)
            test.see(255, in: views[0].content)
            XCTAssertNil(test.rendered(views[1].content))
            // Requests that begin before its end share the transfer.
            test.turn { views.count == 3 && views.allSatisfy(\.model.isLoading) }
            try test.respond(with: gray(9))
            for view in views { test.see(9, in: view.content) }
            XCTAssertEqual(test.server.requests.count, 1)
        }
    }

    func testPlaceholdersOfPictures() throws {
        try Fixture.run { test in
            let url = "https://example.org/plane.jpg"
            let pictures = (0..<3).map { _ in Widget(gtk_picture_new()) }
            let planeImageView = pictures[0].pointer
            let clearImageView = pictures[1].pointer
            let plainImageView = pictures[2].pointer
            // Original: How to use, first snippet, 3 lines.
            planeImageView.setImage(url, placeholder: .image(planePlaceholder))
            clearImageView.setImage(url, placeholder: .clear)
            plainImageView.setImage(url)
            // Outcome.
            test.shownByAParent(Column { for picture in pictures { picture.expand() } })
            test.see(255, in: pictures[0])
            for picture in pictures.dropFirst() { XCTAssertNil(test.rendered(picture)) }
            try test.respond(with: gray(9))
            for picture in pictures { test.see(9, in: picture) }
            XCTAssertEqual(test.server.requests.count, 1)
        }
    }

    func testThePlaceholderTheTransitionTheCompletionAndTheCancellationOfARequest() throws {
        try Fixture.run { test in
            let url = "https://example.org/plane.jpg"
            var results: [String] = []
            // Original: How to use, second snippet, 47 lines.
            let image = NetworkImage(url) { image in
                Picture(image)
            } placeholder: {
                Icon("image-loading-symbolic")
            }
            .transition(.crossFade)
            .onSuccess { results.append("\($0.info.size.width) pixels") }
            .onFailure { results.append($0.code.rawValue) }
            let imageView = RemoteImageView(image)
            let cancelImageRequest = { imageView.model.cancel() }
            let prefetcher = ImagePrefetcher(pipeline: test.pipeline)
            prefetcher.start(["https://example.org/next.jpg"])
            let download = test.pipeline.start(ImageRequest("https://example.org/headless.jpg"))
            // Outcome.
            test.turn { test.server.requests.count == 2 }
            test.shown(imageView)
            XCTAssertEqual(widgets(gtk_image_get_type(), in: imageView.content).count, 1)
            try test.respond(to: 3, with: gray(9, width: 12))
            test.turn { results == ["12 pixels"] }
            test.see(9, in: imageView.content)
            // What is requested again after a cancellation is a new request.
            imageView.source = "https://example.org/other.jpg"
            test.turn { test.server.requests.count == 4 }
            cancelImageRequest()
            test.turn { imageView.model.phase.kind == .empty }
            XCTAssertEqual(results, ["12 pixels"])
            imageView.model.load()
            prefetcher.stopAll()
            prefetcher.start(["https://example.org/next.jpg"])
            download.cancel()
            test.turn { test.server.requests.count == 6 && download.result != nil }
            XCTAssertThrowsError(try download.result?.get()) { XCTAssertEqual($0 as? ImageError, .cancelled) }
            let secondDownload = test.pipeline.start(download.request)
            test.turn { test.server.requests.count == 7 }
            secondDownload.cancel()
            prefetcher.stopAll()
        }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct SmartImagesTests {
    @Test func `images are prefetched, a few at a time`() async throws {
        let server = FakeImageServer(isPaused: true)
        let pipeline = ImagePipeline(fake: server)
        // Original: ImageDownloadQueue, first snippet, 3 lines.
        let imageDownloader = ImagePrefetcher(pipeline: pipeline, maxCount: 2)
        imageDownloader.start((0..<5).map { "https://apple.com/image_\($0)" })
        // Outcome.
        let addresses = try (0..<3).map { try WebAddress("https://apple.com/image_\($0)") }
        await server.requested(addresses[1])
        #expect(server.requests == Array(addresses.prefix(2)))
        server[addresses[1]] = gray(9)
        server.release(addresses[1])
        await server.requested(addresses[2])
        #expect(server.requests == addresses)
    }

    @Test func `the requests of a program's own network layer`() async throws {
        /// The network layer of a program.
        struct RequestManager: Sendable {
            func request(_ address: String, headers: HTTPFields) async throws -> (status: Int, body: [UInt8]) {
                address == "https://example.org/cat.gif" ? (200, whiteGIF) : (404, [])
            }
        }
        // Original: How to use with SmartNetwork, 33 lines.
        struct NetworkAdaptor: Transport {
            let leavesRedirects = true
            let manager: RequestManager

            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
                do {
                    let answer = try await manager.request(request.address.string, headers: request.headers)
                    try receiver.receive(TransferHead(status: answer.status, address: request.address))
                    try receiver.receive(answer.body)
                } catch {
                    throw .connection(error)
                }
            }
        }
        let transport = NetworkAdaptor(manager: RequestManager())
        var configuration = ImagePipeline.Configuration(transport: transport, decoders: .standard())
        configuration.maxConcurrentTransfers = 8
        let pipeline = ImagePipeline(configuration)
        // Outcome.
        #expect(try await pipeline.image(for: "https://example.org/cat.gif").gray == 255)
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: "https://example.org/dog") }
        #expect(error?.status == 404)
    }

    @Test func `the requests of a URLSession`() async throws {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
            handler: ClosureHTTPHandler { _ in FlyingFox.HTTPResponse(statusCode: .ok, body: Data(whiteGIF)) })
        let serving = Task { try await server.run() }
        defer { serving.cancel() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
        // Original: How to use with URLSession, 38 lines.
        struct SessionAdaptor: Transport {
            let leavesRedirects = true
            let session = URLSession(configuration: .ephemeral)

            func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
                do {
                    guard let url = URL(string: request.address.string) else { throw URLError(.badURL) }
                    var urlRequest = URLRequest(url: url)
                    for field in request.headers {
                        urlRequest.addValue(field.value, forHTTPHeaderField: "\(field.name)")
                    }
                    let (body, head) = try await session.data(for: urlRequest)
                    let status = (head as? HTTPURLResponse)?.statusCode ?? 0
                    try receiver.receive(TransferHead(status: status, address: request.address))
                    try receiver.receive(body)
                } catch {
                    throw .connection(error)
                }
            }
        }
        let pipeline = ImagePipeline(.init(transport: SessionAdaptor(), decoders: .standard()))
        // Outcome.
        #expect(try await pipeline.image(for: "http://127.0.0.1:\(port)/cat.gif").gray == 255)
    }
}

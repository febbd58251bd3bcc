// The snippets of the documentation of SmartImages (UIKit) that show no view, translated. Above
// each translation stand the heading of the snippet and its number of lines of code, which the
// translation does not exceed.

import Foundation
import FoundationNetworking
import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct SmartImagesSnippetTests {
    @Test func `images are prefetched, a few at a time`() async throws {
        let transport = FakeTransport()
        let pipeline = ImagePipeline.test(transport)
        // Original: ImageDownloadQueue, first snippet, 3 lines.
        let imageDownloader = ImagePrefetcher(pipeline: pipeline, maxCount: 2)
        imageDownloader.start((0..<5).map { "https://apple.com/image_\($0)" })
        // Outcome.
        try await transport.started(count: 2).succeed(TestImage().bytes)
        try await transport.started(count: 3)
        #expect(transport.addresses == (0..<3).map { "https://apple.com/image_\($0)" })
    }

    @Test func `the requests of a program's own network layer`() async throws {
        /// The network layer of a program.
        struct RequestManager: Sendable {
            func request(_ address: String, headers: HTTPFields) async throws -> (status: Int, body: [UInt8]) {
                address == "https://example.org/cat.jpg" ? (200, TestImage(7).bytes) : (404, [])
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
        var configuration = ImagePipeline.Configuration(transport: transport, decoders: [FakeDecoder()])
        configuration.maxConcurrentTransfers = 8
        let pipeline = ImagePipeline(configuration)
        // Outcome.
        #expect(try await pipeline.image(for: "https://example.org/cat.jpg").content == 7)
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: "https://example.org/dog") }
        #expect(error?.status == 404)
    }

    @Test func `the requests of a URLSession`() async throws {
        let origin = try RawOrigin()
        origin.respond(to: "/cat.jpg", with: .ok(TestImage(7).bytes))
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
        let pipeline = ImagePipeline(.init(transport: SessionAdaptor(), decoders: [FakeDecoder()]))
        // Outcome.
        #expect(try await pipeline.image(for: origin.address("/cat.jpg")).content == 7)
    }
}

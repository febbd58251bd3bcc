import Foundation
import GalleryServer
import RemoteImagePixbuf
import Testing
import URLSessionTransport

/// The pipeline over a transport that an application brought, against the gallery's server.
@Suite(.timeLimit(.minutes(5)))
struct URLSessionTransportTests {
    private func pipeline() -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            transport: URLSessionTransport(configuration: .ephemeral), decoders: [PixbufDecoder()])
        configuration.retryPolicy = StandardRetryPolicy.never
        return ImagePipeline(configuration)
    }

    @Test func `pictures come through a session of Foundation's`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        let pipeline = pipeline()
        let image = try await pipeline.image(for: server.addresses[0])
        #expect(image.info.size == PixelSize(width: 480, height: 640))
        #expect(image.info.status == 200)
        #expect(image.info.address?.string == server.addresses[0])
        await server.stop()
    }

    @Test func `failures have the codes that they have with libcurl`() async throws {
        let server = try await GalleryServer.generated(count: 20)
        let pipeline = pipeline()
        let missing = await #expect(throws: ImageError.self) { try await pipeline.image(for: server.addresses[8]) }
        #expect(missing?.code == .httpStatus)
        #expect(missing?.status == 404)
        await server.stop()
        let gone = await #expect(throws: ImageError.self) { try await pipeline.image(for: "http://127.0.0.1:1/x") }
        #expect(gone?.code == .connection)
    }

    @Test func `a body that is too large is given up`() async throws {
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
        // The fourth comes slowly.
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
}

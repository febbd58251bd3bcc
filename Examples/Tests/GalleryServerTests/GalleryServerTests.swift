import GalleryServer
import RemoteImage
import Testing

/// Tests the images of the gallery's server as a client sees them.
@Suite(.timeLimit(.minutes(5)))
struct GalleryServerTests {
    private func withServer(_ body: (GalleryServer, ImagePipeline) async throws -> Void) async throws {
        let server = try await GalleryServer.generated(count: 60)
        try await body(server, ImagePipeline(ImagePipeline.Configuration(decoders: .standard())))
        await server.stop()
    }

    @Test func `paintings have the size that they declare`() async throws {
        try await withServer { server, pipeline in
            for number in 0..<14 {
                let image = try await pipeline.image(for: server.address(of: .image(number)))
                #expect(image.info.size == Painting(number: number).size)
            }
        }
    }

    @Test func `a small painting has an eighth of each side`() async throws {
        try await withServer { server, pipeline in
            let image = try await pipeline.image(for: server.address(of: .small(3)))
            #expect(image.info.size == PixelSize(width: 150, height: 100))
        }
    }

    @Test func `portraits and patterns are squares of a fixed size`() async throws {
        try await withServer { server, pipeline in
            let portrait = try await pipeline.image(for: server.address(of: .portrait(5)))
            #expect(portrait.info.size == PixelSize(width: 256, height: 256))
            let pattern = try await pipeline.image(for: server.address(of: .pattern(5)))
            #expect(pattern.info.size == PixelSize(width: 480, height: 480))
        }
    }

    @Test(arguments: 0..<8) func `stickers are animations`(number: Int) async throws {
        try await withServer { server, pipeline in
            let image = try await pipeline.image(for: server.address(of: .moving(number)))
            #expect(image.info.size == PixelSize(width: 168, height: 168))
            #expect(image.animation != nil)
        }
    }

    @Test func `paintings and people have the same texts in each run`() {
        #expect(Painting(number: 17).title == "Table mountains at noon")
        #expect(Painting(number: 17).photographer == Person(number: 17).name)
        #expect((0..<60).allSatisfy { !Painting(number: $0).title.isEmpty && !Person(number: $0).name.isEmpty })
    }
}

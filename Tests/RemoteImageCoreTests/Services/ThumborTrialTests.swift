import Glibc
import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Loads images from a real thumbor, which `Tests/Trials/thumbor_trial.py` starts.
@Suite(.timeLimit(.minutes(10)), .enabled(if: variable("REMOTE_IMAGE_THUMBOR") != nil))
struct ThumborTrialTests {
    private static let count = 300
    private let server = ThumborServer(
        variable("REMOTE_IMAGE_THUMBOR") ?? "", key: variable("REMOTE_IMAGE_THUMBOR_KEY"))

    private func pipeline() -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            transport: CurlTransport(.direct), decoders: .standard(), memoryCache: MemoryCache())
        configuration.responseStore = DictionaryStore()
        return ImagePipeline(configuration)
    }

    private static var paths: [String] { (0..<count).map { "photo \($0).jpg" } }

    @Test(arguments: [1, 2])
    func `a grid of 300 images moves at most 20 percent of the originals`(scale: Int) async throws {
        let pipeline = pipeline()
        let target = TargetSize(PixelSize(width: 160 * scale, height: 160 * scale), fit: .cover)
        var (moved, originals) = (0, 0)
        for path in Self.paths {
            let request = ImageRequest(server.image(path, aspectRatio: 4.0 / 3), target: target)
            let image = try await pipeline.image(for: request)
            #expect(target.isCovered(by: image.info.decodedSize))
            moved += try await pipeline.data(for: request).bytes.count
            let folder = try #require(variable("REMOTE_IMAGE_THUMBOR_FOLDER"))
            originals += try FileBytes.read(FilePath("\(folder)/\(path)"), limit: .max).0.count
        }
        let percent = Double(moved) * 100 / Double(originals)
        print("\(Self.count) images at 160 points, scale \(scale): \(moved) of \(originals) bytes,", terminator: " ")
        print("\((percent * 10).rounded() / 10) %")
        #expect(percent <= 20)
    }

    @Test func `a smart crop has its shape`() async throws {
        let image = try await pipeline().image(
            for: ImageRequest(
                server.image("photo 0.jpg", crop: .smart(aspectRatio: 0.5)), target: .longestSide(216)))
        #expect(image.info.size == PixelSize(width: 108, height: 216))
    }

    @Test func `filters are applied`() async throws {
        let image = try await pipeline().image(
            for: ImageRequest(server.image("photo 1.jpg", filters: ["format(png)"]), target: .longestSide(64)))
        #expect(image.info.format == .png)
    }

    @Test func `a name with special characters is found`() async throws {
        let image = try await pipeline().image(
            for: ImageRequest(server.image("a/é 100%?#&.jpg"), target: .longestSide(64)))
        #expect(image.info.size == PixelSize(width: 64, height: 48))
    }

    @Test func `a wrong key is refused`() async {
        let wrong = ThumborServer(variable("REMOTE_IMAGE_THUMBOR") ?? "", key: "wrong")
        for server in [wrong, ThumborServer(variable("REMOTE_IMAGE_THUMBOR") ?? "")] {
            await #expect { try await pipeline().image(for: ImageRequest(server.image("photo 0.jpg"))) } throws: {
                ($0 as? ImageError)?.status == 400
            }
        }
    }
}

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

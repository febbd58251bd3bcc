import RemoteImage
import Testing

/// Tests a program in a separate package whose only dependency is the library.
@Suite struct IsolationTests {
    @Test func `a program that is built with the library decodes in a confined process`() async throws {
        var configuration = ImagePipeline.Configuration(decoders: .standard(isolation: .required))
        configuration.memoryCache = nil
        let white = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
        let image = try await ImagePipeline(configuration).image(for: ImageRequest(white))
        #expect(image.info.decoder == "gif")
        #expect(image.info.isIsolated)
    }
}

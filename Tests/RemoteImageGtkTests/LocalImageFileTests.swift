import CRemoteImageGtk
import RemoteImageGtk
import RemoteImageTestSupport
import XCTest

final class LocalImageFileTests: XCTestCase {
    func testTheAddressIsThatOfAFileWithTheBytesOfTheImage() throws {
        try GtkFixture.run { test in
            // No widget has installed it if this is the first test.
            try MainLoop.install()
            let folder = try TemporaryFolder()
            let pipeline = ImagePipeline.test(test.transport) {
                $0.responseStore = DiskCache(path: folder.path("Ann’s music"))
            }
            var file: LocalImageFile?
            let loading = Task { file = try await pipeline.localFile(for: ImageRequest("http://test/a.png")) }
            try test.transfer().succeed(TestImage(1).bytes)
            test.turn { file != nil }
            let found = try XCTUnwrap(file)
            XCTAssertTrue(found.address.hasPrefix("file:///"))
            XCTAssertTrue(found.address.contains("Ann%E2%80%99s%20music"))
            let name = "Ann’s music" + found.path.components(separatedBy: "music")[1]
            try withExtendedLifetime((loading, found)) {
                XCTAssertEqual(try folder.read(name), TestImage(1).bytes)
            }
        }
    }
}

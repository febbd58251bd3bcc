import RemoteImageTestSupport
import XCTest

@testable import RemoteImageGtk

final class NetworkReturnTests: XCTestCase {
    /// The second retry itself waits for two seconds.
    func testEachRetryInARowDoublesTheDelayOfTheNext() {
        GtkFixture.run { test in
            let network = NetworkConditions()
            let retries = NetworkReturn()
            var delays = [retries.delay]
            for count in 1...2 {
                retries.follow(.failure(ImageError(.connection)), on: network) { delays.append(retries.delay) }
                (network.isConnected, network.isConnected) = (false, true)
                test.turn { delays.count == count + 1 }
            }
            XCTAssertEqual(delays, [.zero, .seconds(2), .seconds(4)])
        }
    }

    /// The retry that waited would otherwise take the place of the next one.
    func testARetryThatWaitsEndsWithTheFailure() {
        GtkFixture.run { test in
            let network = NetworkConditions()
            let retries = NetworkReturn()
            var calls: [String] = []
            @MainActor func fail(_ name: String) {
                retries.follow(.failure(ImageError(.connection)), on: network) { calls.append(name) }
                (network.isConnected, network.isConnected) = (false, true)
            }
            fail("first")
            test.turn { calls == ["first"] }
            fail("waits for two seconds")
            test.settle()
            XCTAssertEqual(calls, ["first"])
            let size = PixelSize(width: 2, height: 2)
            let image = LoadedImage(
                pixels: .quarters(width: 2, height: 2),
                info: ImageInfo(size: size, decodedSize: size, format: nil, origin: .network))
            retries.follow(.success(image), on: network) { calls.append("after a success") }
            fail("last")
            test.turn { calls.count > 1 }
            XCTAssertEqual(calls, ["first", "last"])
        }
    }
}

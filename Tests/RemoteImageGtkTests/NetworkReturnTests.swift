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
}

// Stored bytes whose content does not matter, for the tests of a store's size.

import Foundation
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

extension DiskCache {
    func store(_ byteCount: Int, under key: String) throws {
        let response = StoredResponse(
            status: 200, headers: [:], address: try WebAddress("http://test/\(key)"), requestTime: 1, responseTime: 2)
        store(response, body: [UInt8](repeating: 1, count: byteCount), for: key) { _ in true }
    }

    /// Stores a resized image of an entry.
    func storeResized(_ byteCount: Int, under key: String) throws {
        let response = try #require(responses(for: key).first)
        let description = ResizedImage.Description(
            size: PixelSize(width: 10, height: 20), originalSize: PixelSize(width: 100, height: 200),
            originalFormat: .png)
        store(ResizedImage(description, data: [UInt8](repeating: 1, count: byteCount)), of: response, for: key)
    }

    var keys: Set<String> { Set(all().map(\.key)) }
}

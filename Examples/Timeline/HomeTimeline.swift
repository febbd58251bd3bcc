import Foundation
import FoundationNetworking
import RemoteImageGtk

/// The pages of the home timeline (docs.joinmastodon.org/methods/timelines#home).
struct HomeTimeline: Sendable {
    struct Page: Sendable {
        let statuses: [Status]
        /// The address of the page with older statuses; `nil` if there is none.
        let older: URL?
    }

    let first: URL
    private let session: Session

    init(_ server: URL, _ session: Session) {
        first = server.appending(path: "api/v1/timelines/home")
        self.session = session
    }

    /// The page at an address that another page has given; by default the newest.
    func page(at address: URL? = nil) async throws -> Page {
        let credential = try await session.credential()
        var (data, response) = try await get(address ?? first, credential)
        if response.statusCode == 401 {
            (data, response) = try await get(address ?? first, session.credential(replacing: credential))
        }
        guard response.statusCode == 200 else { throw ImageError(.httpStatus, status: response.statusCode) }
        return Page(
            statuses: try JSONDecoder.mastodon.decode([Status].self, from: data),
            older: response.value(forHTTPHeaderField: "Link").flatMap(Self.next))
    }

    private func get(_ address: URL, _ credential: String) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue(credential, forHTTPHeaderField: "Authorization")
        return try await URLSession.shared.response(to: request)
    }

    /// The address of the next page in a `Link` header (RFC 8288 section 3).
    private static func next(in links: String) -> URL? {
        links.firstMatch(of: /<([^>]*)>; *rel="next"/).flatMap { URL(string: String($0.1)) }
    }
}

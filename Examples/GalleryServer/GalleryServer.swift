import FlyingFox
import Foundation
import RemoteImagePixbuf

/// An image server on a free port of the loopback interface: pictures that it makes itself, or those of a folder.
public final class GalleryServer: Sendable {
    /// What is asked for, one after the other.
    public let addresses: [String]

    private let server: HTTPServer
    private let serving: Task<Void, Never>

    /// Serves `count` pictures of its own. Returns once the server answers.
    public static func generated(count: Int) async throws -> GalleryServer {
        let handler = ExhibitHandler(count: count)
        return try await GalleryServer(handler: handler) { base in
            (1...count).map { "\(base)/exhibit/\($0)" }
        }
    }

    /// Serves the pictures of a folder. Returns once the server answers.
    public static func folder(_ folder: PictureFolder) async throws -> GalleryServer {
        try await GalleryServer(handler: FolderHandler(folder: folder)) { base in
            folder.files.enumerated().map { index, file in
                // The name is for those who read the address; the number is what counts.
                let name = file.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
                return "\(base)/file/\(index)/\(name ?? "")"
            }
        }
    }

    private init(handler: some HTTPHandler, addresses: (_ base: String) -> [String]) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
        self.server = server
        serving = Task { try? await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else {
            throw GalleryServerError(description: "The gallery's server has no port.")
        }
        self.addresses = addresses("http://127.0.0.1:\(port)")
    }

    public func stop() async {
        await server.stop()
        serving.cancel()
    }
}

/// Why there is no server.
public struct GalleryServerError: Error, CustomStringConvertible {
    public let description: String
}

/// The last parts of a path such as `/exhibit/17`.
private func number(in path: String, after prefix: String) -> Int? {
    guard path.hasPrefix(prefix) else { return nil }
    return path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).first
        .flatMap { Int($0) }
}

private struct FolderHandler: HTTPHandler {
    let folder: PictureFolder

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let number = number(in: request.path, after: "/file/"), folder.files.indices.contains(number) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let file = folder.files[number]
        // A file that went away since is a 404, and no reason to stop.
        guard let body = try? HTTPBodySequence(file: file, suggestedBufferSize: 65_536) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let headers = [HTTPHeader.contentType: PictureFolder.contentType(of: file) ?? "application/octet-stream"]
        return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body)
    }
}

private actor ExhibitHandler: HTTPHandler {
    private let count: Int
    /// Flaky exhibits that have failed once.
    private var recovered: Set<Int> = []

    init(count: Int) {
        self.count = count
    }

    nonisolated func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let number = number(in: request.path, after: "/exhibit/"), (1...count).contains(number) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let picture = NumberedPicture(number: number)
        switch Exhibit(number: number) {
        case .picture:
            return response(picture, HTTPBodySequence(data: Data(try picture.encoded()), suggestedBufferSize: 65_536))
        case .slow:
            let bytes = try picture.encoded()
            let trickle = Trickle(bytes: bytes, pieceCount: 20, pause: .milliseconds(100))
            return response(picture, HTTPBodySequence(from: trickle, count: bytes.count, suggestedBufferSize: 65_536))
        case .flaky:
            guard await recover(number) else { return HTTPResponse(statusCode: .serviceUnavailable) }
            return response(picture, HTTPBodySequence(data: Data(try picture.encoded()), suggestedBufferSize: 65_536))
        case .missing:
            return HTTPResponse(statusCode: .notFound)
        case .text:
            return response(picture, HTTPBodySequence(data: Data("There is no picture here.\n".utf8)))
        case .emptyBody:
            return response(picture, HTTPBodySequence(data: Data()))
        case .truncated:
            let bytes = try picture.encoded()
            return response(picture, HTTPBodySequence(data: Data(bytes.prefix(bytes.count / 2))))
        case .enormous:
            return response(picture, HTTPBodySequence(data: Data(Self.enormousHeader)))
        }
    }

    /// Whether it has failed before.
    private func recover(_ number: Int) -> Bool {
        !recovered.insert(number).inserted
    }

    private nonisolated func response(_ picture: NumberedPicture, _ body: HTTPBodySequence) -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok, headers: [.contentType: picture.contentType, .cacheControl: "max-age=3600"], body: body)
    }

    /// The signature and header chunk of a PNG of 60,000 × 60,000 pixels (PNG third edition, section 11.2.1).
    private static let enormousHeader: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0, 0x58, 0x5E, 0x21, 0x95]
}

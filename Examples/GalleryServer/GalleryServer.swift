import FlyingFox
import Foundation
import RemoteImage

/// An image server on a free port of the loopback interface. It serves generated images or those of
/// a folder.
public final class GalleryServer: Sendable {
    /// The addresses of the images, in order.
    public let addresses: [String]

    private let base: String
    private let server: HTTPServer
    private let serving: Task<Void, Never>
    private let exhibits: ExhibitHandler?

    /// Serves `count` generated images. Returns when the server is listening.
    public static func generated(count: Int) async throws -> GalleryServer {
        let handler = ExhibitHandler(count: count)
        return try await GalleryServer(handler: handler, exhibits: handler) { base in
            (1...count).map { "\(base)/exhibit/\($0)" }
        }
    }

    /// Serves the images of a folder. Returns when the server is listening.
    public static func folder(_ folder: ImageFolder) async throws -> GalleryServer {
        try await GalleryServer(handler: FolderHandler(folder: folder)) { base in
            folder.files.enumerated().map { index, file in
                // The name only makes the address readable; the server uses the number.
                let name = file.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
                return "\(base)/file/\(index)/\(name ?? "")"
            }
        }
    }

    private init(
        handler: some HTTPHandler, exhibits: ExhibitHandler? = nil, addresses: (_ base: String) -> [String]
    ) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
        self.server = server
        serving = Task { try? await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else {
            throw GalleryServerError(description: "The gallery's server could not bind a port.")
        }
        base = "http://127.0.0.1:\(port)"
        self.exhibits = exhibits
        self.addresses = addresses(base)
    }

    /// The address of a generated image.
    public func address(of path: GalleryPath) -> String { base + path.text }

    /// Sets the speed and the failures of the server. It has no effect on a server for a folder.
    public func setBehaviour(_ behaviour: ServerBehaviour) async {
        await exhibits?.setBehaviour(behaviour)
    }

    public func stop() async {
        await server.stop()
        serving.cancel()
    }
}

/// The reason why a server could not be started.
public struct GalleryServerError: Error, CustomStringConvertible {
    public let description: String
}

/// The number that follows `prefix` in a path, for example 17 in `/exhibit/17`.
private func number(in path: String, after prefix: String) -> Int? {
    guard path.hasPrefix(prefix) else { return nil }
    return path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).first
        .flatMap { Int($0) }
}

private struct FolderHandler: HTTPHandler {
    let folder: ImageFolder

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let number = number(in: request.path, after: "/file/"), folder.files.indices.contains(number) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let file = folder.files[number]
        // A file that was removed since gets status 404.
        guard let body = try? HTTPBodySequence(file: file, suggestedBufferSize: 65_536) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let headers = [HTTPHeader.contentType: ImageFolder.contentType(of: file) ?? "application/octet-stream"]
        return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body)
    }
}

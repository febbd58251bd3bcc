import FlyingFox
import Foundation
import RemoteImagePixbuf

/// An image server on a free port of the loopback interface: images that it makes itself, or those of a folder.
public final class GalleryServer: Sendable {
    /// What is asked for, one after the other.
    public let addresses: [String]

    private let base: String
    private let server: HTTPServer
    private let serving: Task<Void, Never>
    private let exhibits: ExhibitHandler?

    /// Serves `count` images of its own. Returns once the server answers.
    public static func generated(count: Int) async throws -> GalleryServer {
        let handler = ExhibitHandler(count: count)
        return try await GalleryServer(handler: handler, exhibits: handler) { base in
            (1...count).map { "\(base)/exhibit/\($0)" }
        }
    }

    /// Serves the images of a folder. Returns once the server answers.
    public static func folder(_ folder: ImageFolder) async throws -> GalleryServer {
        try await GalleryServer(handler: FolderHandler(folder: folder)) { base in
            folder.files.enumerated().map { index, file in
                // The name is for those who read the address; the number is what counts.
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
            throw GalleryServerError(description: "The gallery's server has no port.")
        }
        base = "http://127.0.0.1:\(port)"
        self.exhibits = exhibits
        self.addresses = addresses(base)
    }

    /// Where something is that the server makes itself.
    public func address(of path: GalleryPath) -> String { base + path.text }

    /// How well the server does from now on. That of a folder always does its best.
    public func setBehaviour(_ behaviour: ServerBehaviour) async {
        await exhibits?.setBehaviour(behaviour)
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
    let folder: ImageFolder

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let number = number(in: request.path, after: "/file/"), folder.files.indices.contains(number) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let file = folder.files[number]
        // A file that went away since is a 404, and no reason to stop.
        guard let body = try? HTTPBodySequence(file: file, suggestedBufferSize: 65_536) else {
            return HTTPResponse(statusCode: .notFound)
        }
        let headers = [HTTPHeader.contentType: ImageFolder.contentType(of: file) ?? "application/octet-stream"]
        return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(headers), body: body)
    }
}

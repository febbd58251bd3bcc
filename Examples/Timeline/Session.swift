import Foundation
import FoundationNetworking
import RemoteImageGtk

/// The tokens of the account. A refresh token can be used only once, so all requests whose token
/// was refused wait for the same refresh.
actor Session {
    private struct Tokens: Codable {
        let accessToken, refreshToken: String
        var credential: String { "Bearer \(accessToken)" }
    }

    private let server: URL
    private let file: StoredFile<Tokens>
    private var tokens: Tokens?
    private var refresh: Task<Tokens, any Error>?

    init(_ server: URL) {
        self.server = server
        file = StoredFile("session", of: server)
        tokens = file.read()
    }

    /// The `Authorization` header for a request: another one than `refused`.
    func credential(replacing refused: String? = nil) async throws -> String {
        if let tokens, tokens.credential != refused { return tokens.credential }
        if let refresh { return try await refresh.value.credential }
        let task = Task { try await request() }
        refresh = task
        defer { refresh = nil }
        return try await task.value.credential
    }

    private func request() async throws -> Tokens {
        var granted: Tokens?
        if let tokens {
            granted = try await grant(["grant_type": "refresh_token", "refresh_token": tokens.refreshToken])
        }
        // At the first start, or if the server has ended the session.
        if granted == nil {
            granted = try await grant(["grant_type": "authorization_code", "code": readLine() ?? ""])
        }
        guard let granted else { throw ImageError(.httpStatus, status: 400) }
        tokens = granted
        // A program for users keeps its tokens in the keyring instead.
        file.write(granted)
        return granted
    }

    /// The characters that are not encoded (RFC 3986 section 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// `nil` if the server does not accept the code or the refresh token (RFC 6749 section 5.2).
    private func grant(_ form: [String: String]) async throws -> Tokens? {
        var request = URLRequest(url: server.appending(path: "oauth/token"))
        request.httpMethod = "POST"
        let fields = form.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")" }
        request.httpBody = Data(fields.joined(separator: "&").utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await URLSession.shared.response(to: request)
        if response.statusCode == 400 { return nil }
        guard response.statusCode == 200 else { throw ImageError(.httpStatus, status: response.statusCode) }
        return try JSONDecoder.mastodon.decode(Tokens.self, from: data)
    }
}

extension URLSession {
    /// The body and the head of a response. If the server cannot be reached, the error says so, and
    /// stored images are shown.
    func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (data, response) = try await data(for: request)
            if let response = response as? HTTPURLResponse { return (data, response) }
            throw ImageError(.protocol)
        } catch let error as URLError where error.code != .cancelled {
            throw ImageError(.connection, error.localizedDescription)
        }
    }
}

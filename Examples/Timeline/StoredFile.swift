import Foundation

/// A value in a JSON file of the program, which only the user can read. Each host has its own:
/// another one must neither receive the tokens nor stand beside the posts.
struct StoredFile<Value: Codable & Sendable>: Sendable {
    private let address: URL

    init(_ name: String, of server: URL) {
        let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        address = folder.appending(path: "org.example.Timeline/\(name)-\(server.host() ?? "").json")
    }

    /// `nil` if there is no file, or not one that can be read.
    func read() -> Value? {
        try? JSONDecoder.mastodon.decode(Value.self, from: Data(contentsOf: address))
    }

    func write(_ value: Value) {
        let files = FileManager.default
        do {
            let folder = address.deletingLastPathComponent()
            try files.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try JSONEncoder.mastodon.encode(value).write(to: address, options: .atomic)
        } catch {
            print("\(address.path()) cannot be written: \(error.localizedDescription)")
        }
    }
}

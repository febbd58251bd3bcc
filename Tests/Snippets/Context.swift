// What the Swift code blocks of the documentation presume: the variables that the text around a
// block introduces. scripts/check-snippets.py compiles the blocks with this file. Nothing runs, so
// nothing here has a value.

import CRemoteImageGtk
import RemoteImageGtk

@MainActor var pipeline: ImagePipeline { fatalError() }
@MainActor var configuration = ImagePipeline.Configuration(decoders: [])
@MainActor var thumbnail: ImageOptions { fatalError() }
@MainActor var state: LoadingState { fatalError() }
@MainActor var address: String { fatalError() }
@MainActor var addresses: [String] { fatalError() }

struct Photo {
    var address: String
    var title: String
}
@MainActor var photo: Photo { fatalError() }
@MainActor var photos: [Photo] { fatalError() }

struct Post: Identifiable {
    var id: Int
    var avatar: String
    var text: String
}

/// The photos of a program, with a search.
@MainActor
final class Library {
    var query = ""
    var selected: String?
    var isLoading = false
    var found: [Photo] { fatalError() }
    func loadMore() {}
}
@MainActor var library: Library { fatalError() }

/// The state of a program.
final class Model {
    var photos: [Photo] = []
    var selected: String?
    var shown: Photo?
    var page = ""
    var posts: [Post] = []
    var isRound = false
    var volume = 0.0
}
@MainActor var model: Model { fatalError() }

/// The account that is signed in, and the options of its requests.
@MainActor var account: String { fatalError() }
@MainActor func options(of account: String) -> ImageOptions { fatalError() }

/// Supplies the tokens of an account.
actor Tokens {
    func current() async throws -> String { fatalError() }
}
var tokens: Tokens { fatalError() }

/// The tokens of an account, which expire.
actor Session {
    func token() async throws -> String { fatalError() }
    func token(replacing refused: String?) async throws -> String { fatalError() }
}
var session: Session { fatalError() }

/// Signs addresses.
actor Signer {
    func signature(of address: WebAddress) async throws -> String { fatalError() }
}
var signer: Signer { fatalError() }

/// An encrypted attachment of a message.
struct Attachment: Sendable {
    let id: String
    let byteCount: Int
    func decrypted() -> AsyncThrowingStream<[UInt8], any Error> { fatalError() }
}
var attachment: Attachment { fatalError() }

// Widgets and objects of GTK, with the pointer types of its functions.
@MainActor var window: UnsafeMutablePointer<GtkWindow> { fatalError() }
@MainActor var box: UnsafeMutablePointer<GtkBox> { fatalError() }
@MainActor var avatar: OpaquePointer { fatalError() }
@MainActor var image: OpaquePointer { fatalError() }
@MainActor var scrolledWindow: OpaquePointer { fatalError() }
@MainActor var dragSource: OpaquePointer { fatalError() }
@MainActor var notification: OpaquePointer { fatalError() }

// The sources of images.

/// What to load: an identity, and how to get the encoded data or the pixels of the image.
///
/// Two sources are equal if they have the same kind and identity. A source made from invalid text
/// is a valid value; loading it fails with ``ImageError/Code/invalidURL``.
///
/// ```swift
/// let photo: ImageSource = "https://example.org/photo.jpg"
/// let signed = ImageSource("https://example.org/photo.jpg?token=1").ignoringQueryItems(["token"])
/// let safe = ImageSource.fallbacks([photo, .file("/usr/share/pixmaps/photo.png")])
/// ```
public struct ImageSource: Sendable {
    indirect enum Kind: Sendable {
        // Single images.
        case web(WebAddress)
        case invalid(ImageError)
        case file(FilePath)
        case data(text: String)
        case bytes([UInt8])
        case provider(any ImageProvider)
        // Choices among images.
        case adaptive(regular: ImageSource, lowData: ImageSource)
        case candidates([SourceCandidate])
        case sized(SizedSource)
        case fallbacks([ImageSource])
    }

    /// A class, so that a copy is one reference: sources are copied with every request, job and
    /// view.
    private final class Storage: Sendable {
        enum Content {
            case kind(Kind)
            case step(SizeStep)
        }

        let content: Content
        let identity: String
        let identityHash: Int
        let isChoice: Bool

        init(_ content: Content, _ identity: String) {
            self.content = content
            self.identity = identity
            identityHash = identity.hashValue
            isChoice =
                switch content {
                case .kind(.adaptive), .kind(.candidates), .kind(.sized), .kind(.fallbacks): true
                case .kind, .step: false
                }
        }

        convenience init(_ kind: Kind, _ identity: String) {
            self.init(.kind(kind), identity)
        }
    }

    private let storage: Storage

    /// Reading the kind of a step calls the closure of its ``SizedSource``.
    var kind: Kind {
        switch storage.content {
        case .kind(let kind): kind
        case .step(let step): step.kind
        }
    }
    /// The step, if the source is one of a ``SizedSource``.
    var step: SizeStep? {
        if case .step(let step) = storage.content { step } else { nil }
    }
    /// Identifies the image among all sources of a pipeline. In the identity of a web address, a
    /// hash replaces the user name and password.
    public var identity: String { storage.identity }
    /// The hash of the identity, computed once.
    var identityHash: Int { storage.identityHash }
    /// Whether the source is a choice among several.
    var isChoice: Bool { storage.isChoice }

    init(_ kind: Kind, identity: String) {
        switch kind {
        case .web(let address):
            storage = Storage(kind, UserInformation.hashed(in: identity, of: address))
        case .invalid, .bytes, .provider, .sized:
            storage = Storage(kind, UserInformation.hashed(in: identity))
        // These identities are used as they are: a path may look like an address, inline data may
        // be megabytes long, and choices combine identities that are already hashed.
        case .file, .data, .adaptive, .candidates, .fallbacks:
            storage = Storage(kind, identity)
        }
    }

    init(step: SizeStep, identity: String) {
        storage = Storage(.step(step), UserInformation.hashed(in: identity))
    }
}

// MARK: Single images

extension ImageSource {
    /// An image at an http or https address.
    public init(_ address: WebAddress) {
        self.init(.web(address), identity: address.string)
    }

    /// An image at the address in `text`: http, https or `data:` (RFC 2397). White space around it
    /// is ignored.
    ///
    /// `file:` addresses fail with ``ImageError/Code/forbiddenScheme``, since text may come from
    /// untrusted places. Only the program itself loads a file, with
    /// ``ImageSourceConvertible/file(_:)``.
    public init(_ text: String) {
        let text = AddressText.trimmed(text)
        if DataAddress.isOne(text) {
            self.init(.data(text: text), identity: text)
            return
        }
        do {
            self.init(try WebAddress(text))
        } catch {
            self.init(.invalid(error.namingRemedy(for: text)), identity: text)
        }
    }
}

extension ImageError {
    /// The error of an address that text may not contain, with what the program can write instead.
    fileprivate func namingRemedy(for text: String) -> ImageError {
        let name = detail ?? text
        if code == .forbiddenScheme, text.prefix(5).lowercased() == "file:" {
            return ImageError(code, "\(name): text may be untrusted and never names a local file; write .file(path)")
        }
        guard code == .invalidURL, !text.isEmpty, AddressText.scheme(of: text.utf8) == nil else { return self }
        return ImageError(
            code, "\(name): an address starts with https:// or http://; for a local file write .file(path)")
    }
}

// Factories for leading-dot syntax where a source is expected,
// `ImageRequest(.file("/usr/share/logo.png"))`. A function with an optional generic source needs an
// overload with `ImageSource?`, since neither `nil` nor a leading dot determines the generic type.
extension ImageSourceConvertible where Self == ImageSource {
    /// An image file at a path. Loads of a path with a NUL, at which it would end for the system,
    /// fail with ``ImageError/Code/io``.
    public static func file(_ path: String) -> ImageSource {
        guard !path.utf8.contains(0) else {
            return ImageSource(.invalid(ImageError(.io, "the path contains a NUL")), identity: "file:\(path)")
        }
        return .file(FilePath(path))
    }

    /// An image file at a path that need not be UTF-8.
    package static func file(_ path: FilePath) -> ImageSource {
        ImageSource(.file(path), identity: path.identity)
    }

    /// Encoded image data that the program already has. `identity` must identify it: different data
    /// needs a different identity.
    public static func bytes(_ bytes: [UInt8], identity: String) -> ImageSource {
        ImageSource(.bytes(bytes), identity: identity)
    }

    /// A custom provider.
    public static func provider(_ provider: some ImageProvider) -> ImageSource {
        ImageSource(.provider(provider), identity: provider.identity)
    }

    /// Encoded image data from an asynchronous closure. Concurrent requests share one call.
    ///
    /// If the closure throws an ``ImageError``, the load fails with that error; after any other
    /// error, with ``ImageError/Code/source``.
    public static func bytes(
        identity: String, from load: @escaping @Sendable () async throws -> [UInt8]
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .bytes(try await load()) })
    }

    /// Encoded image data in pieces, with progress, from an asynchronous closure. Concurrent
    /// requests share one call, and the data is not stored on disk.
    ///
    /// If the closure or the stream throws an ``ImageError``, the load fails with that error; after
    /// any other error, with ``ImageError/Code/source``. The time limit of ``ImageOptions/timeout``
    /// applies to both together.
    public static func stream(
        identity: String, from open: @escaping @Sendable () async throws -> ByteStream
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .stream(try await open()) })
    }

    /// Pixels from an asynchronous closure.
    public static func pixels(
        identity: String, from load: @escaping @Sendable () async throws -> PixelBuffer
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .pixels(try await load()) })
    }

    /// A source that an asynchronous closure returns, such as the address of a storage reference or
    /// an address that is signed anew each time. The closure runs for each load that the memory
    /// cache cannot serve. The image keeps the identity `identity`, whatever the address.
    public static func resolving(
        identity: String, by resolve: @escaping @Sendable () async throws -> ImageSource
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .source(try await resolve()) })
    }
}

// MARK: Identity

extension ImageSource {
    /// The same source with an identity that the program chooses. The identity replaces the address
    /// wherever work and images are shared; the headers of a request still count. Applies to single
    /// images: the pipeline identifies a choice by the sources that it contains. An empty identity,
    /// which different images would share, changes nothing.
    public func identified(by identity: String) -> ImageSource {
        identity.isEmpty ? self : ImageSource(kind, identity: identity)
    }

    /// The same source, identified by its address without these query items, for addresses that are
    /// signed anew each time. Names are compared with the address without decoding. Sources other
    /// than http and https addresses are returned unchanged.
    public func ignoringQueryItems(_ names: Set<String>) -> ImageSource {
        guard case .web(let address) = kind else { return self }
        return identified(by: address.string(withoutQueryItems: names))
    }
}

extension WebAddress {
    /// The address without the query items of these names, and without the `?` if none are left.
    func string(withoutQueryItems names: Set<String>) -> String {
        guard let mark = string.firstIndex(of: "?") else { return string }
        let items = string[string.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in !names.contains(String(item.prefix { $0 != "=" })) }
        let path = string[..<mark]
        return kept.isEmpty ? String(path) : "\(path)?\(kept.joined(separator: "&"))"
    }
}

extension ImageSource: Hashable {
    public static func == (left: ImageSource, right: ImageSource) -> Bool {
        left.storage === right.storage
            || left.identityHash == right.identityHash && left.kindName == right.kindName
                && left.identity == right.identity
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identityHash)
    }
}

extension ImageSource {
    private var kindName: String { step == nil ? kind.name : "step" }
}

extension ImageSource.Kind {
    fileprivate var name: String {
        switch self {
        case .web: "web"
        case .invalid: "invalid"
        case .file: "file"
        case .data: "data"
        case .bytes: "bytes"
        case .provider: "provider"
        case .adaptive: "adaptive"
        case .candidates: "candidates"
        case .sized: "sized"
        case .fallbacks: "fallbacks"
        }
    }
}

// MARK: Location

extension ImageSource {
    /// The path of an image file; `nil` for other sources, whatever their identity.
    package var filePath: FilePath? {
        if case .file(let path) = kind { path } else { nil }
    }

    /// The web address of the image, without user name and password. For bytes and providers, their
    /// identity if it is a web address.
    package var webAddress: WebAddress? {
        switch kind {
        case .web(let address): address.withoutUserInfo
        case .bytes, .provider: try? WebAddress(UserInformation.withoutHash(identity))
        case .invalid, .file, .data, .adaptive, .candidates, .sized, .fallbacks: nil
        }
    }

    /// The text that is no valid address, without user name and password; `nil` for other sources.
    package var invalidAddress: String? {
        if case .invalid = kind { nameToShow } else { nil }
    }

    /// The name for display and logs: without user name and password, and with only the first 40
    /// characters of inline data.
    var nameToShow: String {
        switch kind {
        case .web(let address): address.stringWithoutUserInfo
        case .data(let text): String(text.prefix(40))
        case .invalid: UserInformation.removed(from: UserInformation.withoutHash(identity))
        case .adaptive(let regular, let lowData): "adaptive(\(regular.nameToShow)|\(lowData.nameToShow))"
        case .candidates(let all): "candidates(\(all.map(\.source.nameToShow).joined(separator: "|")))"
        case .fallbacks(let all): "fallbacks(\(all.map(\.nameToShow).joined(separator: "|")))"
        case .file, .bytes, .provider, .sized: UserInformation.withoutHash(identity)
        }
    }
}

extension ImageSource: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension ImageSource: CustomStringConvertible {
    public var description: String { nameToShow }
}

// Where an image comes from.

/// What to load: an identity, and how to get bytes or pixels of the image.
///
/// Two sources are equal when they are of the same kind and have the same identity. A source made of
/// invalid text is a value like any other; loading it fails with ``ImageError/Code/invalidURL``.
///
/// ```swift
/// let photo: ImageSource = "https://example.org/photo.jpg"
/// let signed = ImageSource("https://example.org/photo.jpg?token=1").ignoringQueryItems(["token"])
/// let safe = ImageSource.fallbacks([photo, .file("/usr/share/pixmaps/photo.png")])
/// ```
public struct ImageSource: Sendable {
    indirect enum Kind: Sendable {
        // One image.
        case web(WebAddress)
        case invalid(ImageError)
        case file(path: String)
        case data(text: String)
        case bytes([UInt8])
        case provider(any ImageProvider)
        // A choice among images.
        case adaptive(regular: ImageSource, lowData: ImageSource)
        case candidates([SourceCandidate])
        case fallbacks([ImageSource])
    }

    /// One reference: sources are copied with every request, job and view.
    private final class Storage: Sendable {
        let kind: Kind
        let identity: String
        let identityHash: Int
        let isChoice: Bool

        init(_ kind: Kind, _ identity: String) {
            self.kind = kind
            self.identity = identity
            identityHash = identity.hashValue
            isChoice =
                switch kind {
                case .adaptive, .candidates, .fallbacks: true
                case .web, .invalid, .file, .data, .bytes, .provider: false
                }
        }
    }

    private let storage: Storage

    var kind: Kind { storage.kind }
    /// Names the image, among all sources of a pipeline. The name of a web address has a hash in place of its user name and
    /// password.
    public var identity: String { storage.identity }
    /// Of the identity, computed once.
    var identityHash: Int { storage.identityHash }
    /// Whether it stands for one of several.
    var isChoice: Bool { storage.isChoice }

    init(_ kind: Kind, identity: String) {
        switch kind {
        case .web(let address):
            storage = Storage(kind, UserInformation.hashed(in: identity, of: address))
        case .invalid, .bytes, .provider:
            storage = Storage(kind, UserInformation.hashed(in: identity))
        // A path may look like an address, inline data may have megabytes, and choices are made of such identities.
        case .file, .data, .adaptive, .candidates, .fallbacks:
            storage = Storage(kind, identity)
        }
    }
}

// MARK: One image

extension ImageSource {
    /// An image at an http or https address.
    public init(_ address: WebAddress) {
        self.init(.web(address), identity: address.string)
    }

    /// An image at the address that `text` spells: http, https or `data:` (RFC 2397).
    ///
    /// `file:` is refused with ``ImageError/Code/forbiddenScheme``: text may come from elsewhere, and only the
    /// program itself asks for a file, with ``file(_:)``.
    public init(_ text: String) {
        if DataAddress.isOne(text) {
            self.init(.data(text: text), identity: text)
            return
        }
        do {
            self.init(try WebAddress(text))
        } catch {
            self.init(.invalid(error), identity: text)
        }
    }

}

// What is written with a leading dot where a source is asked for, `ImageRequest(.file("/usr/share/logo.png"))`, and
// with its type where it may be nil, `NetworkImage(ImageSource.file("/usr/share/logo.png"))`.
extension ImageSourceConvertible where Self == ImageSource {
    /// An image in a file, by its path.
    public static func file(_ path: String) -> ImageSource {
        ImageSource(.file(path: path), identity: "file:\(path)")
    }

    /// The bytes of an image that the program has already. `identity` must name them: other bytes need
    /// another.
    public static func bytes(_ bytes: [UInt8], identity: String) -> ImageSource {
        ImageSource(.bytes(bytes), identity: identity)
    }

    /// A provider of the program's own.
    public static func provider(_ provider: some ImageProvider) -> ImageSource {
        ImageSource(.provider(provider), identity: provider.identity)
    }

    /// Bytes from an asynchronous closure, asked once for all who want them at a time.
    ///
    /// An ``ImageError`` that it throws arrives as it is, another error as ``ImageError/Code/source``.
    public static func bytes(
        identity: String, from load: @escaping @Sendable () async throws -> [UInt8]
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .bytes(try await load()) })
    }

    /// Pixels from an asynchronous closure.
    public static func pixels(
        identity: String, from load: @escaping @Sendable () async throws -> PixelBuffer
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .pixels(try await load()) })
    }

    /// A source that an asynchronous step yields: the address of a storage reference, an address that is
    /// signed anew each time. The step runs for each load that memory cannot answer; the image is known
    /// under `identity`, whatever the address.
    public static func resolving(
        identity: String, by resolve: @escaping @Sendable () async throws -> ImageSource
    ) -> ImageSource {
        .provider(ClosureImageProvider(identity: identity) { .source(try await resolve()) })
    }
}

// MARK: Choices

extension ImageSourceConvertible where Self == ImageSource {
    /// A second, smaller image for networks where bytes cost money.
    ///
    /// Where the network is constrained the low-data source is loaded, else the regular one, with the low-data
    /// image meanwhile if that is in memory. A ``NetworkImageModel`` replaces a low-data image when the network stops being
    /// constrained. A regular image that is shown or in memory stays when the network becomes constrained.
    public static func adaptive(
        regular: some ImageSourceConvertible, lowData: some ImageSourceConvertible
    ) -> ImageSource {
        let (regular, lowData) = (regular.imageSource, lowData.imageSource)
        return ImageSource(
            .adaptive(regular: regular, lowData: lowData),
            identity: "adaptive(\(regular.identity)|\(lowData.identity))")
    }

    /// One image in several sizes. The smallest that has the pixels wanted is loaded, else the largest. A larger one
    /// that is shown or in memory is used instead.
    public static func candidates(_ candidates: [SourceCandidate]) -> ImageSource {
        let names = candidates.map { "\($0.source.identity) \($0.size)" }
        return ImageSource(
            .candidates(candidates.sorted { $0.size.pixelCount < $1.size.pixelCount }),
            identity: "candidates(\(names.joined(separator: "|")))")
    }

    /// Sources that are tried in their order until one gives an image. When all failed, the error is that of
    /// the last and lists all of them.
    public static func fallbacks(_ sources: [ImageSource]) -> ImageSource {
        ImageSource(
            .fallbacks(sources), identity: "fallbacks(\(sources.map(\.identity).joined(separator: "|")))")
    }
}

/// One size of an image that a server has in several.
public struct SourceCandidate: Hashable, Sendable {
    /// Where the image comes from.
    public let source: ImageSource
    /// Its pixels, as far as they are known.
    public let size: PixelSize

    /// - Parameter size: The pixels of the image, as far as they are known.
    public init(_ source: some ImageSourceConvertible, size: PixelSize) {
        self.source = source.imageSource
        self.size = size
    }
}

// MARK: Identity

extension ImageSource {
    /// The same source under a name of the program's own. The name stands for the address wherever work and
    /// images are shared; headers that a request sets still count. For one image, not for a choice:
    /// those go by the names of what they choose from.
    public func identified(by identity: String) -> ImageSource {
        ImageSource(kind, identity: identity)
    }

    /// The same source under its address less these query items: for addresses that are signed anew
    /// each time. Names are compared as they stand in the address. Nothing but an http or https address changes.
    public func ignoringQueryItems(_ names: Set<String>) -> ImageSource {
        guard case .web(let address) = kind else { return self }
        return identified(by: address.string(withoutQueryItems: names))
    }
}

extension WebAddress {
    /// The address less the query items of these names, and less the `?` when none is left.
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
            || left.identityHash == right.identityHash && left.kind.name == right.kind.name
                && left.identity == right.identity
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identityHash)
    }
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
        case .fallbacks: "fallbacks"
        }
    }
}

// MARK: Where it is

extension ImageSource {
    /// The path of an image in a file; nil for others, whatever they are called.
    package var filePath: String? {
        if case .file(let path) = kind { path } else { nil }
    }

    /// The address of an image without a user name and a password, also of one that the program brings itself and names by
    /// its address.
    package var webAddress: WebAddress? {
        switch kind {
        case .web(let address): address.withoutUserInfo
        case .bytes, .provider: try? WebAddress(UserInformation.withoutHash(identity))
        case .invalid, .file, .data, .adaptive, .candidates, .fallbacks: nil
        }
    }

    /// What may be shown and logged: no user name, no password, and no more of inline data than its beginning.
    var nameToShow: String {
        switch kind {
        case .web(let address): address.stringWithoutUserInfo
        case .data(let text): String(text.prefix(40))
        case .invalid: UserInformation.removed(from: UserInformation.withoutHash(identity))
        case .adaptive(let regular, let lowData): "adaptive(\(regular.nameToShow)|\(lowData.nameToShow))"
        case .candidates(let all): "candidates(\(all.map(\.source.nameToShow).joined(separator: "|")))"
        case .fallbacks(let all): "fallbacks(\(all.map(\.nameToShow).joined(separator: "|")))"
        case .file, .bytes, .provider: UserInformation.withoutHash(identity)
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

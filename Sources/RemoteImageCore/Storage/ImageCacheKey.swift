import HTTPTypes

/// Identifies an image in the memory cache.
public struct ImageCacheKey: Hashable, Sendable {
    private let load: LoadKey
    /// The account and the processing of the image. Empty for an unprocessed image, whose size is
    /// not part of the key.
    private let variant: String
    private let hash: Int

    /// Creates a key with an identity that the program chooses, for images that it stores itself.
    public init(identity: String) {
        self.init(LoadKey(identity: identity), variant: "")
    }

    /// The key of an unprocessed image in any size.
    init(_ load: LoadKey, _ account: Account) {
        self.init(load, variant: account.name)
    }

    init(_ key: ImageKey, _ account: Account) {
        guard !key.processors.isEmpty else {
            self.init(key.load, account)
            return
        }
        let size = key.target?.keyText ?? "full"
        self.init(
            key.load, variant: "\(account.name)|\(size)|\(key.processors.joinedUnambiguously)")
    }

    private init(_ load: LoadKey, variant: String) {
        self.load = load
        self.variant = variant
        hash = variant.isEmpty ? load.fixedHash : load.fixedHash ^ variant.hashValue &* 31
    }

    /// The account to which the common headers of a pipeline belong, since pipelines may share a
    /// cache.
    struct Account: Sendable {
        /// A hash, since the headers may contain passwords. Empty if there are no common headers.
        let name: String

        init(_ headers: HTTPFields) {
            name = headers.isEmpty ? "" : SHA256.name(of: LoadKey.lines(headers))
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
        left.hash == right.hash && left.load == right.load && left.variant == right.variant
    }

    /// The identity of the source.
    public var identity: String { load.identity }

    /// Whether the image belongs to an account, of an ``AuthorizationProvider`` or a
    /// ``RequestHook``.
    public func belongs(toAccount account: String) -> Bool {
        belongs(toAccountWithHash: SHA256.name(of: account))
    }

    func belongs(toAccountWithHash hash: String) -> Bool { load.belongs(toAccount: hash) }
}

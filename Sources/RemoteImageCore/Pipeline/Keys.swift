// What is shared: the same bytes, the same pixels. Hashes are computed once.

import HTTPTypes

/// Names the bytes of a picture. Requests with equal keys share one transfer.
struct LoadKey: Hashable, Sendable {
    /// The source's, which a program may have given.
    let identity: String
    /// The headers that the request sets: they may select the bytes or authorise them, so that two
    /// accounts never share a picture.
    let headers: String
    private let hash: Int

    /// - Parameter hook: The name of what changes the request before it is sent: it may authorise it too.
    init(identity: String, headers: HTTPFields = [:], hook: String? = nil) {
        self.identity = identity
        var lines = headers.map { "\($0.name.canonicalName):\($0.value)" }.sorted()
        if let hook { lines.append("hook \(hook)") }
        self.headers = lines.joined(separator: "\n")
        hash = self.headers.isEmpty ? identity.hashValue : identity.hashValue ^ self.headers.hashValue &* 31
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.hash == right.hash && left.identity == right.identity && left.headers == right.headers
    }
}

/// Names the pixels of a picture. Requests with equal keys share one decode and each processing step.
struct PictureKey: Hashable, Sendable {
    let load: LoadKey
    let target: TargetSize?
    /// The identities of the processors that it went through.
    var processors: [String] = []

    /// The key of the picture that the last processor was given.
    var unprocessed: PictureKey {
        PictureKey(load: load, target: target, processors: processors.dropLast())
    }
}

extension LoadKey {
    init(_ source: ImageSource, _ options: ImageOptions) {
        self.init(identity: source.identity, headers: options.headers, hook: options.requestHook?.name)
    }
}

/// On what terms work is done. Requests whose terms differ do not share it: a reload must not join work that a stored
/// copy may answer, nor a request of narrow limits fail another of wider ones.
struct JobTerms: Hashable, Sendable {
    let policy: CachePolicy
    private let validation: String?
    private let retryPolicy: String?
    private let timeout: Duration?
    private let transferLimits: TransferLimits?
    private let decodeLimits: DecodeLimits?
    private let expiry: Duration?

    init(_ options: ImageOptions) {
        policy = options.cachePolicy
        validation = options.responseValidation?.name
        retryPolicy = options.retryPolicy?.identity
        timeout = options.timeout
        transferLimits = options.transferLimits
        decodeLimits = options.decodeLimits
        expiry = options.expiry
    }

    func hash(into hasher: inout Hasher) {
        // The rest is almost always the same, and equality looks at it.
        hasher.combine(policy)
    }
}

/// Names a job.
enum JobKey: Hashable, Sendable {
    case bytes(LoadKey, JobTerms)
    case picture(PictureKey, JobTerms)
}

/// Names a picture in memory.
public struct ImageCacheKey: Hashable, Sendable {
    private let load: LoadKey
    /// What was done to the pixels; empty for the picture itself, whose size is no part of its name.
    private let processing: String

    /// A name of the program's own, for pictures that it stores itself.
    public init(identity: String) {
        load = LoadKey(identity: identity)
        processing = ""
    }

    init(_ picture: PictureKey) {
        load = picture.load
        guard !picture.processors.isEmpty else {
            processing = ""
            return
        }
        let size = picture.target.map { "\($0.box) \($0.fit)" } ?? "full"
        processing = "\(size)|\(picture.processors.joined(separator: "|"))"
    }

    /// The source's identity.
    public var identity: String { load.identity }
}

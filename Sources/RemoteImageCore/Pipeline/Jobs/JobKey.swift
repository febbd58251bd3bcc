// The keys of jobs.

/// The part of a request that decides which work it may share. Requests with different constraints
/// do not share work: a reload must not join a load that may use a stored copy, and narrow limits
/// must not fail a request with wider ones.
struct RequestConstraints: Hashable, Sendable {
    private struct Values: Equatable {
        let validation: String?
        let retryPolicy: String?
        let timeout: Duration?
        let transferLimits: TransferLimits?
        let decodeLimits: DecodeLimits?
        let expiry: Duration?
        let ignoresStoredErrors: Bool
        let cachesResizedImages: Bool

        static let standard = Values(ImageOptions())

        init(_ options: ImageOptions) {
            validation = options.responseValidation?.name
            retryPolicy = options.retryPolicy?.identity
            timeout = options.timeout
            transferLimits = options.transferLimits
            decodeLimits = options.decodeLimits
            expiry = options.expiry
            ignoresStoredErrors = options.ignoresStoredErrors
            cachesResizedImages = options.cachesResizedImages
        }
    }

    /// Constraints that few requests set, stored separately because keys are copied often.
    private final class Special: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    let policy: CachePolicy
    /// `nil` for most requests.
    private let special: Special?

    init(_ options: ImageOptions) {
        policy = options.cachePolicy.ofRequest
        let values = options.isEmpty ? .standard : Values(options)
        special = values == .standard ? nil : Special(values)
    }

    /// Whether a resized image from the store may stand for the data. A validation checks the data
    /// itself.
    var allowsResized: Bool {
        special.map { $0.values.validation == nil && $0.values.cachesResizedImages } ?? true
    }

    /// The same constraints, but stored responses are not used.
    var reloading: RequestConstraints { RequestConstraints(policy: .reload, special: special) }

    private init(policy: CachePolicy, special: Special?) {
        self.policy = policy
        self.special = special
    }

    func hash(into hasher: inout Hasher) {
        // The other constraints are almost always equal; `==` compares them.
        hasher.combine(policy)
    }

    static func == (left: RequestConstraints, right: RequestConstraints) -> Bool {
        left.policy == right.policy && left.special?.values == right.special?.values
    }
}

/// Identifies a job.
enum JobKey: Hashable, Sendable {
    case bytes(LoadKey, RequestConstraints)
    case image(ImageKey, RequestConstraints)
    /// The validation of a stored response, by its store key.
    case validation(String)

    /// The key of the job whose output an image is made of: without a processor, the bytes.
    static func input(of image: ImageKey, _ constraints: RequestConstraints) -> JobKey {
        image.processors.isEmpty ? .bytes(image.load, constraints) : .image(image.unprocessed, constraints)
    }

    /// The key of the data of a source to which a provider with this key resolved.
    var resolved: JobKey {
        if case .bytes(let key, let constraints) = self { .bytes(key.resolved, constraints) } else { self }
    }

    func belongs(toAccount hash: String) -> Bool {
        switch self {
        case .bytes(let key, _): key.belongs(toAccount: hash)
        case .image(let key, _): key.load.belongs(toAccount: hash)
        case .validation(let key): LoadKey.isStoreKey(key, ofAccount: hash)
        }
    }
}

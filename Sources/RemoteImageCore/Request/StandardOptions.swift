// The options that Core itself understands.

import HTTPTypes

extension ImageOptions {
    private enum LoadOptionsKey: ImageOptionKey {
        static let defaultValue = LoadOptions.standard
    }

    private enum PriorityKey: ImageOptionKey {
        static let defaultValue = LoadPriority.normal
    }

    private enum MaxPixelSizeKey: ImageOptionKey {
        static let defaultValue: Int? = nil
    }

    private enum KeepWhileLoadingKey: ImageOptionKey {
        static let defaultValue = false
    }

    private enum PreviewHashKey: ImageOptionKey {
        static let defaultValue: PreviewHash? = nil
    }

    private enum PreviewsKey: ImageOptionKey {
        static let defaultValue: PreviewOptions = []
    }

    private enum ShowsStoredKey: ImageOptionKey {
        static let defaultValue = false
    }

    private enum PlaysAnimationKey: ImageOptionKey {
        static let defaultValue = true
    }

    private enum TransitionKey: ImageOptionKey {
        static let defaultValue = ImageTransition.none
    }

    private enum DelayKey: ImageOptionKey {
        static let defaultValue = Duration.zero
    }

    private enum CachePolicyKey: ImageOptionKey {
        static let defaultValue = CachePolicy.http
    }

    private enum ExpiryKey: ImageOptionKey {
        static let defaultValue: Duration? = nil
    }

    private enum HeadersKey: ImageOptionKey {
        static let defaultValue = HTTPFields()
    }

    private enum TimeoutKey: ImageOptionKey {
        static let defaultValue: Duration? = nil
    }

    private enum TransferLimitsKey: ImageOptionKey {
        static let defaultValue: TransferLimits? = nil
    }

    private enum DecodeLimitsKey: ImageOptionKey {
        static let defaultValue: DecodeLimits? = nil
    }

    private enum ProcessorsKey: ImageOptionKey {
        static let defaultValue = ProcessorList([])
    }

    private enum RequestHookKey: ImageOptionKey {
        static let defaultValue: RequestHook? = nil
    }

    private enum ValidationKey: ImageOptionKey {
        static let defaultValue: ResponseValidation? = nil
    }

    private enum IgnoresStoredErrorsKey: ImageOptionKey {
        static let defaultValue = false
    }

    private enum RetryPolicyKey: ImageOptionKey {
        static let defaultValue: RetryPolicyOption? = nil
    }

    // MARK: When and in what order

    /// When a view loads: ``LoadOptions/standard`` by default.
    public var loadOptions: LoadOptions {
        get { self[LoadOptionsKey.self] }
        set { self[LoadOptionsKey.self] = newValue }
    }

    /// How urgent the image is: `normal` by default.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }

    /// How long a view waits before it asks the pipeline, so that what scrolls by quickly asks for
    /// nothing: zero by default. An image in memory never waits.
    public var delay: Duration {
        get { self[DelayKey.self] }
        set { self[DelayKey.self] = max(.zero, newValue) }
    }

    // MARK: What is shown

    /// No more than this many pixels are decoded on the longer side, however large the view; nil, the
    /// default, leaves it to the view. At least 1.
    public var maxPixelSize: Int? {
        get { self[MaxPixelSizeKey.self] }
        set { self[MaxPixelSizeKey.self] = newValue.map { max(1, $0) } }
    }

    /// Whether the image shown stays while that of another source loads: false by default. A reload
    /// of the same source always keeps it.
    public var keepsImageWhileLoading: Bool {
        get { self[KeepWhileLoadingKey.self] }
        set { self[KeepWhileLoadingKey.self] = newValue }
    }

    /// What is shown of the image before anything of it was received; nil, the default, is nothing.
    public var previewHash: PreviewHash? {
        get { self[PreviewHashKey.self] }
        set { self[PreviewHashKey.self] = newValue }
    }

    /// What is shown of the image while it is received: nothing by default. Of several views that share a transfer the
    /// first one decides.
    public var previews: PreviewOptions {
        get { self[PreviewsKey.self] }
        set { self[PreviewsKey.self] = newValue }
    }

    /// Whether a stored image is shown at once however old it is, and replaced when the server has a newer one: false by
    /// default. Under ``CachePolicy/http``, and for views alone.
    public var showsStoredWhileLoading: Bool {
        get { self[ShowsStoredKey.self] }
        set { self[ShowsStoredKey.self] = newValue }
    }

    /// Whether an image that moves is played; else its first frame is shown: true by default. Desktops on which animations are
    /// switched off play none.
    public var playsAnimation: Bool {
        get { self[PlaysAnimationKey.self] }
        set { self[PlaysAnimationKey.self] = newValue }
    }

    /// How an image takes the place of what was shown before it: at once by default.
    public var transition: ImageTransition {
        get { self[TransitionKey.self] }
        set { self[TransitionKey.self] = newValue }
    }

    /// What is done to the pixels, in this order: nothing by default. Images that went through equal
    /// processors are shared.
    public var processors: [any ImageProcessor] {
        get { self[ProcessorsKey.self].processors }
        set { self[ProcessorsKey.self] = ProcessorList(newValue) }
    }

    // MARK: Storage

    /// Whether a stored image may answer: as HTTP says by default.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] }
        set { self[CachePolicyKey.self] = newValue }
    }

    /// The age from which a stored image does not answer this request any more; `nil`, the default, is no limit beside
    /// those of ``cachePolicy``.
    ///
    /// The age counts from the time at which the response came or was last confirmed by the server, on disk and in memory
    /// and under every policy. Neither a decode nor a read from disk renews it. A view shows an expired image that is in
    /// memory while the server is asked; where the server cannot be reached, an expired response on disk answers as a stale
    /// one does.
    public var expiry: Duration? {
        get { self[ExpiryKey.self] }
        set { self[ExpiryKey.self] = newValue }
    }

    var expiryInSeconds: Double? { expiry.map { $0 / .seconds(1) } }

    // MARK: The transfer

    /// Request headers of this image's own. They are part of what is shared: requests that differ in
    /// them share neither transfer nor image.
    public var headers: HTTPFields {
        get { self[HeadersKey.self] }
        set { self[HeadersKey.self] = newValue }
    }

    /// The time limit of one whole transfer, and of a request hook, of preparing a provider and of providing its image; `nil`, the
    /// default, leaves it to the limits.
    public var timeout: Duration? {
        get { self[TimeoutKey.self] }
        set { self[TimeoutKey.self] = newValue }
    }

    /// What the transfer may cost; nil, the default, is the pipeline's.
    public var transferLimits: TransferLimits? {
        get { self[TransferLimitsKey.self] }
        set { self[TransferLimitsKey.self] = newValue }
    }

    /// What decoding may cost; nil, the default, is the pipeline's.
    public var decodeLimits: DecodeLimits? {
        get { self[DecodeLimitsKey.self] }
        set { self[DecodeLimitsKey.self] = newValue }
    }

    /// Changes the request before it is sent; nil by default.
    public var requestHook: RequestHook? {
        get { self[RequestHookKey.self] }
        set { self[RequestHookKey.self] = newValue }
    }

    /// What a response must be beyond a success; nil by default.
    public var responseValidation: ResponseValidation? {
        get { self[ValidationKey.self] }
        set { self[ValidationKey.self] = newValue }
    }

    /// Whether the load is the retry of a person, which no stored error answers.
    var ignoresStoredErrors: Bool {
        get { self[IgnoresStoredErrorsKey.self] }
        set { self[IgnoresStoredErrorsKey.self] = newValue }
    }

    /// Which failures are tried again; nil, the default, is the pipeline's.
    public var retryPolicy: (any RetryPolicy)? {
        get { self[RetryPolicyKey.self]?.policy }
        set { self[RetryPolicyKey.self] = newValue.map(RetryPolicyOption.init) }
    }
}

/// Processors that are compared by their identities.
struct ProcessorList: Sendable, Equatable {
    let processors: [any ImageProcessor]

    init(_ processors: [any ImageProcessor]) {
        self.processors = processors
    }

    static func == (left: ProcessorList, right: ProcessorList) -> Bool {
        left.processors.elementsEqual(right.processors) { $0.identity == $1.identity }
    }
}

/// A retry policy that is compared by its identity.
struct RetryPolicyOption: Sendable, Equatable {
    let policy: any RetryPolicy

    static func == (left: RetryPolicyOption, right: RetryPolicyOption) -> Bool {
        left.policy.identity == right.policy.identity
    }
}

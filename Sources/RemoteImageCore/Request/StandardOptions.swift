// The options of Core.

import HTTPTypes

extension ImageOptions {
    private enum LoadOptionsKey: ImageOptionKey {
        static let defaultValue = LoadOptions.standard
    }

    private enum PriorityKey: ImageOptionKey {
        static let defaultValue = LoadPriority.normal
    }

    private enum MaxPixelSizeKey: ImageOptionKey {
        static let defaultValue: PixelSize? = nil
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

    private enum CachesResizedKey: ImageOptionKey {
        static let defaultValue = true
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
        static let defaultValue: [ImageProcessor] = []
    }

    private enum RequestHookKey: ImageOptionKey {
        static let defaultValue: RequestHook? = nil
    }

    private enum AuthorizationKey: ImageOptionKey {
        static let defaultValue: AuthorizationProvider? = nil
    }

    private enum ValidationKey: ImageOptionKey {
        static let defaultValue: ResponseValidation? = nil
    }

    private enum IgnoresStoredErrorsKey: ImageOptionKey {
        static let defaultValue = false
    }

    private enum IsFirstLookKey: ImageOptionKey {
        static let defaultValue = false
    }

    private enum RetryPolicyKey: ImageOptionKey {
        static let defaultValue: RetryPolicy? = nil
    }

    // MARK: Scheduling

    /// When a view loads its image: ``LoadOptions/standard`` by default.
    public var loadOptions: LoadOptions {
        get { self[LoadOptionsKey.self] }
        set { self[LoadOptionsKey.self] = newValue }
    }

    /// The priority of the load: `normal` by default.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }

    /// How long a view waits before it requests an image, so that views that scroll by quickly
    /// request nothing: zero by default. Images from the memory cache are not delayed.
    public var delay: Duration {
        get { self[DelayKey.self] }
        set { self[DelayKey.self] = max(.zero, newValue) }
    }

    // MARK: Display

    /// The maximum size of the decoded image, at least 1 × 1 pixel: a size such as
    /// `PixelSize(width: 600, height: 400)`, or the length of the longer side, such as `600`.
    /// `nil`, the default, uses the size of the view.
    public var maxPixelSize: PixelSize? {
        get { self[MaxPixelSizeKey.self] }
        set {
            self[MaxPixelSizeKey.self] = newValue.map { PixelSize(width: max(1, $0.width), height: max(1, $0.height)) }
        }
    }

    /// Whether the image shown stays while the image of a new source loads: `false` by default. A
    /// reload of the same source by the same account always keeps it.
    public var keepsImageWhileLoading: Bool {
        get { self[KeepWhileLoadingKey.self] }
        set { self[KeepWhileLoadingKey.self] = newValue }
    }

    /// The preview that is shown before any data was received. `nil`, the default, shows nothing.
    public var previewHash: PreviewHash? {
        get { self[PreviewHashKey.self] }
        set { self[PreviewHashKey.self] = newValue }
    }

    /// The previews that are shown while the image is received: none by default. If several views
    /// share a transfer, the options of the first one apply.
    public var previews: PreviewOptions {
        get { self[PreviewsKey.self] }
        set { self[PreviewsKey.self] = newValue }
    }

    /// Whether an animated image is played: `true` by default. If `false`, only the first frame is
    /// shown. A change applies to a shown image at once. While animations are off on the desktop,
    /// or the desktop saves power, an animation pauses at its current frame.
    public var playsAnimation: Bool {
        get { self[PlaysAnimationKey.self] }
        set { self[PlaysAnimationKey.self] = newValue }
    }

    /// How a new image replaces the content shown before it: at once by default.
    public var transition: ImageTransition {
        get { self[TransitionKey.self] }
        set { self[TransitionKey.self] = newValue }
    }

    /// The processors that are applied to the pixels, in order: none by default. Requests with
    /// equal processors share images.
    public var processors: [ImageProcessor] {
        get { self[ProcessorsKey.self] }
        set { self[ProcessorsKey.self] = newValue }
    }

    // MARK: Storage

    /// Whether a stored image may be used: ``CachePolicy/http`` by default.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] }
        set { self[CachePolicyKey.self] = newValue }
    }

    /// Whether resized images are stored beside their originals, and used: `true` by default. If
    /// `false`, resized images are neither stored nor read; an image in the memory cache may have
    /// been made from one.
    ///
    /// An image that is shown smaller than its file can be decoded faster the next time if the
    /// decoded pixels are stored, too. The pipeline stores them after all images have loaded and
    /// while the machine does not save power, if decoding the original takes at least three times
    /// as long as decoding the resized image. Opaque images are stored as JPEG with at least 42 dB
    /// PSNR, or else without loss, as are images with alpha. An unprocessed image is stored only if
    /// it has at most half the pixels of the original. Animations, responses that must not be
    /// stored, and images with processors whose identity is not stable
    /// (``ImageProcessor/hasStableIdentity``) are never stored resized.
    ///
    /// A resized image belongs to the body of its response: it is used only if HTTP and the cache
    /// policy allow the use of that body, and it is removed with it. Resized images occupy at most
    /// 15 % of the limit of a ``DiskCache`` and are evicted before originals.
    /// ``ImagePipeline/data(for:)`` always returns the original.
    public var cachesResizedImages: Bool {
        get { self[CachesResizedKey.self] }
        set { self[CachesResizedKey.self] = newValue }
    }

    /// The age from which this request does not use a stored image. `nil`, the default, sets no
    /// limit beside those of ``cachePolicy``.
    ///
    /// The age counts from the time at which the response was received or last validated, on disk
    /// and in memory and under every policy. Neither a decode nor a read from disk renews it. A
    /// view shows an expired image from the memory cache while the pipeline asks the server; if the
    /// server cannot be reached, an expired response on disk is used as a stale one is.
    public var expiry: Duration? {
        get { self[ExpiryKey.self] }
        set { self[ExpiryKey.self] = newValue }
    }

    var expiryInSeconds: Double? { expiry.map { $0 / .seconds(1) } }

    // MARK: The transfer

    /// Additional request headers: none by default. Requests with different headers share neither
    /// transfers nor images. With a header that belongs to the connection, such as
    /// `Transfer-Encoding`, `Connection` or `Host`, ``CurlTransport`` fails with
    /// ``ImageError/Code/source``.
    public var headers: HTTPFields {
        get { self[HeadersKey.self] }
        set { self[HeadersKey.self] = newValue }
    }

    /// The time limit of each whole transfer, request hook, preparation of a provider, and provider
    /// call. `nil`, the default, uses ``TransferLimits/timeout``.
    public var timeout: Duration? {
        get { self[TimeoutKey.self] }
        set { self[TimeoutKey.self] = newValue }
    }

    /// The limits of the transfer. `nil`, the default, uses those of the pipeline.
    public var transferLimits: TransferLimits? {
        get { self[TransferLimitsKey.self] }
        set { self[TransferLimitsKey.self] = newValue }
    }

    /// The limits of decoding. `nil`, the default, uses those of the pipeline.
    public var decodeLimits: DecodeLimits? {
        get { self[DecodeLimitsKey.self] }
        set { self[DecodeLimitsKey.self] = newValue }
    }

    /// Authorizes the requests of an account: `nil` by default.
    public var authorization: AuthorizationProvider? {
        get { self[AuthorizationKey.self] }
        set { self[AuthorizationKey.self] = newValue }
    }

    /// Changes the request before it is sent: `nil` by default.
    public var requestHook: RequestHook? {
        get { self[RequestHookKey.self] }
        set { self[RequestHookKey.self] = newValue }
    }

    /// An additional check of responses with a success status: `nil` by default.
    public var responseValidation: ResponseValidation? {
        get { self[ValidationKey.self] }
        set { self[ValidationKey.self] = newValue }
    }

    /// Whether the load is a retry by the user, for which stored errors are not used.
    var ignoresStoredErrors: Bool {
        get { self[IgnoresStoredErrorsKey.self] }
        set { self[IgnoresStoredErrorsKey.self] = newValue }
    }

    /// Whether the request only looks for a stored image, before its model asks the server.
    var isFirstLook: Bool {
        get { self[IsFirstLookKey.self] }
        set { self[IsFirstLookKey.self] = newValue }
    }

    /// Decides which failures are retried. `nil`, the default, uses the policy of the pipeline.
    public var retryPolicy: RetryPolicy? {
        get { self[RetryPolicyKey.self] }
        set { self[RetryPolicyKey.self] = newValue }
    }
}

// Options in one expression.

extension ImageOptions {
    /// Creates options that set the given values. All others, and those that are `nil`, are
    /// inherited.
    ///
    /// ```swift
    /// let avatar = ImageOptions(priority: .high, maxPixelSize: 96, processors: [.circle()])
    /// ```
    ///
    /// - Parameters:
    ///   - loadOptions: When a view loads its image. See ``loadOptions``.
    ///   - priority: The priority of the load. See ``priority``.
    ///   - delay: How long a view waits before it requests the image. See ``delay``.
    ///   - maxPixelSize: The maximum size, or length of the longer side. See ``maxPixelSize``.
    ///   - keepsImageWhileLoading: Whether the old image stays. See ``keepsImageWhileLoading``.
    ///   - previewHash: The preview before any data. See ``previewHash``.
    ///   - previews: The previews while the image is received. See ``previews``.
    ///   - playsAnimation: Whether an animated image is played. See ``playsAnimation``.
    ///   - transition: How a new image replaces the old content. See ``transition``.
    ///   - processors: The processors of the pixels, in order. See ``processors``.
    ///   - cachePolicy: Whether a stored image may be used. See ``cachePolicy``.
    ///   - expiry: The age from which the server is asked before a stored image is used. See
    ///     ``expiry``.
    ///   - cachesResizedImages: Whether resized images are stored. See ``cachesResizedImages``.
    ///   - headers: Additional request headers. See ``headers``.
    ///   - timeout: The time limit of the whole transfer. See ``timeout``.
    ///   - transferLimits: The limits of the transfer. See ``transferLimits``.
    ///   - decodeLimits: The limits of decoding. See ``decodeLimits``.
    ///   - authorization: Authorizes the requests of an account. See ``authorization``.
    ///   - requestHook: Changes the request before it is sent. See ``requestHook``.
    ///   - responseValidation: An additional check of responses. See ``responseValidation``.
    ///   - retryPolicy: Decides which failures are retried. See ``retryPolicy``.
    public init(
        loadOptions: LoadOptions? = nil, priority: LoadPriority? = nil, delay: Duration? = nil,
        maxPixelSize: PixelSize? = nil, keepsImageWhileLoading: Bool? = nil, previewHash: PreviewHash? = nil,
        previews: PreviewOptions? = nil, playsAnimation: Bool? = nil,
        transition: ImageTransition? = nil, processors: [ImageProcessor]? = nil,
        cachePolicy: CachePolicy? = nil, expiry: Duration? = nil, cachesResizedImages: Bool? = nil,
        headers: HTTPFields? = nil, timeout: Duration? = nil, transferLimits: TransferLimits? = nil,
        decodeLimits: DecodeLimits? = nil, authorization: AuthorizationProvider? = nil,
        requestHook: RequestHook? = nil, responseValidation: ResponseValidation? = nil,
        retryPolicy: RetryPolicy? = nil
    ) {
        self.init()
        if let loadOptions { self.loadOptions = loadOptions }
        if let priority { self.priority = priority }
        if let delay { self.delay = delay }
        if let maxPixelSize { self.maxPixelSize = maxPixelSize }
        if let keepsImageWhileLoading { self.keepsImageWhileLoading = keepsImageWhileLoading }
        if let previewHash { self.previewHash = previewHash }
        if let previews { self.previews = previews }
        if let playsAnimation { self.playsAnimation = playsAnimation }
        if let transition { self.transition = transition }
        if let processors { self.processors = processors }
        if let cachePolicy { self.cachePolicy = cachePolicy }
        if let expiry { self.expiry = expiry }
        if let cachesResizedImages { self.cachesResizedImages = cachesResizedImages }
        if let headers { self.headers = headers }
        if let timeout { self.timeout = timeout }
        if let transferLimits { self.transferLimits = transferLimits }
        if let decodeLimits { self.decodeLimits = decodeLimits }
        if let authorization { self.authorization = authorization }
        if let requestHook { self.requestHook = requestHook }
        if let responseValidation { self.responseValidation = responseValidation }
        if let retryPolicy { self.retryPolicy = retryPolicy }
    }
}

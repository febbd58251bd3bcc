import HTTPTypes
import Logging

extension ImagePipeline {
    /// The components and settings of a pipeline.
    public struct Configuration: Sendable {
        /// Loads data from the network: by default one ``CurlTransport`` for the process.
        public var transport: any Transport
        /// The decoders. The first that supports a format decodes it.
        public var decoders: [any ImageDecoder]
        /// The cache of decoded images; `nil` for none.
        public var memoryCache: (any ImageCache)?
        /// The store of responses between runs: none by default. ``DiskCache`` keeps them in files.
        public var responseStore: (any ResponseStore)?
        /// The response store, if it is a ``DiskCache``. `nil` stores nothing on disk.
        public var diskCache: DiskCache? {
            get { responseStore as? DiskCache }
            set { responseStore = newValue }
        }
        /// The limit on the bytes of decoded images in memory: ``MemoryCache/costLimit`` of the
        /// memory cache. `nil` if it is none or of another type. Setting another limit makes a new
        /// cache with it; setting `nil` changes nothing.
        public var memoryLimit: Int? {
            get { (memoryCache as? MemoryCache)?.costLimit }
            set {
                guard let newValue, let old = memoryCache as? MemoryCache, newValue != old.costLimit else { return }
                memoryCache = MemoryCache(costLimit: newValue, countLimit: old.countLimit)
            }
        }
        /// The limit on the bytes on disk: ``DiskCache/byteLimit`` of the disk cache, for all
        /// pipelines that have this cache; by default 2 % of the free space, from 16 to 256 MiB.
        /// `nil` without a disk cache; setting `nil` changes nothing.
        public var diskLimit: Int? {
            get { diskCache?.byteLimit }
            set { if let newValue { diskCache?.byteLimit = newValue } }
        }
        /// The default options of all requests.
        public var options = ImageOptions()
        /// The limits of each transfer.
        public var transferLimits = TransferLimits()
        /// The limits of each decode.
        public var decodeLimits = DecodeLimits()
        /// Header fields that are sent with each request, to every host, unless the request sets
        /// the field: none by default. They are not part of the keys by which the pipeline's
        /// requests share work. A token belongs in ``ImageOptions/authorization``, which sends it
        /// to its own servers alone; `Authorization` in this field is logged as a warning.
        public var headers: HTTPFields = [:]
        /// The `User-Agent` of requests that do not set the header. `nil`, the default, uses that
        /// of the transport, which names the program and this library. Unlike ``headers``, it is
        /// not part of the keys of stored responses, so that a new version finds the responses of
        /// an old one. Only the keys of requests with a ``RequestHook`` without an account contain
        /// all headers that are sent.
        public var userAgent: String?
        /// The maximum number of concurrent transfers: 16 by default, at least 1. A quarter of them
        /// is kept for hosts with fewer running transfers than an eighth of this limit, but at
        /// least one, while there are requests to several hosts, so that a few hosts that never
        /// answer do not delay the others.
        public var maxConcurrentTransfers = 16
        /// The maximum number of concurrent transfers per host, and of connections to it: 6 by
        /// default, at least 1. ``CurlTransport/shared`` opens as many connections as its pipelines
        /// allow transfers; a custom transport has limits of its own.
        public var maxConcurrentTransfersPerHost = 6
        /// The limit on transfers that are started and soon cancelled: ``RateLimit`` with its
        /// defaults. `nil` sets no limit.
        public var rateLimit: RateLimit? = RateLimit()
        /// Decides which failures are retried: by default the standard ``RetryPolicy``.
        public var retryPolicy: RetryPolicy = .standard()
        /// The state of the network: by default one that is always connected and unconstrained.
        public var network = NetworkConditions()
        /// Receive each step of each request: none by default. The place for the errors of a whole
        /// program. A view under ``CachePolicy/staleWhileRevalidate`` reports a first look that
        /// finds nothing as ``ImageError/Code/notStored``.
        ///
        /// Called on the thread that performs the step. The pipeline waits until they return, so
        /// they must return soon.
        ///
        /// ```swift
        /// configuration.observers.append { event in
        ///     if case .finished(.failure(let error)) = event.step { print(error) }
        /// }
        /// ```
        public var observers: [@Sendable (PipelineEvent) -> Void] = []
        /// The logger of all steps; `nil`, the default, logs nothing. `REMOTE_IMAGE_DEBUG=1` in the
        /// environment prints the steps in any case.
        public var logger: Logger?
        /// The clock, which tests replace.
        package var clock: any PipelineClock = SystemClock()
        /// The threads and the memory budget for decoding. All pipelines share them, except in
        /// tests.
        var decodeResources = DecodeResources.shared

        /// Whether resized images are stored while images load, instead of afterwards: for programs
        /// that only fill the store.
        package var storesResizedImagesAtOnce = false

        /// Creates a configuration with the default settings.
        ///
        /// - Parameters:
        ///   - transport: Loads data from the network: the shared curl transport by default.
        ///   - decoders: The decoders. The first that supports a format decodes it.
        ///   - memoryCache: The cache of decoded images; `nil` for none.
        public init(
            transport: any Transport = CurlTransport.shared, decoders: [any ImageDecoder],
            memoryCache: (any ImageCache)? = MemoryCache()
        ) {
            self.transport = transport
            self.decoders = decoders
            self.memoryCache = memoryCache
        }
    }

    /// Limits transfers that are started only to be cancelled, as in a scroll through thousands of
    /// images. Transfers that are not cancelled do not count.
    public struct RateLimit: Hashable, Sendable {
        /// The number of transfers per second: 80 by default.
        public var transfersPerSecond: Double
        /// The number of transfers that may start at once before the rate applies: 32 by default,
        /// at least 1.
        public var burst: Int

        /// Creates a limit, by default of 80 transfers per second after a burst of 32.
        public init(transfersPerSecond: Double = 80, burst: Int = 32) {
            self.transfersPerSecond = transfersPerSecond
            self.burst = burst
        }
    }
}

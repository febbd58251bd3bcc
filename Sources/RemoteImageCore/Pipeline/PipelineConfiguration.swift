import HTTPTypes
import Logging

extension ImagePipeline {
    /// What a pipeline is made of.
    public struct Configuration: Sendable {
        /// Who brings bytes from the network: one ``CurlTransport`` for the process by default.
        public var transport: any Transport
        /// Asked in this order; the first that knows the format decodes.
        public var decoders: [any ImageDecoder]
        /// Where decoded images are kept; nil keeps none.
        public var memoryCache: (any ImageCache)?
        /// Where responses are kept between runs: nowhere by default. ``DiskStore`` keeps them in files.
        public var responseStore: (any ResponseStore)?
        /// Options of every request that does not set them.
        public var options = ImageOptions()
        /// What a transfer may cost.
        public var transferLimits = TransferLimits()
        /// What an image may cost.
        public var decodeLimits = DecodeLimits()
        /// Sent with each request, unless the request has the field. No part of what is shared: for what is the
        /// same for all.
        public var headers: HTTPFields = [:]
        /// Transfers at once: 16 by default, at least 1.
        public var maxTransferCount = 16
        /// Transfers at once from one host: 6 by default, at least 1.
        public var maxTransferCountPerHost = 6
        /// How fast transfers may be started and given up again; nil sets no limit.
        public var rateLimit: RateLimit? = RateLimit()
        /// Which failures are tried again: ``StandardRetryPolicy`` by default.
        public var retryPolicy: any RetryPolicy = StandardRetryPolicy()
        /// What is known of the network: nothing by default.
        public var network: any NetworkConditions = UnknownNetworkConditions()
        /// Receive each step of each request: none by default.
        public var observers: [any PipelineObserver] = []
        /// Where steps are logged; nil, the default, logs nothing. `REMOTE_IMAGE_DEBUG=1` in the environment prints them
        /// whatever is set here.
        public var logger: Logger?
        /// The time: the machine's by default.
        public var clock: any PipelineClock = SystemClock()
        /// The threads and the memory for decoding. All pipelines share them, except in tests.
        var decodeResources = DecodeResources.shared

        /// Creates a configuration with the default settings.
        ///
        /// - Parameters:
        ///   - transport: Loads addresses: the shared curl transport by default.
        ///   - decoders: Asked in this order.
        ///   - memoryCache: Keeps decoded images; `nil` for none.
        public init(
            transport: any Transport = CurlTransport.shared, decoders: [any ImageDecoder],
            memoryCache: (any ImageCache)? = MemoryCache()
        ) {
            self.transport = transport
            self.decoders = decoders
            self.memoryCache = memoryCache
        }
    }

    /// A limit to transfers that are started only to be cancelled: a scroll through thousands. A transfer that runs to
    /// its end does not count.
    public struct RateLimit: Hashable, Sendable {
        /// 80 by default.
        public var transfersPerSecond: Double
        /// How many may be started at once before that: 32 by default, at least 1.
        public var burst: Int

        /// Creates a limit: 80 transfers per second after 32 at once, by default.
        public init(transfersPerSecond: Double = 80, burst: Int = 32) {
            self.transfersPerSecond = transfersPerSecond
            self.burst = burst
        }
    }
}

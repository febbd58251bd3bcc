// `RemoteImagePipeline`: an `ImagePipeline` as a GObject, with properties that can be set before
// its first use.

import CRemoteImageGtk

/// The property values of a pipeline; -1 stands for the default of the library.
package struct PipelineSettings: Equatable {
    package var cacheDirectory: String?
    package var diskCacheLimit: Int64 = -1
    package var memoryCacheLimit: Int64 = -1
    package var userAgent: String?
    package var headers: [String] = []
    package var authorization = ObjectSlot(nil)
    package var requestHook: RequestHook?
    package var responseValidation: ResponseValidation?
    package var maxTransfers: Int32 = 16
    package var maxTransfersPerHost: Int32 = 6
    package var maxBodySize: Int64 = 32 << 20
    package var maxPixels: Int64 = 50_000_000
    package var timeout: Int32 = 60
    package var blockPrivateNetworks = false
    package var isolation = DecoderIsolation.preferred.number
    package var storedSizes = true
    /// `default`, `none` or an address.
    package var proxy: String? = "default"

    @MainActor var configuration: ImagePipeline.Configuration {
        let initial = PipelineSettings()
        var configuration = ImagePipeline.sharedConfiguration
        if memoryCacheLimit == 0 {
            configuration.memoryCache = nil
        } else if memoryCacheLimit > 0 {
            configuration.memoryCache = MemoryCache(costLimit: Int(memoryCacheLimit))
        }
        if diskCacheLimit != 0 {
            let byteLimit = diskCacheLimit > 0 ? Int(diskCacheLimit) : nil
            configuration.responseStore =
                if let cacheDirectory {
                    DiskCache(path: cacheDirectory, byteLimit: byteLimit) { shim_warning($0) }
                } else {
                    DiskCache(application: ImagePipeline.applicationName, byteLimit: byteLimit) { shim_warning($0) }
                }
        }
        if transport != CurlTransport.Configuration() { configuration.transport = CurlTransport(transport) }
        if isolation != initial.isolation {
            configuration.decoders = .standard(isolation: DecoderIsolation(number: isolation))
        }
        if !storedSizes { configuration.options.cachesResizedImages = false }
        configuration.headers = HeaderLines.fields(headers)
        if let provider = AuthorizationObject.provider(of: authorization) {
            configuration.options.authorization = provider
        }
        if let requestHook { configuration.options.requestHook = requestHook }
        if let responseValidation { configuration.options.responseValidation = responseValidation }
        configuration.maxConcurrentTransfers = Int(maxTransfers)
        configuration.maxConcurrentTransfersPerHost = Int(maxTransfersPerHost)
        if maxBodySize != initial.maxBodySize { configuration.transferLimits.maxBodyByteCount = Int(maxBodySize) }
        if timeout != initial.timeout { configuration.transferLimits.timeout = .seconds(Int(timeout)) }
        if maxPixels != initial.maxPixels { configuration.decodeLimits.maxPixelCount = Int(maxPixels) }
        return configuration
    }

    /// The folder that is in use.
    @MainActor var usedCacheDirectory: String? {
        cacheDirectory ?? DiskCache.standardPath(application: ImagePipeline.applicationName)
    }

    /// The `User-Agent` that is in use.
    var usedUserAgent: String { transport.userAgent }

    /// A configuration that differs from the shared one needs a separate transport.
    private var transport: CurlTransport.Configuration {
        var transport = CurlTransport.Configuration()
        if let userAgent, HeaderLines.isValue(userAgent) { transport.userAgent = userAgent }
        transport.blocksPrivateNetworks = blockPrivateNetworks
        // With HTTP/1.1 each transfer needs a connection.
        transport.maxConnections = max(transport.maxConnections, Int(maxTransfers))
        transport.maxConnectionsPerHost = max(transport.maxConnectionsPerHost, Int(maxTransfersPerHost))
        return transport
    }
}

/// The state of a `RemoteImagePipeline`.
@MainActor
package final class PipelineObject: ObjectState {
    private enum Life {
        case configurable
        case used(ImagePipeline)
    }

    private var settings = PipelineSettings()
    private var life = Life.configurable
    private var prefetcher: ImagePrefetcher?
    /// The filters of the program.
    package let filters = PipelineFilters()
    /// Whether this is the default pipeline of views.
    private var isDefault = false
    // Not owned: the instance owns this state.
    let object: UnsafeMutablePointer<GObject>

    package init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    package func dispose() {
        // The count is above 1 only in an explicit g_object_run_dispose(), which ends a cycle
        // through the data of a filter. Otherwise the last reference is being released: there is no
        // such cycle, and running loads may still need the filters.
        if object.pointee.ref_count > 1 { filters.removeAll() }
    }

    package var properties: PipelineSettings {
        get { settings }
        set {
            // The proxy may change while the pipeline is in use.
            if newValue.proxy != settings.proxy {
                settings.proxy = newValue.proxy
                if case .used(let pipeline) = life { pipeline.proxy = DesktopProxy.chosen(settings.proxy) }
            }
            guard newValue != settings, isConfigurable() else { return }
            if newValue.headers != settings.headers {
                HeaderLines.warn(of: newValue.headers, in: "RemoteImagePipeline")
            }
            if newValue.userAgent != settings.userAgent, let agent = newValue.userAgent, !HeaderLines.isValue(agent) {
                shim_warning("RemoteImagePipeline: a user-agent with control characters is not sent")
            }
            settings = newValue
        }
    }

    /// Whether the pipeline was not used yet; if it was, logs a critical message.
    package func isConfigurable() -> Bool {
        if case .configurable = life { return true }
        shim_critical("RemoteImagePipeline: it is in use already; set its properties before its first use")
        return false
    }

    /// Whether a filter may be set. If the pipeline is in use, its loads fail from now on, since
    /// the filter did not see the requests and responses so far.
    package func isFilterable() -> Bool {
        guard !isConfigurable(), case .used(let pipeline) = life else { return true }
        pipeline.refuseLoads(ImageError(.source, "a filter was set after the first use of the pipeline"))
        return false
    }

    /// The pipeline, made on first use.
    package var pipeline: ImagePipeline {
        switch life {
        case .used(let pipeline): return pipeline
        case .configurable:
            // Without configuration, C and Swift code of a program share one pipeline.
            var configured = settings
            configured.proxy = PipelineSettings().proxy
            let isShared = isDefault && configured == PipelineSettings()
            let pipeline = isShared ? ImagePipeline.shared : ImagePipeline(settings.configuration)
            life = .used(pipeline)
            if let proxy = DesktopProxy.chosen(settings.proxy) { pipeline.proxy = proxy }
            emitFailures(of: pipeline)
            DesktopFollower.shared.add(pipeline)
            if !isShared, let transport = pipeline.configuration.transport as? CurlTransport {
                DesktopFollower.shared.add(transport)
            }
            return pipeline
        }
    }

    package func prefetch(_ requests: [ImageRequest]) {
        let prefetcher = prefetcher ?? ImagePrefetcher(pipeline: pipeline)
        self.prefetcher = prefetcher
        prefetcher.start(requests)
    }

    package func cancelPrefetch() { prefetcher?.stopAll() }

    // MARK: The default

    /// The default pipeline of views. It lives as long as the process.
    package static let defaultInstance: UnsafeMutableRawPointer = {
        let object: UnsafeMutableRawPointer = shim_object_new(type)
        PipelineObject.of(object).isDefault = true
        return object
    }()

    /// The pipeline of the default instance: `ImagePipeline.shared`, unless the program configured
    /// it.
    static var defaultPipeline: ImagePipeline { PipelineObject.of(defaultInstance).pipeline }

    package static func pipeline(of slot: ObjectSlot) -> ImagePipeline {
        slot.pointer.map { PipelineObject.of($0).pipeline } ?? defaultPipeline
    }
}

extension PipelineObject {
    nonisolated package static let table = PropertyTable<PipelineObject>(
        PipelineSettings(),
        [
            .writable("cache-directory", .string, \.cacheDirectory).reading(.string) { $0.settings.usedCacheDirectory },
            .writable("disk-cache-limit", .long(-1...Int64.max), \.diskCacheLimit),
            .writable("memory-cache-limit", .long(-1...Int64.max), \.memoryCacheLimit),
            .writable("user-agent", .string, \.userAgent).reading(.string) { $0.settings.usedUserAgent },
            .writable("headers", .strings, \.headers),
            .writable("authorization", .object(AuthorizationObject.type), \.authorization),
            .writable("max-transfers", .integer(1...1024), \.maxTransfers),
            .writable("max-transfers-per-host", .integer(1...1024), \.maxTransfersPerHost),
            .writable("max-body-size", .long(1...Int64.max), \.maxBodySize),
            .writable("max-pixels", .long(1...Int64.max), \.maxPixels),
            .writable("timeout", .integer(1...86_400), \.timeout),
            .writable("block-private-networks", .boolean, \.blockPrivateNetworks),
            .writable("isolation", .enumeration(Enumerations.isolation), \.isolation),
            .writable("stored-sizes", .boolean, \.storedSizes),
            .writable("proxy", .string, \.proxy),
        ])

    nonisolated package static let typeName: StaticString = "RemoteImagePipeline"

    nonisolated package static let type: GType = register()

    nonisolated package static func initialize(_ classPointer: UnsafeMutableRawPointer) {
        // Registered here, so that handlers can be connected before the first emission.
        _ = failed
    }
}

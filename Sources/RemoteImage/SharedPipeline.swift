import CRemoteImageGdkPixbuf
import Glibc

extension NetworkConditions {
    /// The network conditions that the front end of this process reports; used by
    /// ``RemoteImageCore/ImagePipeline/shared``.
    public static let shared = NetworkConditions()
}

extension ImagePipeline {
    /// The default pipeline of front ends. It uses the standard decoders, follows the network
    /// conditions of ``NetworkConditions/shared``, and stores responses on disk under the
    /// id of the application, or else the name of the program. All other settings have their
    /// defaults, unless the program changes them with ``configureShared(_:)``.
    public static let shared: ImagePipeline = {
        var configuration = sharedConfiguration
        configuration.diskCache = diskCacheOfApplication
        SharedConfiguration.process.finish(&configuration)
        return ImagePipeline(configuration)
    }()

    /// Changes the configuration of ``shared``. Call it when the program starts, before the first
    /// view or load.
    ///
    /// ```swift
    /// ImagePipeline.configureShared {
    ///     $0.diskCache = DiskCache(path: "/var/cache/viewer", byteLimit: 1 << 30)
    ///     $0.headers[.acceptLanguage] = "de"
    ///     $0.userAgent = "viewer/2.0"
    ///     $0.maxConcurrentTransfersPerHost = 12
    /// }
    /// ```
    ///
    /// The closure receives the default configuration and runs once, at the first use of
    /// ``shared``, on the thread of that use; it must not use ``shared`` itself. Several closures
    /// run in the order of their calls. A call after the first use of ``shared`` is a programming
    /// error: it has no effect, and its remedy is logged at level critical.
    public static func configureShared(_ configure: @escaping @Sendable (inout Configuration) -> Void) {
        SharedConfiguration.process.add(configure)
    }

    /// Creates a pipeline with the standard decoders, the network conditions and the disk cache
    /// that ``shared`` has without ``configureShared(_:)``, except for what `configure` changes.
    ///
    /// ```swift
    /// let pipeline = ImagePipeline {
    ///     $0.memoryLimit = 64 << 20
    ///     $0.diskLimit = 1 << 30
    /// }
    /// ```
    ///
    /// - Parameter configure: Changes the default configuration.
    public convenience init(_ configure: (inout Configuration) -> Void) {
        var configuration = Self.sharedConfiguration
        configuration.diskCache = Self.diskCacheOfApplication
        configure(&configuration)
        self.init(configuration)
    }

    /// One object for all pipelines, since the limit belongs to the folder.
    private static let diskCacheOfApplication = DiskCache(application: applicationName)

    /// The configuration of the shared pipeline without its store, for front ends that let programs
    /// change it.
    package static var sharedConfiguration: Configuration {
        var configuration = Configuration(decoders: .standard())
        configuration.network = NetworkConditions.shared
        return configuration
    }

    /// The id of the application, or else the name of the program. The shared pipeline stores
    /// responses under it.
    package static var applicationName: String {
        if let name = pixbuf_application_name() { return String(cString: name) }
        return String(CommandLine.arguments.first?.split(separator: "/").last ?? "")
    }
}

extension NetworkImageModel {
    /// Creates a model whose pipeline is ``RemoteImageCore/ImagePipeline/shared``.
    ///
    /// - Parameters:
    ///   - source: The source of the image. Default: `nil`, no image.
    ///   - options: Options that override those of the pipeline: none by default.
    ///   - scale: Pixels of the image per point, 1 by default.
    public convenience init(
        _ source: (any ImageSourceConvertible)? = nil, options: ImageOptions = ImageOptions(), scale: Double = 1
    ) {
        self.init(source, pipeline: .shared, options: options, scale: scale)
    }
}

extension ImagePrefetcher {
    /// Creates a prefetcher whose pipeline is ``RemoteImageCore/ImagePipeline/shared``.
    ///
    /// - Parameters:
    ///   - destination: The cache that images are prefetched into: memory by default.
    ///   - maxCount: The maximum number of concurrent prefetches: 2 by default, at least 1.
    public convenience init(destination: Destination = .memory, maxCount: Int = 2) {
        self.init(pipeline: .shared, destination: destination, maxCount: maxCount)
    }
}

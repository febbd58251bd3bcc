import CRemoteImageGdkPixbuf
import Glibc

extension ReportedNetworkConditions {
    /// The network conditions that the front end of this process reports; used by
    /// ``RemoteImageCore/ImagePipeline/shared``.
    public static let shared = ReportedNetworkConditions()
}

extension ImagePipeline {
    /// The default pipeline of front ends. It uses the standard decoders and stores responses on
    /// disk under the id of the application, or else the name of the program. All other settings
    /// have their defaults.
    public static let shared: ImagePipeline = {
        var configuration = sharedConfiguration
        configuration.responseStore = DiskStore(application: applicationName)
        return ImagePipeline(configuration)
    }()

    /// The configuration of the shared pipeline without its store, for front ends that let programs
    /// change it.
    package static var sharedConfiguration: Configuration {
        var configuration = Configuration(decoders: .standard())
        configuration.network = ReportedNetworkConditions.shared
        return configuration
    }

    /// The id of the application, or else the name of the program. The shared pipeline stores
    /// responses under it.
    package static var applicationName: String {
        if let name = pixbuf_application_name() { return String(cString: name) }
        return String(CommandLine.arguments.first?.split(separator: "/").last ?? "")
    }
}

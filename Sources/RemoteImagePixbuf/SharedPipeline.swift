import CGdkPixbuf
import Glibc

extension ReportedNetworkConditions {
    /// What the front end of this process reports: the network of
    /// ``RemoteImageCore/ImagePipeline/shared``.
    public static let shared = ReportedNetworkConditions()
}

extension ImagePipeline {
    /// The pipeline that front ends use where no other is given: the standard decoders decode,
    /// responses are kept on disk under the application's id, or the program's name where it has
    /// none; everything else is at its default.
    public static let shared: ImagePipeline = {
        var configuration = sharedConfiguration
        configuration.responseStore = DiskStore(application: applicationName)
        return ImagePipeline(configuration)
    }()

    /// The configuration of the shared pipeline except its store, for front ends whose programs may
    /// change some of it.
    package static var sharedConfiguration: Configuration {
        var configuration = Configuration(decoders: .standard())
        configuration.network = ReportedNetworkConditions.shared
        return configuration
    }

    /// The application's id, or the program's name where it has none: the shared pipeline keeps
    /// responses under it.
    package static var applicationName: String {
        if let name = pixbuf_application_name() { return String(cString: name) }
        return String(CommandLine.arguments.first?.split(separator: "/").last ?? "")
    }
}

import CGdkPixbuf
import Glibc

extension ReportedNetworkConditions {
    /// What the front end of this process reports: the network of ``RemoteImageCore/ImagePipeline/shared``.
    public static let shared = ReportedNetworkConditions()
}

extension ImagePipeline {
    /// The pipeline that front ends use where no other is given: GdkPixbuf decodes, responses are kept on disk under the
    /// application's id, or the program's name where it has none; everything else is at its default.
    public static let shared = ImagePipeline(sharedConfiguration)

    /// What the shared pipeline is made of, for front ends that let their programs change some of it.
    package static var sharedConfiguration: Configuration {
        var configuration = Configuration(decoders: .standard())
        configuration.responseStore = DiskStore(path: sharedStorePath)
        configuration.network = ReportedNetworkConditions.shared
        return configuration
    }

    /// The folder in which the shared pipeline keeps responses.
    package static var sharedStorePath: String { DiskStore.standardPath(application: applicationName) }

    private static var applicationName: String {
        let id = g_application_get_default().flatMap { g_application_get_application_id($0) }
        if let name = id ?? g_get_prgname() { return String(cString: name) }
        return String(CommandLine.arguments.first?.split(separator: "/").last ?? "")
    }
}

import GalleryServer
import RemoteImageGtk

/// The context of the gallery's pages: the server, the pipeline that loads from it, and its
/// figures.
@MainActor
final class GalleryContext {
    let server: GalleryServer
    let pipeline: ImagePipeline
    let figures = Figures()
    let desktop = SwitchedDesktop()
    let follower: DesktopFollower
    private(set) var behaviour = ServerBehaviour()

    init(server: GalleryServer) {
        self.server = server
        let network = ReportedNetworkConditions()
        follower = DesktopFollower(desktop, network: network)
        var configuration = ImagePipeline.Configuration(decoders: .standard())
        configuration.responseStore = DiskStore(application: "org.remoteimage.Gallery")
        configuration.network = network
        configuration.observers = [figures]
        // Endless images must not time out, so that their loading state stays visible.
        (configuration.transferLimits.stallTimeout, configuration.transferLimits.timeout) = (
            .seconds(600), .seconds(600)
        )
        pipeline = ImagePipeline(configuration)
        follower.start()
        follower.add(pipeline)
    }

    func address(_ path: GalleryPath) -> String { server.address(of: path) }

    func change(_ change: (inout ServerBehaviour) -> Void) {
        change(&behaviour)
        let (server, behaviour) = (server, behaviour)
        Task { await server.setBehaviour(behaviour) }
    }
}

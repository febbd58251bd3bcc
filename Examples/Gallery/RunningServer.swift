import GalleryServer

/// The gallery's own server, with the speed and the failures that the panel chooses.
@MainActor
final class RunningServer {
    private let server: GalleryServer

    var behaviour = ServerBehaviour() {
        didSet {
            let (server, behaviour) = (server, behaviour)
            Task { await server.setBehaviour(behaviour) }
        }
    }

    init(_ server: GalleryServer) {
        self.server = server
    }

    func address(_ path: GalleryPath) -> String { server.address(of: path) }
}

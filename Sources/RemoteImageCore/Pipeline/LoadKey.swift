// What is shared: the same bytes, the same pixels.

/// Names the bytes of a picture. Requests with equal keys share one transfer.
struct LoadKey: Hashable, Sendable {
    let identity: String
    private let hash: Int

    init(identity: String) {
        self.identity = identity
        hash = identity.hashValue
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.hash == right.hash && left.identity == right.identity
    }
}

/// Names the pixels of a picture. Requests with equal keys share one decode.
struct PictureKey: Hashable, Sendable {
    let load: LoadKey
    let target: TargetSize?
}

/// Names a job.
enum JobKey: Hashable, Sendable {
    case bytes(LoadKey)
    case picture(PictureKey)
}

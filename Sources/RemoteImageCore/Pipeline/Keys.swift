// What is shared: the same bytes, the same pixels. Hashes are computed once.

import HTTPTypes

/// Names the bytes of a picture. Requests with equal keys share one transfer.
struct LoadKey: Hashable, Sendable {
    /// The source's, which a program may have given.
    let identity: String
    /// The headers that the request sets: they may select the bytes or authorise them, so that two
    /// accounts never share a picture.
    let headers: String
    private let hash: Int

    init(identity: String, headers: HTTPFields = [:]) {
        self.identity = identity
        self.headers =
            headers.isEmpty
            ? "" : headers.map { "\($0.name.canonicalName):\($0.value)" }.sorted().joined(separator: "\n")
        hash = self.headers.isEmpty ? identity.hashValue : identity.hashValue ^ self.headers.hashValue &* 31
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.hash == right.hash && left.identity == right.identity && left.headers == right.headers
    }
}

/// Names the pixels of a picture. Requests with equal keys share one decode and each processing step.
struct PictureKey: Hashable, Sendable {
    let load: LoadKey
    let target: TargetSize?
    /// The identities of the processors that it went through.
    var processors: [String] = []

    /// The key of the picture that the last processor was given.
    var unprocessed: PictureKey {
        PictureKey(load: load, target: target, processors: processors.dropLast())
    }
}

/// Names a job. What may answer, the policy, is part of it: a reload must not join work that a stored
/// copy may answer.
enum JobKey: Hashable, Sendable {
    case bytes(LoadKey, CachePolicy)
    case picture(PictureKey, CachePolicy)
}

/// Names a picture in memory.
public struct ImageCacheKey: Hashable, Sendable {
    private let load: LoadKey
    /// What was done to the pixels; empty for the picture itself, whose size is no part of its name.
    private let processing: String

    /// A name of the program's own, for pictures that it stores itself.
    public init(identity: String) {
        load = LoadKey(identity: identity)
        processing = ""
    }

    init(_ picture: PictureKey) {
        load = picture.load
        guard !picture.processors.isEmpty else {
            processing = ""
            return
        }
        let size = picture.target.map { "\($0.box) \($0.fit)" } ?? "full"
        processing = "\(size)|\(picture.processors.joined(separator: "|"))"
    }

    /// The source's identity.
    public var identity: String { load.identity }
}

import RemoteImageCore

/// A request that has joined its work when it is made, so that a test knows who waits.
public final class PendingImage: Sendable {
    private let watched = Watched<[Result<LoadedImage, ImageError>]>([])
    private let started = Watched<ImageTask?>(nil)
    /// A pipeline that is released ends what it has under way.
    private let pipeline: ImagePipeline
    private let name: String

    public init(
        _ request: ImageRequest, in pipeline: ImagePipeline, isOnScreen: Bool = false
    ) {
        self.pipeline = pipeline
        name = request.source.identity
        let task = pipeline.start(request, isOnScreen: isOnScreen) { [watched] event in
            if case .finished(let result) = event { watched.update { $0.append(result) } }
        }
        started.update { $0 = task }
    }

    public var task: ImageTask? { started.value }

    /// How often it was answered: once, of a pipeline that keeps its promise.
    public var answerCount: Int { watched.value.count }

    public var image: LoadedImage {
        get async throws { try await watched.first("the image of \(name)") { $0.first }.get() }
    }
}

import RemoteImageCore

/// A started request. It is a subscriber of its job when the initializer returns, so tests know the
/// subscribers of a job.
public final class PendingImage: Sendable {
    private let watched = Watched<[Result<LoadedImage, ImageError>]>([])
    private let started = Watched<ImageTask?>(nil)
    /// Retained because a released pipeline cancels its requests.
    private let pipeline: ImagePipeline
    private let name: String

    public init(
        _ request: ImageRequest, in pipeline: ImagePipeline, isVisible: Bool = false
    ) {
        self.pipeline = pipeline
        name = request.source.identity
        let task = pipeline.start(request, isVisible: isVisible) { [watched] event in
            if case .finished(let result) = event { watched.update { $0.append(result) } }
        }
        started.update { $0 = task }
    }

    public var task: ImageTask? { started.value }

    /// The number of results so far; more than one is an error of the pipeline.
    public var answerCount: Int { watched.value.count }

    public var image: LoadedImage {
        get async throws { try await watched.first("the image of \(name)") { $0.first }.get() }
    }
}

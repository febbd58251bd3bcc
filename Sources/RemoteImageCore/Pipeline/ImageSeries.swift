// Many pictures at once.

extension ImagePipeline {
    /// The pictures of many requests, in the order in which they are ready. Each request has one element; a
    /// failure of one does not end the others. Ending the loop cancels what is not ready.
    public func images(
        for requests: some Sequence<ImageRequest>
    ) -> AsyncStream<(request: ImageRequest, result: Result<LoadedImage, ImageError>)> {
        let (stream, continuation) = AsyncStream<
            (request: ImageRequest, result: Result<LoadedImage, ImageError>)
        >.makeStream()
        let requests = Array(requests)
        guard !requests.isEmpty else {
            continuation.finish()
            return stream
        }
        let remaining = Lock(requests.count)
        let tasks = Lock<[ImageTask]>([])
        continuation.onTermination = { reason in
            guard case .cancelled = reason else { return }
            for task in tasks.withLock({ $0 }) { task.cancel() }
        }
        for request in requests {
            let task = start(request) { event in
                guard case .finished(let result) = event else { return }
                continuation.yield((request, result))
                let isLast = remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
                if isLast { continuation.finish() }
            }
            tasks.withLock { $0.append(task) }
        }
        return stream
    }
}

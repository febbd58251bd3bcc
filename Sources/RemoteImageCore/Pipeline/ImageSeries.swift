// Loads many images at once.

import DequeModule

extension ImagePipeline {
    /// The images of many requests, in the order in which they finish. Each request yields one
    /// element; a failure of one does not end the others. Ending the loop cancels the remaining
    /// requests.
    ///
    /// At most ``Configuration/maxTransferCount`` requests are running or waiting to be read; the
    /// next request starts when an element is read.
    public func images(
        for requests: some Sequence<ImageRequest>
    ) -> AsyncStream<(request: ImageRequest, result: Result<LoadedImage, ImageError>)> {
        let series = ImageSeries(Array(requests), limit: max(1, configuration.maxTransferCount), in: self)
        series.startNext()
        return AsyncStream {
            await series.next()
        } onCancel: {
            series.cancel()
        }
    }
}

/// A series of requests, a few of which run at a time.
private final class ImageSeries: Sendable {
    typealias Element = (request: ImageRequest, result: Result<LoadedImage, ImageError>)

    private struct State {
        var waiting: ArraySlice<ImageRequest>
        var running: [Int: ImageTask?] = [:]
        var nextNumber = 0
        var ready: Deque<Element> = []
        var reader: CheckedContinuation<Element?, Never>?

        var isOver: Bool { waiting.isEmpty && running.isEmpty && ready.isEmpty }
    }

    private let limit: Int
    private let pipeline: ImagePipeline
    private let state: Lock<State>

    init(_ requests: [ImageRequest], limit: Int, in pipeline: ImagePipeline) {
        self.limit = limit
        self.pipeline = pipeline
        state = Lock(State(waiting: requests[...]))
    }

    deinit {
        cancel()
    }

    func next() async -> Element? {
        let element: Element? = await withCheckedContinuation { reader in
            let answer: Element?? = state.withLock { state in
                if let element = state.ready.popFirst() { return .some(element) }
                if state.isOver { return .some(nil) }
                state.reader = reader
                return nil
            }
            if let answer { reader.resume(returning: answer) }
        }
        startNext()
        return element
    }

    func startNext() {
        while let (number, request) = takeNext() {
            let task = pipeline.start(request) { [weak self] event in
                if case .finished(let result) = event { self?.end(number, (request, result)) }
            }
            let isStopped = state.withLock { state in
                // The task may have ended already.
                guard state.running[number] != nil else { return true }
                state.running[number] = task
                return false
            }
            if isStopped { task.cancel() }
        }
    }

    private func takeNext() -> (Int, ImageRequest)? {
        state.withLock { state in
            guard state.running.count + state.ready.count < limit, let request = state.waiting.popFirst() else {
                return nil
            }
            state.nextNumber += 1
            state.running[state.nextNumber] = .some(nil)
            return (state.nextNumber, request)
        }
    }

    private func end(_ number: Int, _ element: Element) {
        let reader: CheckedContinuation<Element?, Never>? = state.withLock { state in
            guard state.running.removeValue(forKey: number) != nil else { return nil }
            if let reader = state.reader.take() { return reader }
            state.ready.append(element)
            return nil
        }
        reader?.resume(returning: element)
    }

    /// Ends the series.
    func cancel() {
        let (tasks, reader) = state.withLock { state in
            defer {
                state.waiting = []
                state.running = [:]
                state.ready = []
                state.reader = nil
            }
            return (state.running.values.compactMap { $0 }, state.reader)
        }
        for task in tasks { task.cancel() }
        reader?.resume(returning: nil)
    }
}

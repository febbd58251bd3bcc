// Loads many images at once.

import DequeModule

extension ImagePipeline {
    /// The images of many requests, in the order in which they finish. Each request yields one
    /// element; a failure of one does not end the others. Ending the loop cancels the remaining
    /// requests.
    ///
    /// At most ``Configuration/maxConcurrentTransfers`` requests are running or waiting to be read; the
    /// next request starts when an element is read.
    public func images(
        for requests: some Sequence<ImageRequest>
    ) -> AsyncStream<(request: ImageRequest, result: Result<LoadedImage, ImageError>)> {
        let series = ImageSeries(requests.map { ($0, $0) }, in: self)
        return AsyncStream {
            await series.next().map { (request: $0.name, result: $0.result) }
        } onCancel: {
            series.cancel()
        }
    }

    /// The images of many sources, such as addresses, in the order in which they finish; otherwise
    /// as ``images(for:)``.
    ///
    /// ```swift
    /// for await (address, result) in pipeline.images(for: addresses, options: thumbnail) {
    ///     print(address, try result.get().info.size)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sources: The sources. Each one is yielded with its result.
    ///   - options: The options of all requests. They override those of the pipeline.
    public func images<Source: ImageSourceConvertible & Sendable>(
        for sources: some Sequence<Source>, options: ImageOptions = ImageOptions()
    ) -> AsyncStream<(source: Source, result: Result<LoadedImage, ImageError>)> {
        let series = ImageSeries(sources.map { ($0, ImageRequest($0, options: options)) }, in: self)
        return AsyncStream {
            await series.next().map { (source: $0.name, result: $0.result) }
        } onCancel: {
            series.cancel()
        }
    }
}

/// A series of requests, a few of which run at a time.
private final class ImageSeries<Name: Sendable>: Sendable {
    /// The caller's name for a request, and its result.
    typealias Element = (name: Name, result: Result<LoadedImage, ImageError>)

    private struct Item {
        let name: Name
        let request: ImageRequest
    }

    private struct State {
        var waiting: ArraySlice<Item>
        var running: [Int: ImageTask?] = [:]
        var nextNumber = 0
        var ready: Deque<Element> = []
        var reader: CheckedContinuation<Element?, Never>?

        var isOver: Bool { waiting.isEmpty && running.isEmpty && ready.isEmpty }
    }

    private let limit: Int
    private let pipeline: ImagePipeline
    private let state: Lock<State>

    init(_ requests: [(name: Name, request: ImageRequest)], in pipeline: ImagePipeline) {
        limit = max(1, pipeline.configuration.maxConcurrentTransfers)
        self.pipeline = pipeline
        let items = requests.map { name, request in
            Item(name: name, request: pipeline.marked(request))
        }
        state = Lock(State(waiting: items[...]))
        startNext()
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

    private func startNext() {
        while let (number, item) = takeNext() {
            let task = pipeline.start(item.request, urgency: nil) { [weak self] event in
                if case .finished(let result) = event { self?.end(number, (item.name, result)) }
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

    private func takeNext() -> (Int, Item)? {
        state.withLock { state in
            guard state.running.count + state.ready.count < limit, let next = state.waiting.popFirst() else {
                return nil
            }
            state.nextNumber += 1
            state.running[state.nextNumber] = .some(nil)
            return (state.nextNumber, next)
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

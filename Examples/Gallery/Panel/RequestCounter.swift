import RemoteImageGtk
import Synchronization

/// Counts the events of a pipeline.
final class RequestCounter: Sendable {
    struct Counts: Hashable, Sendable {
        /// Unfinished requests, loading or waiting.
        var openCount = 0
        /// Running transfers.
        var transferCount = 0
        var requestCount = 0
        var memoryHitCount = 0
        var failureCount = 0
        var byteCount = 0
    }

    private struct State {
        var counts = Counts()
        /// The sources that are being fetched, so that cancelled ones are no longer counted.
        var fetched: Set<String> = []
    }

    private let state = Mutex(State())

    var counts: Counts { state.withLock { $0.counts } }

    func receive(_ event: PipelineEvent) {
        state.withLock { state in
            switch event.step {
            case .requested:
                state.counts.requestCount += 1
                state.counts.openCount += 1
            case .foundInMemory: state.counts.memoryHitCount += 1
            case .fetching: state.fetched.insert(event.source)
            case .fetched(let byteCount):
                state.counts.byteCount += byteCount
                state.fetched.remove(event.source)
            case .finished(let result):
                state.counts.openCount = max(0, state.counts.openCount - 1)
                state.fetched.remove(event.source)
                if case .failure(let error) = result, error.code != .cancelled { state.counts.failureCount += 1 }
            case .cache, .responded, .retrying, .decoding, .processing, .appeared, .disappeared: break
            }
            state.counts.transferCount = state.fetched.count
        }
    }
}

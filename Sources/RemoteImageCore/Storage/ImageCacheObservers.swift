/// The observers of single images in a cache.
final class ImageCacheObservers: Sendable {
    typealias Body = @Sendable (ImageCacheChange) -> Void

    private struct State {
        var bodies: [ImageCacheKey: [Int: Body]] = [:]
        var nextID = 0
    }

    private let state = Lock(State())

    func add(_ key: ImageCacheKey, _ body: @escaping Body) -> ObservationToken {
        let id = state.withLock { state in
            state.nextID += 1
            state.bodies[key, default: [:]][state.nextID] = body
            return state.nextID
        }
        return ObservationToken { [weak self] in self?.remove(key, id) }
    }

    func tell(_ change: ImageCacheChange, of key: ImageCacheKey) {
        let bodies = state.withLock { state in
            state.bodies.isEmpty ? nil : state.bodies[key].map { Array($0.values) }
        }
        for body in bodies ?? [] { body(change) }
    }

    private func remove(_ key: ImageCacheKey, _ id: Int) {
        state.withLock { state in
            state.bodies[key]?[id] = nil
            if state.bodies[key]?.isEmpty == true { state.bodies[key] = nil }
        }
    }
}

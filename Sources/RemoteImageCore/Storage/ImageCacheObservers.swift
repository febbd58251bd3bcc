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
            state.bodies.isEmpty ? nil : state.bodies[key]
        }
        for (id, body) in bodies ?? [:] where state.withLock({ $0.bodies[key]?[id] != nil }) { body(change) }
    }

    private func remove(_ key: ImageCacheKey, _ id: Int) {
        // The body is released outside the lock, since it may own other observations.
        let body = state.withLock { state in
            let body = state.bodies[key]?.removeValue(forKey: id)
            if state.bodies[key]?.isEmpty == true { state.bodies[key] = nil }
            return body
        }
        withExtendedLifetime(body) {}
    }
}

import Observation

/// The newest state of a load that a view shows. Reads of its values are observed.
package final class ObservedLoad: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let state: Lock<LoadingState>

    package init(_ state: LoadingState) {
        self.state = Lock(state.snapshot)
    }

    /// The state, which is not observed.
    var newest: LoadingState { state.withLock { $0 } }

    var progress: LoadProgress {
        registrar.access(self, keyPath: \.progress)
        return newest.progress
    }

    var preview: LoadedImage? {
        registrar.access(self, keyPath: \.preview)
        return newest.preview
    }

    var attempt: Int {
        registrar.access(self, keyPath: \.attempt)
        return newest.attempt
    }

    package func update(to new: LoadingState) {
        // The old preview is not released under the lock.
        let old = state.withLock { state in
            let old = state
            state = new.snapshot
            return old
        }
        if new.progress != old.progress { registrar.withMutation(of: self, keyPath: \.progress) {} }
        if new.attempt != old.attempt { registrar.withMutation(of: self, keyPath: \.attempt) {} }
        let isSamePreview = new.preview.map { old.preview?.isSameImage(as: $0) == true } ?? (old.preview == nil)
        if !isSamePreview { registrar.withMutation(of: self, keyPath: \.preview) {} }
    }
}

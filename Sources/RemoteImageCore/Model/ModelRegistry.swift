/// The models of a pipeline. When an image is reloaded, all models that show it are told.
final class ModelRegistry: Sendable {
    private struct Entry {
        weak var model: NetworkImageModel?
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    func add(_ model: NetworkImageModel) {
        entries.withLock { $0[ObjectIdentifier(model)] = Entry(model: model) }
    }

    /// Called by the end of a model, on whatever thread.
    func remove(_ id: ObjectIdentifier) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Lets the models load what they went without while bytes cost money, each in a delivery of its own: there may be
    /// thousands.
    func networkBecameUnconstrained() {
        for model in entries.withLock({ entries in entries.values.compactMap(\.model) }) {
            MainActorMailbox.shared.post { [weak model] in model?.networkBecameUnconstrained() }
        }
    }

    /// The image of a source was reloaded: the models that show it update, on the main actor.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        let models = entries.withLock { entries in entries.values.compactMap(\.model) }
        guard !models.isEmpty else { return }
        MainActorMailbox.shared.post {
            for model in models { model.imageWasReloaded(key, image) }
        }
    }
}

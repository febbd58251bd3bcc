/// The models of a pipeline. After a reload of an image, all models that show it are notified.
final class ModelRegistry: Sendable {
    private struct Entry {
        weak var model: NetworkImageModel?
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    func add(_ model: NetworkImageModel) {
        entries.withLock { $0[ObjectIdentifier(model)] = Entry(model: model) }
    }

    /// Called from the `deinit` of a model, on any thread.
    func remove(_ id: ObjectIdentifier) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Lets the models load the regular images that they skipped on a metered network. Each model
    /// gets its own delivery, since there may be thousands.
    func networkBecameUnconstrained() {
        for model in entries.withLock({ entries in entries.values.compactMap(\.model) }) {
            MainActorMailbox.shared.post { [weak model] in model?.networkBecameUnconstrained() }
        }
    }

    /// Notifies the models on the main actor that the image of a source was reloaded.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        let models = entries.withLock { entries in entries.values.compactMap(\.model) }
        guard !models.isEmpty else { return }
        MainActorMailbox.shared.post {
            for model in models { model.imageWasReloaded(key, image) }
        }
    }
}

/// The models of a pipeline. After a reload of an image, all models that show it are notified.
final class ModelRegistry: Sendable {
    private struct Entry {
        weak var model: NetworkImageModel?
        let source: Lock<ImageSource?>
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// - Parameter source: The source of the model, which changes with it.
    func add(_ model: NetworkImageModel, source: Lock<ImageSource?>) {
        entries.withLock { $0[ObjectIdentifier(model)] = Entry(model: model, source: source) }
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

    /// Notifies the models on the main actor that the image of a source was reloaded. Only those
    /// that may show it take time there: an application may reload all of its images at once.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        for model in models(thatMayShow: key) {
            MainActorMailbox.shared.post { [weak model] in model?.imageWasReloaded(key, image) }
        }
    }

    /// The models of a source, and those of choices, whose source is known only on the main actor.
    func models(thatMayShow key: LoadKey) -> [NetworkImageModel] {
        entries.withLock { entries in
            entries.values.compactMap { entry in
                let mayShow = entry.source.withLock { source in
                    source.map { $0.isChoice || $0.identity == key.identity } ?? false
                }
                return mayShow ? entry.model : nil
            }
        }
    }
}

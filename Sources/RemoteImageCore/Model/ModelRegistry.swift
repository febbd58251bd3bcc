/// The models of a pipeline. After a reload of an image, all models that show it are notified.
final class ModelRegistry: Sendable {
    /// The source of a model. Not the source itself: it may own closures of the program, which must
    /// not be released under a lock.
    struct Source: Sendable {
        private let identity: String
        private let isChoice: Bool

        init(_ source: ImageSource) {
            identity = source.identity
            isChoice = source.isChoice
        }

        func mayLead(to key: LoadKey) -> Bool { isChoice || identity == key.identity }
    }

    /// A model, which is referenced only on the main actor: a last reference that ends on another
    /// thread would release the closures of views there.
    struct Entry: Sendable {
        weak var model: NetworkImageModel?
        fileprivate let source: Lock<Source?>
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// - Parameter source: The source of the model, which changes with it.
    func add(_ model: NetworkImageModel, source: Lock<Source?>) {
        entries.withLock { $0[ObjectIdentifier(model)] = Entry(model: model, source: source) }
    }

    /// Called from the `deinit` of a model, on any thread.
    func remove(_ id: ObjectIdentifier) {
        entries.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// Lets the models load the regular images that they skipped on a metered network. Each model
    /// gets its own delivery, since there may be thousands.
    func networkBecameUnconstrained() {
        for entry in entries.withLock({ Array($0.values) }) {
            MainActorMailbox.shared.post { entry.model?.networkBecameUnconstrained() }
        }
    }

    /// Notifies the models on the main actor that the image of a source was reloaded. Models
    /// of other sources are skipped, since an application may reload all of its images at once.
    func imageWasReloaded(_ key: LoadKey, _ image: LoadedImage) {
        for entry in models(thatMayShow: key) {
            MainActorMailbox.shared.post { entry.model?.imageWasReloaded(key, image) }
        }
    }

    /// The models of a source, and those of choices, whose source is known only on the main actor.
    func models(thatMayShow key: LoadKey) -> [Entry] {
        entries.withLock { entries in
            entries.values.filter { $0.source.withLock { $0?.mayLead(to: key) ?? false } }
        }
    }
}

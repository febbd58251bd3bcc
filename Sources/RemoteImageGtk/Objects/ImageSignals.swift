// The notifications and signals that report the phases of an image object.

import CRemoteImageGtk

/// The signals of a class of image objects. The class init registers them, so that handlers can be
/// connected before the first emission.
package struct ImageSignals: Sendable {
    fileprivate let loaded: guint
    fileprivate let failed: guint

    package init(of type: GType) {
        loaded = shim_signal_new("loaded", type, 0)
        failed = shim_signal_new("failed", type, 1)
    }
}

/// The result of a load.
enum LoadEnd {
    case loaded
    case failed(ImageError)
}

extension ImageObject {
    /// Reports the change from one phase to the next.
    ///
    /// - Parameter isOtherTexture: Whether the image was released since, or has its pixels again.
    package func signal(_ new: NetworkImagePhase, since old: NetworkImagePhase, isOtherTexture: Bool) {
        var names = new.changedProperties(since: old, withImage: new.image != nil || old.image != nil)
        if isOtherTexture, !names.contains("texture") { names.append("texture") }
        guard !names.isEmpty else { return }
        let end = end(of: new, since: old)
        // A handler may release the object or run the main loop.
        let kept = ObjectReference(borrowing: UnsafeMutableRawPointer(object))
        MainLoop.callBack { [weak self] in
            withExtendedLifetime(kept) { self?.tell(names, end, in: new.kind) }
        }
    }

    /// The result of the load in a new phase; `nil` if it continues or was cancelled.
    func end(of phase: NetworkImagePhase, since old: NetworkImagePhase) -> LoadEnd? {
        guard !phase.hasSameContent(as: old) else { return nil }
        switch phase {
        case .empty: loadedImage = nil
        case .loading(let loading):
            if let loadedImage, loading.preview?.isSameImage(as: loadedImage) != true { self.loadedImage = nil }
        case .success(let image):
            let isNew = loadedImage?.isSameImage(as: image) != true
            loadedImage = image
            return isNew ? .loaded : refreshError.map { .failed($0) }
        case .failure(let error):
            loadedImage = nil
            return .failed(error)
        }
        return nil
    }

    /// Notifies of changed properties, and emits the signal of the end of a load.
    func tell(_ names: [String], _ end: LoadEnd?, in kind: NetworkImagePhase.Kind) {
        guard !isDisposed else { return }
        notify(names)
        // A notification handler may have requested another image.
        guard kind == shown.phase.kind else { return }
        switch end {
        case .loaded: shim_emit(object, Self.signals.loaded)
        case .failed(let error):
            // The copy stays valid if a handler requests another image.
            guard let error = ImageErrorDomain.makeError(error) else { return }
            shim_emit_error(object, Self.signals.failed, error)
            g_error_free(error)
        case nil: break
        }
    }
}

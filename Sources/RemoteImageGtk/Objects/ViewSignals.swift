// The notifications and signals that report the phases of a view.

import CRemoteImageGtk

/// The signals of `RemoteImageView`.
enum ViewSignals {
    static let loaded = shim_signal_new("loaded", RemoteImageViewState.type, 0)
    static let failed = shim_signal_new("failed", RemoteImageViewState.type, 1)

    /// Registers the signals, so that handlers can be connected before the first emission.
    static func register() { _ = (loaded, failed) }
}

extension RemoteImageViewState {
    /// Reports the change from one phase to the next.
    ///
    /// - Parameter isOtherTexture: Whether the image was released since, or has its pixels again.
    func signal(_ new: NetworkImagePhase, since old: NetworkImagePhase, isOtherTexture: Bool) {
        var names = new.changedProperties(since: old, withImage: new.image != nil || old.image != nil)
        if isOtherTexture, !names.contains("texture") { names.append("texture") }
        guard !names.isEmpty else { return }
        let end = new.hasSameContent(as: old) ? nil : end(of: new)
        // A handler may release the view or run the main loop.
        let view = ObjectReference(borrowing: UnsafeMutableRawPointer(widget))
        MainLoop.callBack { [weak self] in
            withExtendedLifetime(view) { self?.tell(names, end, in: new.kind) }
        }
    }

    /// The result of a load.
    private enum End {
        case loaded
        case failed(ImageError)
    }

    /// The result of the load in a new phase; `nil` if it continues or was cancelled.
    private func end(of phase: NetworkImagePhase) -> End? {
        switch phase {
        case .empty: loadedImage = nil
        case .loading(let loading):
            if let loadedImage, loading.preview?.isSameImage(as: loadedImage) != true { self.loadedImage = nil }
        case .success(let image):
            let isNew = loadedImage?.isSameImage(as: image) != true
            loadedImage = image
            return isNew ? .loaded : loading.model?.refreshError.map { .failed($0) }
        case .failure(let error):
            loadedImage = nil
            return .failed(error)
        }
        return nil
    }

    private func tell(_ names: [String], _ end: End?, in kind: NetworkImagePhase.Kind) {
        guard !isDisposed else { return }
        notify(names)
        // A notification handler may have requested another image.
        guard kind == shown.phase.kind else { return }
        switch end {
        case .loaded: shim_emit(widget, ViewSignals.loaded)
        case .failed(let error):
            // The copy stays valid if a handler requests another image.
            guard let error = ImageErrorDomain.makeError(error) else { return }
            shim_emit_error(widget, ViewSignals.failed, error)
            g_error_free(error)
        case nil: break
        }
    }
}

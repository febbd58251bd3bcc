import CRemoteImageGtk

/// What a view does when its load has changed, and when it leaves and comes back into sight.
extension RemoteImageViewState: WidgetLoadClient {
    var loadDeclaration: WidgetLoadController.Declaration {
        WidgetLoadController.Declaration(
            source: image.source, options: image.options, pipeline: image.pipeline, scale: image.scale)
    }

    func target(_ size: (width: Int, height: Int), _ fit: ContentFit?) -> TargetSize? {
        TargetSize(size, in: widget, fit: fit ?? image.targetFit)
    }

    /// Only an aspect ratio makes the heights of views of the same width differ.
    func expectedSize(like other: (width: Int32, height: Int32)) -> (width: Int32, height: Int32) {
        guard case .aspectRatio = reservedSize else { return other }
        return (other.width, measure(GTK_ORIENTATION_VERTICAL, forSize: other.width).natural)
    }

    func modelReplaced(by model: NetworkImageModel) {
        shownImage = nil
        content.endKeptSize()
        phaseFollower?()
    }

    func optionsChanged(to options: ImageOptions) {
        guard options.reservedSize != appliedSize else { return }
        appliedSize = options.reservedSize
        sizeChanged()
    }

    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        guard !isDisposed else { return }
        defer {
            phaseFollower?()
            reportPhase()
        }
        // The scale or the size may have changed during the load.
        defer { if new.kind == .success { loading.refineSoon() } }
        if case .success(let image) = new, shownImage?.isShown(by: image) == true {
            content.refresh()
            if wasBuiltReleased { build() }
            return
        }
        var old = old
        if let shownImage, shownImage.isAwaited {
            // The model has not reported the release.
            old = .success(shownImage.image)
            if new.kind == .loading || new.kind == .failure { content.keepSize() }
        }
        if new.hasSameContent(as: old) {
            if case .loading(let state) = new { shownLoad?.advance(to: state) }
        } else {
            build(in: transition(to: new))
        }
        // A load that is cancelled or fails keeps the size: the widgets around the view stay.
        if new.kind == .success { content.endKeptSize() }
    }

    func imageReleased() {
        guard !isDisposed, shownImage != nil else { return }
        shownImage?.release()
        shown.releaseTexture()
        content.endFade()
        content.refresh()
        signalChanges()
    }

    func drawAgain(_ image: LoadedImage) -> Bool {
        guard !isDisposed, shownImage?.refill(from: image) == true else { return false }
        content.refresh()
        signalChanges()
        return true
    }
}

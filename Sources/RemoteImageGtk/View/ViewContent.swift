import CRemoteImageGtk

/// The content of a view, the content that fades out, and hidden content that is about to be
/// removed.
///
/// The state of the view owns this object.
@MainActor
final class ViewContent {
    // Not owned: the view owns its state, which owns this object.
    private let view: UnsafeMutablePointer<GtkWidget>
    private let focus: ViewFocus
    private(set) var layer: ViewLayer?
    private var fade: (layer: ViewLayer, clock: CrossFade, effect: TransitionEffect)?
    private var hidden: [ViewLayer] = []
    /// The content of a released image, which gives the view its size until the image is loaded
    /// again.
    private var sizeKeeper: ViewLayer?

    init(_ view: UnsafeMutablePointer<GtkWidget>, _ focus: ViewFocus) {
        (self.view, self.focus) = (view, focus)
    }

    /// Whether animations play, or pause at their current frame.
    var isPlaying = true {
        didSet { layer?.setPlaying(isPlaying) }
    }

    // MARK: Size and drawing

    var requestMode: GtkSizeRequestMode {
        (sizeKeeper ?? layer)?.requestMode ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
    }

    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        (sizeKeeper ?? layer)?.measure(orientation, forSize: size) ?? (0, 0)
    }

    func allocate(width: Int32, height: Int32) {
        fade?.layer.allocate(width: width, height: height)
        layer?.allocate(width: width, height: height)
    }

    func snapshot(into snapshot: OpaquePointer?) {
        guard let layer, layer.belongsToView else { return }
        guard let fade, fade.layer.belongsToView else { return layer.snapshot(into: snapshot) }
        fade.effect.draw(
            TransitionFrame(into: snapshot, fade.clock.progress, from: fade.layer, to: layer, on: view))
    }

    func map() { layer?.map() }

    func unmap() {
        endFade()
        layer?.unmap()
    }

    // MARK: Change

    typealias Transition = (duration: Duration, effect: TransitionEffect)

    /// Makes the pictures of the content draw the pixels that their images have now.
    func refresh() { layer?.refresh() }

    /// Removes the content; the view keeps its size, also with other content.
    func keepSize() {
        guard sizeKeeper == nil, let layer else { return }
        endFade()
        layer.isDrawnByView ? layer.leave() : layer.hide()
        (sizeKeeper, self.layer) = (layer, nil)
    }

    /// Gives the view the size of its content again.
    func endKeptSize() {
        let keeper = sizeKeeper
        sizeKeeper = nil
        // A widget that the program holds may be the new content, too.
        if keeper?.child == nil || keeper?.child != layer?.child { keeper?.leave() }
        if keeper?.isDrawnByView == true, !hasSameSize(keeper, layer) {
            gtk_widget_queue_resize(view)
        }
    }

    /// - Parameters:
    ///   - transition: The duration and the effect of the transition; `nil` for none.
    ///   - isSizeFixed: Whether the size of the view is independent of its content.
    func replace(with new: Widget?, in transition: Transition? = nil, isSizeFixed: Bool = false) {
        if let new, let layer, layer.shows(new) {
            self.layer?.adopt(new)
            // The corner radius of the image may have changed.
            if layer.isDrawnByView { gtk_widget_queue_draw(view) }
            return
        }
        endFade()
        let old = layer
        let next = new.map { ViewLayer($0, in: view) }
        // A new widget is laid out in any case.
        let keepsSize = next?.isDrawnByView != false && (isSizeFixed || sizeKeeper != nil || hasSameSize(old, next))
        layer = nil
        focus.keep(from: old?.child)
        if let old, let transition, next != nil, old.belongsToView {
            let clock = CrossFade(duration: transition.duration, on: view) { [weak self] progress in
                guard let self else { return }
                gtk_widget_queue_draw(view)
                if progress >= 1 { endFade() }
            }
            fade = (old, clock, transition.effect)
        } else if let old {
            remove(old, isHiddenFirst: keepsSize)
        }
        if !keepsSize { removeHidden() }
        layer = next
        next?.setPlaying(isPlaying)
        next?.enter()
        focus.pass(to: next?.child)
        guard next?.isDrawnByView != false else { return }
        keepsSize ? gtk_widget_queue_draw(view) : gtk_widget_queue_resize(view)
    }

    func endFade() {
        guard let fade else { return }
        self.fade = nil
        fade.clock.stop()
        remove(fade.layer, isHiddenFirst: layer?.isDrawnByView == true)
    }

    /// Removes hidden content.
    func removeHidden() {
        let gone = hidden
        hidden = []
        gone.forEach { $0.leave() }
    }

    private func hasSameSize(_ old: ViewLayer?, _ new: ViewLayer?) -> Bool {
        let width = gtk_widget_get_width(view)
        return old.sizes(forWidth: width) == new.sizes(forWidth: width)
    }

    private func remove(_ old: ViewLayer, isHiddenFirst: Bool) {
        // A widget that the program holds is removed at once, so that it can be used elsewhere.
        guard isHiddenFirst, let child = old.child, shim_reference_count(child) <= 2 else { return old.leave() }
        old.hide()
        hidden.append(old)
        DeferredRemoval.shared.add(self)
    }
}

import CRemoteImageGtk
import Observation

/// The state of one view: its declaration, its model, and its current content.
///
/// The widget owns the state and releases it in its finalize. After disposal all calls do nothing.
@MainActor
package final class RemoteImageViewState: ImageObject, CustomWidget {
    // Not owned: the widget owns this object.
    let widget: UnsafeMutablePointer<GtkWidget>
    /// The declaration: that of Swift code, or the one that ``applyProperties(_:)`` makes.
    private(set) var image = NetworkImage(nil)
    /// What declares an image.
    enum Declarer {
        case code, properties
    }

    /// What made the declaration; `nil` before the first one.
    private(set) var declarer: Declarer?
    /// The values of the GObject properties.
    package var properties = ImageProperties()
    package var shown = ShownPhase()
    package var loadedImage: LoadedImage?
    let focus: ViewFocus
    let content: ViewContent
    private(set) lazy var loading = WidgetLoadController(widget, self)
    var appliedSize: ReservedSize?
    /// The overflow of the view before it was clipped; `nil` while it is not.
    var unclippedOverflow: GtkOverflow?
    package private(set) var isDisposed = false
    /// The number of the current build of the content.
    private var generation = 0
    /// Runs the builder of the content.
    package let builder = ValueObserver()
    /// The phase of the last report to the program.
    private var reportedPhase = NetworkImagePhase.empty
    /// Whether the image of the last report was released.
    private var reportsRelease = false
    private let signalDelay = SignalDelay()
    private let resizing = MainLoopTimer()
    private let hiding = MainLoopTimer()
    /// Called after each phase change and each new model, for widgets that lay out the view
    /// themselves.
    var phaseFollower: (@MainActor () -> Void)?

    package init(_ object: UnsafeMutablePointer<GObject>) {
        ImagePaintable.prepare()
        widget = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
        focus = ViewFocus(widget)
        content = ViewContent(widget, focus)
        CustomWidgets.add(self, at: widget)
        changeCSSClass(from: nil, to: .empty)
    }

    package var object: UnsafeMutablePointer<GObject> { widget.object }

    package var refreshError: ImageError? { loading.model?.refreshError }

    // MARK: Declaration

    var model: NetworkImageModel {
        if let model = loading.model { return model }
        let model = loading.makeModel()
        build()
        return model
    }

    /// The image that the content was built with; `nil` while it shows none.
    var shownImage: ShownImage?
    /// The observed state of the load that the content follows; `nil` while there is none.
    private(set) var shownLoad: LoadingState?
    /// Whether a builder has received the image without its pixels, which it may have copied.
    private(set) var wasBuiltReleased = false

    /// The phase of the model; `.empty` without a model. It stays `.success` while the image is
    /// released.
    var phase: NetworkImagePhase {
        guard let model = loading.model else { return .empty }
        return shownImage?.phase(of: model) ?? model.phase
    }

    /// Shows a declaration. Equal content is kept, unless it was paused in the row of another item.
    func show(_ image: NetworkImage, by declarer: Declarer = .code) {
        guard !isDisposed else { return }
        // Without a declarer, nothing has built the content of the properties yet.
        let isSame =
            self.declarer != nil && image.contentIdentity == self.image.contentIdentity
            && image.source == self.image.source && !builder.isPaused
        if image.source != self.image.source { content.endKeptSize() }
        (self.image, self.declarer) = (image, declarer)
        let (before, old) = (generation, loading.model)
        let hasModel = loading.declarationChanged()
        // A view that is not in a window has no model yet, but shows the placeholder of its
        // properties. A phase change in `declarationChanged` has already built the content.
        if hasModel || declarer == .properties, generation == before, !isSame || loading.model !== old { build() }
        if loading.model !== old { reportPhase() }
    }

    func setSource(_ source: ImageSource?) {
        guard !isDisposed else { return }
        if source != image.source { content.endKeptSize() }
        image.source = source
        if declarer == nil { declarer = .code }
        loading.sourceChanged()
    }

    /// Call when the view has a new parent, or the options or the pipeline of an ancestor have
    /// changed.
    func environmentChanged() {
        guard !isDisposed else { return }
        let (before, old) = (generation, loading.model)
        loading.environmentChanged()
        guard loading.model !== old else { return }
        if generation == before { build() }
        reportPhase()
    }

    package func load() { if !isDisposed { model.load() } }

    package func reload() { if !isDisposed { model.reload() } }

    package func cancel() { if !isDisposed { loading.model?.cancel() } }

    // MARK: Life of the widget

    func root() {
        // GTK does not report that a window has lost its focus widget by closing.
        focus.end()
        ViewStyle.add(to: gtk_widget_get_display(widget))
        environmentChanged()
        if !isDisposed { loading.root() }
    }

    func unroot() { loading.unroot() }

    func map() {
        // Visibility is known before loads may start.
        loading.map()
        content.map()
        // A widget that was shown before still has its size. A new one is measured and allocated
        // after this call, so that a cached image must be shown now to be measured.
        if gtk_widget_get_width(widget) > 0 {
            loading.appearIfReady()
            loading.refineSoon()
        } else {
            loading.prepareToAppear()
        }
        guard properties.decorative else { return }
        // GTK itself sets the state when it shows a widget, since 4.14 after this call.
        hiding.start(after: .zero, priority: G_PRIORITY_DEFAULT) { [weak self] in
            if let self, properties.decorative { hideFromScreenReaders(true) }
        }
    }

    func hideFromScreenReaders(_ isHidden: Bool) {
        if !isDisposed { shim_update_hidden(widget, isHidden ? 1 : 0) }
    }

    func unmap() {
        loading.unmap()
        content.unmap()
    }

    func allocate(width: Int32, height: Int32) {
        let before = generation
        loading.allocate(width: width, height: height)
        // GTK ignores resize requests during allocation. New content is drawn at the current size
        // and measured for the next frame; with a reserved size, no new measurement is needed.
        if generation != before, reservedSize == nil { resizeSoon() }
        content.allocate(width: width, height: height)
        placePopovers()
    }

    package func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        generation += 1
        builder.pause()
        resizing.stop()
        signalDelay.stop()
        (reportedPhase, reportsRelease) = (.empty, false)
        ImageMenu.remove(from: widget)
        loading.end()?.reset()
        content.replace(with: nil)
        content.removeHidden()
        content.endKeptSize()
        (shownImage, shownLoad) = (nil, nil)
        focus.end()
        properties.placeholder = ObjectSlot(nil)
        properties.failure = ObjectSlot(nil)
        properties.pipeline = ObjectSlot(nil)
        properties.authorization = ObjectSlot(nil)
        properties.sourceObject = ObjectSlot(nil)
        properties.display.processor = ObjectSlot(nil)
        loadedImage = nil
        // The source and the options keep objects of the program.
        image = NetworkImage(nil)
    }

    // MARK: Size

    /// Overrides the reserved size of the options in each direction, in points: the frame of the
    /// declaration, or the size that a viewer gives the view.
    package var fixedSize: (width: Int?, height: Int?) = (nil, nil) {
        didSet { if fixedSize != oldValue { sizeChanged() } }
    }

    private func resizeSoon() {
        resizing.start(after: .zero, priority: G_PRIORITY_HIGH_IDLE) { [weak self] in
            guard let self, !isDisposed else { return }
            gtk_widget_queue_resize(widget)
        }
    }

    // MARK: Content

    /// Reports the changes of the phase since the last call.
    ///
    /// Call after each phase change, and after the model was replaced: the new model may be in
    /// another phase without having reported a change.
    func reportPhase() {
        guard !isDisposed else { return }
        let (old, new) = (shown.phase, phase)
        shown.phase = new
        if old.kind != new.kind { changeCSSClass(from: old.kind, to: new.kind) }
        ImageMenu.phaseChanged(of: widget)
        if !new.hasSameContent(as: old) {
            Announcement.tell(of: new, from: old, at: widget, isDecorative: properties.decorative)
        }
        signalChanges()
    }

    /// Runs the work of a virtual function of GTK, and signals the changes of the phase after it.
    func withDelayedSignals(_ work: () -> Void) {
        signalDelay.run(work) { [weak self] in
            if let self, !isDisposed { signalChanges() }
        }
    }

    /// Signals the changes since the last report, also those of several phases: at once, or after
    /// the layout.
    func signalChanges() {
        guard signalDelay.mayEmit() else { return }
        let (old, wasReleased) = (reportedPhase, reportsRelease)
        reportedPhase = shown.phase
        reportsRelease = shown.phase.image?.isReleased == true
        signal(shown.phase, since: old, isOtherTexture: reportsRelease != wasReleased)
    }

    /// The transition to the content of a new phase; `nil` for none.
    func transition(to phase: NetworkImagePhase) -> ViewContent.Transition? {
        guard case .success(let image) = phase, loading.isVisible, let options = loading.options else { return nil }
        return CrossFade.duration(of: options.transition, to: image, on: widget)
            .map { ($0, options.transitionEffect ?? .crossFade) }
    }

    /// The phase, whose image or load the content is about to show.
    private func phaseToBuild() -> NetworkImagePhase {
        shownLoad = nil
        guard case .success(let image) = phase else {
            shownImage = nil
            guard case .loading(let state) = phase else { return phase }
            let observed = state.observed()
            shownLoad = observed
            return .loading(observed)
        }
        if shownImage?.image.hasSameContent(as: image) == true { return phase }
        let new = ShownImage(image)
        shownImage = new
        return .success(new.image)
    }

    /// Runs the builder of the phase, and runs it again whenever observable state that it read
    /// changes.
    ///
    /// - Parameter transition: The transition to the new content; `nil` for none.
    func build(in transition: ViewContent.Transition? = nil) {
        guard !isDisposed else { return }
        generation += 1
        let built = generation
        let model = loading.model
        let phase = phaseToBuild()
        var isFirst = true
        // The builder lives longer than the handlers that the modifiers set.
        var image = image
        image.modifiers = []
        builder.observe { [weak self, image, weak model] in
            self?.wasBuiltReleased = phase.image?.isReleased == true
            let content = image.content(for: phase) { [weak model] in model?.retry() }
            return {
                // The builder itself may have changed the declaration, which built newer content.
                guard let self, self.generation == built else { return }
                self.content.replace(
                    with: content, in: isFirst ? transition : nil, isSizeFixed: self.reservedSize != nil)
                isFirst = false
            }
        }
    }
}

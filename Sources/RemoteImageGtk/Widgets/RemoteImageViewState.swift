import CGtk
import Observation

/// The state of one view: its declaration, its model, and the content that is in the widget now.
///
/// Belongs to the widget, which releases it when it is finalized; after its disposal nothing happens any more.
@MainActor
final class RemoteImageViewState {
    // Not owned: the widget owns this object.
    let widget: UnsafeMutablePointer<GtkWidget>
    private(set) var image = NetworkImage<Widget>(nil as ImageSource?)
    /// The view's own; nil takes that of the widgets around.
    private(set) var pipeline: ImagePipeline?
    private(set) var loader: (model: NetworkImageModel, observation: PhaseObservation)?
    let content: ViewContent
    private lazy var tracker = VisibilityTracker(widget) { [weak self] in self?.visibilityChanged($0) }
    private lazy var scale = PixelScale(widget) { [weak self] in
        self?.updateTarget()
        self?.refineSoon()
    }
    private var appliedSize: ReservedSize?
    private var appearance = Appearance.hidden
    private var isDisposed = false
    /// Tells the content that is shown from what was built before, when state that it read changes.
    private var generation = 0
    private let refinement = MainLoopTimer()
    private let resizing = MainLoopTimer()
    private let disappearance = MainLoopTimer()
    private let networkReturn = NetworkReturn()
    /// The face of the view in GObject: properties and signals.
    private(set) lazy var object = ViewObject(self, widget)
    /// Told of each phase, and of each new model: for widgets that lay the view out themselves.
    var phaseFollower: (@MainActor () -> Void)?

    /// Whether the view is visible and its model has been told.
    private enum Appearance {
        case hidden
        /// Its turn comes before the next frame.
        case waiting
        case appeared
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        content = ViewContent(widget)
        _ = object
    }

    // MARK: Declaration

    var model: NetworkImageModel {
        if let loader { return loader.model }
        let model = makeModel()
        build()
        return model
    }

    /// That of the model, as far as there is one.
    var phase: NetworkImagePhase { loader?.model.phase ?? .empty }

    /// - Parameter pipeline: nil for that of the widgets around.
    func show(_ image: NetworkImage<Widget>, pipeline: ImagePipeline?) {
        guard !isDisposed else { return }
        self.image = image
        self.pipeline = pipeline
        let before = generation
        // A view that takes everything from around waits until it has a place; one that is to load before does not.
        guard loader != nil || pipeline != nil || isRooted || image.options.loadOptions.contains(.loadImmediately)
        else { return }
        updateModel()
        // A new phase has built its content already.
        if generation == before { build() }
    }

    func setSource(_ source: ImageSource?) {
        guard !isDisposed else { return }
        image.source = source
        guard let model = loader?.model else { return }
        // A view that is not visible does not load the new image, even if it had loaded the old one.
        if disappearance.isRunning, source != model.source { disappear() }
        updateTarget()
        model.join(FrameBatch.current(at: widget))
        model.source = source
        showMemoryWhileWaiting()
    }

    /// The view has got another place, or options or a pipeline were set around it.
    func environmentChanged() {
        guard !isDisposed, isRooted || loader != nil else { return }
        let before = generation
        let isNew = loader == nil
        updateModel()
        if isNew, generation == before { build() }
    }

    private func updateModel() {
        if let model = loader?.model, model.pipeline === effectivePipeline(over: model.pipeline) {
            model.join(FrameBatch.current(at: widget))
            model.update(source: image.source, options: options, scale: image.scale)
            applyOptions(of: model)
            showMemoryWhileWaiting()
        } else {
            loader = nil
            _ = makeModel()
            appearance = .hidden
            phaseFollower?()
            appearIfReady()
        }
    }

    private func makeModel() -> NetworkImageModel {
        let model = NetworkImageModel(
            image.source, pipeline: effectivePipeline(), options: options, scale: image.scale)
        let observation = model.observePhase { [weak self] old, new in self?.phaseChanged(from: old, to: new) }
        loader = (model, observation)
        DesktopFollower.shared.add(model.pipeline)
        applyOptions(of: model)
        return model
    }

    private func applyOptions(of model: NetworkImageModel) {
        let options = effectiveOptions(of: model)
        tracker.margin = options.viewportMargin
        updateTarget()
        refineSoon()
        guard options.reservedSize != appliedSize else { return }
        appliedSize = options.reservedSize
        gtk_widget_set_overflow(widget, appliedSize == nil ? GTK_OVERFLOW_VISIBLE : GTK_OVERFLOW_HIDDEN)
        gtk_widget_queue_resize(widget)
    }

    // MARK: Life of the widget

    func root() {
        environmentChanged()
    }

    func map() {
        // Before what may begin to load for it.
        scale.map()
        tracker.map()
        content.map()
        HiddenWindows.shared.watch(widget)
        // A widget that was shown before has its size still; a new one gets it after this. It is measured before that,
        // so that what it will show has to be there now.
        if gtk_widget_get_width(widget) > 0 {
            appearIfReady()
            refineSoon()
        } else if appearance == .hidden, !tracker.isInViewport {
            loader?.model.prepareToAppear()
        }
    }

    func unmap() {
        tracker.unmap()
        scale.unmap()
        content.unmap()
    }

    func allocate(width: Int32, height: Int32) {
        updateTarget()
        let before = generation
        tracker.allocate(width: width, height: height)
        appearIfReady()
        // Content that came only now is drawn in the size there is, and measured for the next frame: GTK takes no wish for
        // another size while it gives sizes out. In a reserved place it has no other size.
        if generation != before, reservedSize == nil { resizeSoon() }
        content.allocate(width: width, height: height)
        placePopovers()
        refineSoon()
    }

    func snapshot(into snapshot: OpaquePointer?) {
        guard tracker.isDrawn else { return }
        content.snapshot(into: snapshot)
    }

    func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        generation += 1
        refinement.stop()
        resizing.stop()
        disappearance.stop()
        networkReturn.end()
        ImageMenu.viewGoes(widget)
        tracker.unmap()
        scale.unmap()
        let model = loader?.model
        loader = nil
        model?.reset()
        content.replace(with: nil)
        content.removeHidden()
        object.dispose()
    }

    // MARK: Visibility

    private func visibilityChanged(_ isVisible: Bool) {
        guard !isDisposed else { return }
        guard !isVisible else { return appearIfReady() }
        guard appearance != .hidden, let model = loader?.model else { return }
        appearance = .hidden
        let delay = effectiveOptions(of: model).disappearDelay
        guard delay > .zero, model.isLoading || model.isRefining else { return model.disappear() }
        model.stepAside()
        disappearance.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in
            // Hundreds may have gone at once.
            IdleQueue.shared.perform { [weak self] in
                if let self, appearance == .hidden { disappear() }
            }
        }
    }

    private func disappear() {
        disappearance.stop()
        loader?.model.disappear()
    }

    private func appearIfReady() {
        guard tracker.isVisible, tracker.isLaidOut, appearance == .hidden, !isDisposed, loader != nil else { return }
        appearance = .waiting
        disappearance.stop()
        let batch = FrameBatch.current(at: widget)
        IdleQueue.shared.perform { [weak self] in self?.appear(in: batch) }
        showMemoryWhileWaiting()
    }

    private func appear(in batch: ScreenBatch) {
        guard appearance == .waiting, !isDisposed else { return }
        appearance = .appeared
        loader?.model.appear(in: batch)
    }

    /// Where very many views become visible at once, this view may load and show its placeholder a little later. An image in
    /// memory is shown at once.
    private func showMemoryWhileWaiting() {
        if appearance == .waiting { loader?.model.prepareFromMemory() }
    }

    /// The source changed, or its load was cancelled. A visible view loads it.
    func appearAgain() {
        if appearance == .appeared { loader?.model.appear(in: FrameBatch.current(at: widget)) }
    }

    // MARK: Size

    /// Goes before what the options reserve; for widgets that lay the view out themselves.
    var fixedSize: ReservedSize? {
        didSet { if fixedSize != oldValue { gtk_widget_queue_resize(widget) } }
    }

    private func updateTarget() {
        guard let model = loader?.model else { return }
        let fit = effectiveOptions(of: model).targetFit ?? object.declaredFit?.targetFit
        model.target = TargetSize(placeOf: widget, fit: fit ?? (image.hasStandardImage ? .contain : .cover))
    }

    /// How long a size must stay before the image is decoded again for it.
    static let settlingTime = Duration.milliseconds(150)

    /// After growth the image has too few pixels: it is made anew once the size has settled.
    private func refineSoon() {
        guard let model = loader?.model, model.needsMorePixels else { return }
        refinement.start(after: Self.settlingTime) { [weak self] in
            // All of a window may have grown.
            IdleQueue.shared.perform { [weak self] in
                if let self, appearance == .appeared, !isDisposed { loader?.model.refine() }
            }
        }
    }

    private func resizeSoon() {
        resizing.start(after: .zero, priority: G_PRIORITY_HIGH_IDLE) { [weak self] in
            guard let self, !isDisposed else { return }
            gtk_widget_queue_resize(widget)
        }
    }

    // MARK: Content

    private func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        guard !isDisposed else { return }
        watchNetwork(in: new)
        defer {
            phaseFollower?()
            object.phaseChanged()
        }
        if new.hasSameContent(as: old) {
            guard case .loading(let state) = new else { return }
            for binding in content.bindings { binding(state) }
        } else {
            Announcement.tell(of: new, from: old, at: widget, isDecorative: object.declaration.decorative)
            build(in: transition(to: new))
        }
        // The scale, or the size, may have changed while it came.
        if new.kind == .success { refineSoon() }
    }

    private func watchNetwork(in phase: NetworkImagePhase) {
        guard let network = loader?.model.pipeline.configuration.network else { return }
        networkReturn.follow(phase, on: network) { [weak self] in
            // A view that is not visible loads when it becomes visible.
            if let self, appearance == .appeared { loader?.model.retry() }
        }
    }

    /// How the content of a new phase comes in.
    private func transition(to phase: NetworkImagePhase) -> ViewContent.Transition? {
        guard case .success(let image) = phase, tracker.isVisible, let model = loader?.model else { return nil }
        let options = effectiveOptions(of: model)
        return CrossFade.duration(of: options.transition, to: image, on: widget)
            .map { ($0, options.transitionEffect ?? .crossFade) }
    }

    /// Runs the builder for the phase, and again whenever state that it read has changed.
    ///
    /// - Parameter transition: How the old content goes; nil for at once.
    func build(in transition: ViewContent.Transition? = nil) {
        guard !isDisposed else { return }
        generation += 1
        let built = generation
        let (model, phase) = (loader?.model, phase)
        let content = withObservationTracking {
            image.content(for: phase) { [weak model] in model?.retry() }
        } onChange: { [weak self] in
            Task { @MainActor in
                guard let self, self.generation == built else { return }
                self.build()
            }
        }
        // A builder may have changed what it builds for.
        guard generation == built else { return }
        self.content.replace(with: content, in: transition, isSizeFixed: reservedSize != nil)
    }
}

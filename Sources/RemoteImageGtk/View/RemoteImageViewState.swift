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
    let content: ViewContent
    private(set) lazy var loading = WidgetLoadController(widget, self)
    private var appliedSize: ReservedSize?
    private var isDisposed = false
    /// Tells the content that is shown from what was built before, when state that it read changes.
    private var generation = 0
    private let resizing = MainLoopTimer()
    /// The properties and signals of the view in GObject.
    private(set) lazy var object = ViewObject(self, widget)
    /// Called with each phase and each new model: for widgets that lay the view out themselves.
    var phaseFollower: (@MainActor () -> Void)?

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        content = ViewContent(widget)
        _ = object
    }

    // MARK: Declaration

    var model: NetworkImageModel {
        if let model = loading.model { return model }
        let model = loading.makeModel()
        build()
        return model
    }

    /// The phase of the model; empty before there is one.
    var phase: NetworkImagePhase { loading.model?.phase ?? .empty }

    /// The pipeline of the view itself; `nil` takes that of the widgets around.
    var pipeline: ImagePipeline? { loading.declaration.pipeline }

    func show(_ image: NetworkImage<Widget>, pipeline: ImagePipeline?) {
        guard !isDisposed else { return }
        self.image = image
        let before = generation
        let isLoading = loading.declare(
            WidgetLoadController.Declaration(
                source: image.source, options: image.options, pipeline: pipeline, scale: image.scale))
        // A new phase has built its content already.
        if isLoading, generation == before { build() }
    }

    func setSource(_ source: ImageSource?) {
        guard !isDisposed else { return }
        image.source = source
        loading.setSource(source)
    }

    /// The view has another place, or options or a pipeline were set around it.
    func environmentChanged() {
        guard !isDisposed else { return }
        let before = generation
        let isNew = loading.model == nil
        loading.environmentChanged()
        if isNew, loading.model != nil, generation == before { build() }
    }

    // MARK: Life of the widget

    func root() {
        environmentChanged()
    }

    func map() {
        // Before what may begin to load for it.
        loading.map()
        content.map()
        // A widget that was shown before has its size still; a new one gets it after this. It is measured before that,
        // so that what it will show has to be there now.
        if gtk_widget_get_width(widget) > 0 {
            loading.appearIfReady()
            loading.refineSoon()
        } else {
            loading.prepareToAppear()
        }
    }

    func unmap() {
        loading.unmap()
        content.unmap()
    }

    func allocate(width: Int32, height: Int32) {
        let before = generation
        loading.allocate(width: width, height: height)
        // Content that came only now is drawn in the size there is, and measured for the next frame: GTK takes no wish for
        // another size while it gives sizes out. In a reserved place it has no other size.
        if generation != before, reservedSize == nil { resizeSoon() }
        content.allocate(width: width, height: height)
        placePopovers()
    }

    func snapshot(into snapshot: OpaquePointer?) {
        guard loading.isDrawn else { return }
        content.snapshot(into: snapshot)
    }

    func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        generation += 1
        resizing.stop()
        ImageMenu.viewGoes(widget)
        loading.end()?.reset()
        content.replace(with: nil)
        content.removeHidden()
        object.dispose()
    }

    // MARK: Size

    /// Goes before what the options reserve; for widgets that lay the view out themselves.
    var fixedSize: ReservedSize? {
        didSet { if fixedSize != oldValue { gtk_widget_queue_resize(widget) } }
    }

    private func resizeSoon() {
        resizing.start(after: .zero, priority: G_PRIORITY_HIGH_IDLE) { [weak self] in
            guard let self, !isDisposed else { return }
            gtk_widget_queue_resize(widget)
        }
    }

    // MARK: Content

    /// How the content of a new phase comes in.
    private func transition(to phase: NetworkImagePhase) -> ViewContent.Transition? {
        guard case .success(let image) = phase, loading.isVisible, let options = loading.options else { return nil }
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
        let (model, phase) = (loading.model, phase)
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

extension RemoteImageViewState: WidgetLoadClient {
    func target(_ fit: TargetSize.Fit?) -> TargetSize? {
        let fit = fit ?? object.declaredFit?.targetFit
        return TargetSize(placeOf: widget, fit: fit ?? (image.hasStandardImage ? .contain : .cover))
    }

    func modelReplaced(by model: NetworkImageModel) {
        phaseFollower?()
    }

    func optionsChanged(to options: ImageOptions) {
        guard options.reservedSize != appliedSize else { return }
        appliedSize = options.reservedSize
        gtk_widget_set_overflow(widget, appliedSize == nil ? GTK_OVERFLOW_VISIBLE : GTK_OVERFLOW_HIDDEN)
        gtk_widget_queue_resize(widget)
    }

    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        guard !isDisposed else { return }
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
        if new.kind == .success { loading.refineSoon() }
    }
}

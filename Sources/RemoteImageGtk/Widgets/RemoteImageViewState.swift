import CGtk
import Observation

/// The state of one view: its declaration, its model, and the content that is in the widget now.
///
/// Belongs to the widget, which releases it when it is finalized; after its disposal nothing happens any more.
@MainActor
final class RemoteImageViewState {
    // Not owned: the widget owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private(set) var image = NetworkImage<Widget>(nil as ImageSource?)
    private var loader: (model: NetworkImageModel, observation: PhaseObservation)?
    private var content: Widget?
    private var fade: CrossFade?
    private var isMapped = false
    private var isAppeared = false
    private var isDisposed = false
    /// Tells the content that is shown from what was built before, when state that it read changes.
    private var generation = 0
    private var refinement: UInt32 = 0
    /// The face of the view in GObject: properties and signals.
    private(set) lazy var object = ViewObject(self, widget)

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        connectScaleFactor()
        _ = object
    }

    /// The content, unless its program has put it somewhere else meanwhile.
    var child: UnsafeMutablePointer<GtkWidget>? {
        guard let child = content?.pointer, gtk_widget_get_parent(child) == widget else { return nil }
        return child
    }

    /// The content that fades out, unless its program has put it somewhere else meanwhile.
    private var outgoing: UnsafeMutablePointer<GtkWidget>? {
        guard let outgoing = fade?.outgoing.pointer, gtk_widget_get_parent(outgoing) == widget else { return nil }
        return outgoing
    }

    // MARK: Declaration

    var model: NetworkImageModel {
        if let loader { return loader.model }
        let model = makeModel(pipeline: .shared)
        build()
        return model
    }

    func show(_ image: NetworkImage<Widget>, pipeline: ImagePipeline) {
        guard !isDisposed else { return }
        self.image = image
        let before = generation
        if let model = loader?.model, model.pipeline === pipeline {
            model.update(source: image.source, options: image.options, scale: image.scale)
        } else {
            loader = nil
            _ = makeModel(pipeline: pipeline)
            isAppeared = false
            appearIfReady()
        }
        // A new phase has built its content already.
        if generation == before { build() }
    }

    func setSource(_ source: ImageSource?) {
        guard !isDisposed else { return }
        image.source = source
        let model = model
        updateTarget()
        model.source = source
    }

    private func makeModel(pipeline: ImagePipeline) -> NetworkImageModel {
        let model = NetworkImageModel(image.source, pipeline: pipeline, options: image.options, scale: image.scale)
        let observation = model.observePhase { [weak self] old, new in self?.phaseChanged(from: old, to: new) }
        loader = (model, observation)
        updateTarget()
        return model
    }

    // MARK: Life of the widget

    func map() {
        isMapped = true
        // A widget that was shown before has its size still; a new one gets it after this. It is measured before that,
        // so that what it will show has to be there now.
        if gtk_widget_get_width(widget) > 0 {
            appearIfReady()
            refineSoon()
        } else if !isAppeared {
            loader?.model.prepareToAppear()
        }
    }

    func unmap() {
        isMapped = false
        isAppeared = false
        endFade()
        loader?.model.disappear()
    }

    func allocate(width: Int32, height: Int32) {
        updateTarget()
        let before = generation
        appearIfReady()
        // Content that came only now is drawn in the size there is, and measured for the next frame: GTK takes no wish for
        // another size while it gives sizes out.
        if generation != before { resizeSoon() }
        for child in [outgoing, child] {
            guard let child, gtk_widget_should_layout(child) != 0 else { continue }
            gtk_widget_allocate(child, width, height, -1, nil)
        }
        refineSoon()
    }

    func snapshot(into snapshot: OpaquePointer?) {
        guard let child else { return }
        guard let fade, let outgoing else { return gtk_widget_snapshot_child(widget, child, snapshot) }
        gtk_snapshot_push_cross_fade(snapshot, fade.progress)
        gtk_widget_snapshot_child(widget, outgoing, snapshot)
        gtk_snapshot_pop(snapshot)
        gtk_widget_snapshot_child(widget, child, snapshot)
        gtk_snapshot_pop(snapshot)
    }

    func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        generation += 1
        if refinement != 0 { g_source_remove(refinement) }
        refinement = 0
        let model = loader?.model
        loader = nil
        model?.reset()
        replaceContent(with: nil)
        object.dispose()
    }

    private func appearIfReady() {
        guard isMapped, !isAppeared, !isDisposed, let model = loader?.model else { return }
        isAppeared = true
        model.appear()
    }

    // MARK: Size

    private var scaleFactor: Int { Int(max(1, gtk_widget_get_scale_factor(widget))) }

    /// The pixels of the allocation. Enough for a picture that covers its place, and so for every fit; a view without
    /// a size takes all there are.
    private func updateTarget() {
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        guard width > 0, height > 0 else {
            loader?.model.target = nil
            return
        }
        loader?.model.target = TargetSize(
            PixelSize(width: width * scaleFactor, height: height * scaleFactor), fit: .cover)
    }

    /// How long a size must stay before the picture is decoded again for it.
    private static let settlingMilliseconds: UInt32 = 150

    /// After growth the picture has too few pixels: it is made anew once the size has settled.
    private func refineSoon() {
        guard let model = loader?.model, model.needsMorePixels else { return }
        if refinement != 0 { g_source_remove(refinement) }
        refinement = g_timeout_add_full(
            G_PRIORITY_DEFAULT_IDLE, Self.settlingMilliseconds,
            { data in
                guard let data else { return 0 }
                let state = Unmanaged<RemoteImageViewState>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { state.refine() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<RemoteImageViewState>.fromOpaque(data).release() }
            })
    }

    private func resizeSoon() {
        g_idle_add_full(
            G_PRIORITY_HIGH_IDLE,
            { data in
                guard let data else { return 0 }
                let state = Unmanaged<RemoteImageViewState>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated {
                    if !state.isDisposed { gtk_widget_queue_resize(state.widget) }
                }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<RemoteImageViewState>.fromOpaque(data).release() }
            })
    }

    private func refine() {
        refinement = 0
        guard isMapped, !isDisposed else { return }
        loader?.model.refine()
    }

    private func connectScaleFactor() {
        // Unretained: the widget ends the connection before it releases the state.
        shim_connect_notify(
            widget, "notify::scale-factor",
            { _, _, data in
                guard let data else { return }
                let state = Unmanaged<RemoteImageViewState>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated {
                    state.updateTarget()
                    state.refineSoon()
                }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    // MARK: Content

    private func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        guard !isDisposed else { return }
        defer { object.phaseChanged() }
        if new.hasSameContent(as: old) {
            guard case .loading(let state) = new else { return }
            for binding in content?.bindings ?? [] { binding(state) }
        } else {
            shim_update_busy(widget, new.kind == .loading ? 1 : 0)
            build(in: transition(to: new))
        }
    }

    /// How the content of a new phase comes in.
    private func transition(to phase: NetworkImagePhase) -> Duration? {
        guard case .success(let image) = phase, let model = loader?.model else { return nil }
        let transition = model.options.merged(over: model.pipeline.configuration.options).transition
        guard case .crossFade(let duration) = transition.style, isMapped, CrossFade.isWanted(by: widget) else {
            return nil
        }
        return image.info.origin == .memory && !transition.appliesToMemoryHits ? nil : duration
    }

    /// Runs the builder for the phase, and again whenever state that it read has changed.
    ///
    /// - Parameter transition: How long the old content fades out; nil for not at all.
    private func build(in transition: Duration? = nil) {
        guard !isDisposed, let model = loader?.model else { return }
        generation += 1
        let built = generation
        let phase = model.phase
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
        replaceContent(with: content, in: transition)
    }

    private func endFade() {
        guard let fade else { return }
        self.fade = nil
        fade.stop()
        remove(fade.outgoing)
    }

    /// Takes a widget out, unless its program has done so.
    private func remove(_ old: Widget) {
        if gtk_widget_get_parent(old.pointer) == widget { gtk_widget_unparent(old.pointer) }
    }

    private func replaceContent(with new: Widget?, in transition: Duration? = nil) {
        guard new == nil || new?.pointer != child else {
            content = new
            return
        }
        endFade()
        let old = content
        content = nil
        if let old, let transition, new != nil, gtk_widget_get_parent(old.pointer) == widget {
            fade = CrossFade(from: old, duration: transition, on: widget) { [weak self] in self?.endFade() }
        } else if let old {
            remove(old)
        }
        guard let new else { return }
        if gtk_widget_get_parent(new.pointer) != nil { gtk_widget_unparent(new.pointer) }
        content = new
        gtk_widget_set_parent(new.pointer, widget)
    }
}

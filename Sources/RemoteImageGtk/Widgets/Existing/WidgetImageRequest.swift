import CGtk

/// One image on its way into a `GtkPicture` or a `GtkImage`. Hangs on the widget; the next request takes its place.
@MainActor
final class WidgetImageRequest {
    typealias Completion = @MainActor (Result<LoadedImage, ImageError>) -> Void

    private static let data = ObjectData<WidgetImageRequest>("remote-image-request")

    private let target: PaintableTarget
    private let declaration: WidgetImageDeclaration
    private var completion: Completion?
    /// Nil as long as the widget has no place that could say which pipeline.
    private var loader: (model: NetworkImageModel, observation: PhaseObservation)?
    private var environment: EnvironmentObservation?
    private lazy var tracker = VisibilityTracker(target.widget) { [weak self] in self?.visibilityChanged($0) }
    private lazy var scale = PixelScale(target.widget) { [weak self] in self?.refineSoon() }
    private let disappearance = MainLoopTimer()
    private let refinement = MainLoopTimer()
    private let networkReturn = NetworkReturn()
    private var isAppeared = false
    /// Of the widget's signals, which end with it: a reference to it would keep it.
    private var handlers: [gulong] = []
    private var fade: PaintableFade?
    private var animation: WidgetAnimation?
    private var tick: guint = 0
    private var frameCount = 0

    /// Starts a request in place of the one before.
    static func start(
        _ declaration: WidgetImageDeclaration, on target: PaintableTarget, completion: Completion?
    ) {
        let old = data[target.widget]
        let request = WidgetImageRequest(target, declaration, completion)
        data[target.widget] = request
        // The new one joins before the old one leaves: a transfer that both want survives.
        request.begin()
        let model = old?.end()
        IdleQueue.shared.perform { model?.reset() }
    }

    /// Ends the request of a widget; what the widget shows stays.
    static func cancel(on widget: UnsafeMutablePointer<GtkWidget>) {
        let old = data[widget]
        data[widget] = nil
        old?.end()?.reset()
    }

    private init(_ target: PaintableTarget, _ declaration: WidgetImageDeclaration, _ completion: Completion?) {
        self.target = target
        self.declaration = declaration
        self.completion = completion
    }

    private func begin() {
        guard declaration.source != nil else { return target.show(declaration.placeholder) }
        let widget = UnsafeMutableRawPointer(target.widget)
        environment = WidgetEnvironment.observe(at: target.widget) { [weak self] in self?.environmentChanged() }
        handlers = [
            Signal.connect("map", of: widget) { [weak self] in self?.map() },
            Signal.connect("unmap", of: widget) { [weak self] in self?.unmap() },
        ]
        let loadsAtOnce = declaration.options.loadOptions.contains(.loadImmediately)
        if declaration.pipeline != nil || isRooted || loadsAtOnce { updateModel() }
        if loader?.model.image == nil { target.show(declaration.placeholder) }
        if gtk_widget_get_mapped(target.widget) != 0 { map() }
    }

    /// - Returns: What may still load.
    private func end() -> NetworkImageModel? {
        let model = loader?.model
        loader = nil
        environment = nil
        for handler in handlers { g_signal_handler_disconnect(target.widget, handler) }
        handlers = []
        stopTicking()
        tracker.unmap()
        scale.unmap()
        disappearance.stop()
        refinement.stop()
        networkReturn.end()
        fade?.stop()
        animation?.end()
        let completion = completion
        self.completion = nil
        completion?(.failure(.cancelled))
        return model
    }

    // MARK: Environment

    private var isRooted: Bool { gtk_widget_get_root(target.widget) != nil }

    private func environmentChanged() {
        if isRooted { updateModel() }
    }

    private func updateModel() {
        let options = declaration.options.merged(over: WidgetEnvironment.options(at: target.widget))
        let pipeline = declaration.pipeline ?? WidgetEnvironment.effectivePipeline(at: target.widget)
        if let model = loader?.model, model.pipeline === pipeline {
            model.update(source: declaration.source, options: options, scale: declaration.scale)
            tracker.margin = self.options(of: model).viewportMargin
        } else {
            makeModel(pipeline, options)
        }
    }

    private func makeModel(_ pipeline: ImagePipeline, _ options: ImageOptions) {
        let model = NetworkImageModel(
            declaration.source, pipeline: pipeline, options: options, scale: declaration.scale)
        let observation = model.observePhase { [weak self] _, new in self?.phaseChanged(to: new) }
        loader = (model, observation)
        DesktopFollower.shared.add(pipeline)
        tracker.margin = self.options(of: model).viewportMargin
        isAppeared = false
        updateTarget(of: model)
        // Shows what memory has, in this very call.
        if model.image == nil { model.prepareToAppear() } else { phaseChanged(to: model.phase) }
        appearIfReady()
    }

    private func updateTarget(of model: NetworkImageModel) {
        model.target = target.target(options(of: model).targetFit)
    }

    private func options(of model: NetworkImageModel) -> ImageOptions {
        model.options.merged(over: model.pipeline.configuration.options)
    }

    // MARK: Visibility

    private func map() {
        frameCount = 0
        scale.map()
        tracker.map()
        HiddenWindows.shared.watch(target.widget)
        waitForSize()
    }

    private func unmap() {
        stopTicking()
        tracker.unmap()
        scale.unmap()
    }

    /// A row that is only just bound has no size yet; a widget that is nothing without its image never gets one.
    private func waitForSize() {
        guard !target.hasSize, frameCount < 3 else {
            tracker.allocate(
                width: gtk_widget_get_width(target.widget), height: gtk_widget_get_height(target.widget))
            return appearIfReady()
        }
        tick = gtk_widget_add_tick_callback(
            target.widget,
            { _, _, data in
                guard let data else { return 0 }
                let request = Unmanaged<WidgetImageRequest>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { request.frameCame() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<WidgetImageRequest>.fromOpaque(data).release() }
            })
    }

    private func frameCame() {
        tick = 0
        frameCount += 1
        if loader != nil { waitForSize() }
    }

    private func stopTicking() {
        if tick != 0 { gtk_widget_remove_tick_callback(target.widget, tick) }
        tick = 0
    }

    private func visibilityChanged(_ isVisible: Bool) {
        guard !isVisible else { return appearIfReady() }
        guard isAppeared, let model = loader?.model else { return }
        isAppeared = false
        let delay = options(of: model).disappearDelay
        guard delay > .zero, model.isLoading || model.isRefining else { return model.disappear() }
        model.stepAside()
        disappearance.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in
            IdleQueue.shared.perform { [weak self] in
                if let self, !isAppeared { loader?.model.disappear() }
            }
        }
    }

    private func appearIfReady() {
        guard tracker.isVisible, tracker.isLaidOut, !isAppeared, let model = loader?.model else { return }
        isAppeared = true
        disappearance.stop()
        updateTarget(of: model)
        let batch = FrameBatch.current(at: target.widget)
        let hasAppeared = IdleQueue.shared.perform { [weak self, weak model] in
            guard let self, let model, isAppeared, model === loader?.model else { return }
            model.appear(in: batch)
            if !model.isLoading { finish(with: model.phase) }
        }
        if !hasAppeared { model.prepareFromMemory() }
    }

    /// After growth the image has too few pixels: it is made anew once the size has settled.
    private func refineSoon() {
        guard let model = loader?.model else { return }
        updateTarget(of: model)
        guard model.needsMorePixels else { return }
        refinement.start(after: RemoteImageViewState.settlingTime) { [weak self] in
            IdleQueue.shared.perform { [weak self] in
                if let self, isAppeared { loader?.model.refine() }
            }
        }
    }

    // MARK: Phases

    private func phaseChanged(to phase: NetworkImagePhase) {
        watchNetwork(in: phase)
        switch phase {
        case .success(let image):
            show(image)
            // What memory has of it may be too small; the rest comes.
            if isAppeared || target.hasSize { finish(with: phase) }
        case .failure: finish(with: phase)
        case .empty, .loading: break
        }
    }

    private func watchNetwork(in phase: NetworkImagePhase) {
        guard let network = loader?.model.pipeline.configuration.network else { return }
        networkReturn.follow(phase, on: network) { [weak self] in
            // A widget that is not visible loads when it becomes visible.
            if let self, isAppeared { loader?.model.retry() }
        }
    }

    private func show(_ image: LoadedImage) {
        fade?.stop()
        fade = nil
        animation?.end()
        animation = nil
        let old = target.paintable
        let duration = transition.flatMap { CrossFade.duration(of: $0, to: image, on: target.widget) }
        let outgoing = duration != nil && gtk_widget_get_mapped(target.widget) != 0 ? old : nil
        let paintable = ImagePaintable.make(image, over: outgoing)
        target.paintable = paintable.map { OpaquePointer($0.pointer) }
        guard let paintable else { return }
        ImagePaintable.whenSizeChanges(of: paintable) { [weak self] in self?.refineSoon() }
        if let duration, outgoing != nil { fade = PaintableFade(paintable, duration: duration, on: target.widget) }
        if declaration.playsAnimation, let moving = image.animation {
            animation = WidgetAnimation(moving, paintable, on: target.widget)
        }
    }

    private var transition: ImageTransition? {
        declaration.transition ?? loader.map { options(of: $0.model).transition }
    }

    private func finish(with phase: NetworkImagePhase) {
        guard let completion else { return }
        switch phase {
        case .success(let image):
            self.completion = nil
            completion(.success(image))
        case .failure(let error):
            self.completion = nil
            completion(.failure(error))
        case .empty, .loading: break
        }
    }
}

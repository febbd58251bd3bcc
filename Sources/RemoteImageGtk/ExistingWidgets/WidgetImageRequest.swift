import CGtk

/// One image on its way into a `GtkPicture` or a `GtkImage`. Hangs on the widget; the next request takes its place.
@MainActor
final class WidgetImageRequest {
    typealias Completion = @MainActor (Result<LoadedImage, ImageError>) -> Void

    private static let data = ObjectData<WidgetImageRequest>("remote-image-request")

    private let target: PaintableTarget
    private let declaration: WidgetImageDeclaration
    private var completion: Completion?
    private lazy var loading = WidgetLoadController(target.widget, self)
    private var environment: EnvironmentObservation?
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
        guard declaration.load.source != nil else { return target.show(declaration.placeholder) }
        let widget = UnsafeMutableRawPointer(target.widget)
        environment = WidgetEnvironment.observe(at: target.widget) { [weak self] in
            guard let self, gtk_widget_get_root(target.widget) != nil else { return }
            loading.environmentChanged()
        }
        handlers = [
            Signal.connect("map", of: widget) { [weak self] in self?.map() },
            Signal.connect("unmap", of: widget) { [weak self] in self?.unmap() },
        ]
        loading.declare(declaration.load)
        if loading.model?.image == nil { target.show(declaration.placeholder) }
        if gtk_widget_get_mapped(target.widget) != 0 { map() }
    }

    /// - Returns: What may still load.
    private func end() -> NetworkImageModel? {
        let model = loading.end()
        environment = nil
        for handler in handlers { g_signal_handler_disconnect(target.widget, handler) }
        handlers = []
        stopTicking()
        fade?.stop()
        animation?.end()
        let completion = completion
        self.completion = nil
        completion?(.failure(.cancelled))
        return model
    }

    // MARK: Size

    private func map() {
        frameCount = 0
        loading.map()
        waitForSize()
    }

    private func unmap() {
        stopTicking()
        loading.unmap()
    }

    /// A row that is only just bound has no size yet; a widget that is nothing without its image never gets one.
    private func waitForSize() {
        guard !target.hasSize, frameCount < 3 else {
            return loading.allocate(
                width: gtk_widget_get_width(target.widget), height: gtk_widget_get_height(target.widget))
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
        if loading.model != nil { waitForSize() }
    }

    private func stopTicking() {
        if tick != 0 { gtk_widget_remove_tick_callback(target.widget, tick) }
        tick = 0
    }

    // MARK: Image

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
        ImagePaintable.whenSizeChanges(of: paintable) { [weak self] in self?.loading.refineSoon() }
        if let duration, outgoing != nil { fade = PaintableFade(paintable, duration: duration, on: target.widget) }
        if declaration.playsAnimation, let moving = image.animation {
            animation = WidgetAnimation(moving, paintable, on: target.widget)
        }
    }

    private var transition: ImageTransition? {
        declaration.transition ?? loading.options?.transition
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

extension WidgetImageRequest: WidgetLoadClient {
    func target(_ fit: TargetSize.Fit?) -> TargetSize? { target.target(fit) }

    func modelReplaced(by model: NetworkImageModel) {
        // An image in memory is shown in this very call.
        if model.image == nil { model.prepareToAppear() } else { phaseChanged(to: model.phase) }
    }

    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        phaseChanged(to: new)
    }

    private func phaseChanged(to phase: NetworkImagePhase) {
        switch phase {
        case .success(let image):
            show(image)
            // An image in memory may be too small for the widget: the larger one follows.
            if loading.isWanted || target.hasSize { finish(with: phase) }
        case .failure: finish(with: phase)
        case .empty, .loading: break
        }
    }

    func appeared(_ model: NetworkImageModel) {
        if !model.isLoading { finish(with: model.phase) }
    }
}

import CGtk

/// The request of `setImage` for a `GtkPicture` or a `GtkImage`. The widget owns it; the next
/// request replaces it.
@MainActor
final class WidgetImageRequest {
    typealias Completion = @MainActor (Result<LoadedImage, ImageError>) -> Void

    private static let data = ObjectData<WidgetImageRequest>("remote-image-request")

    private let target: PaintableTarget
    private let declaration: WidgetImageDeclaration
    private var completion: Completion?
    private lazy var loading = WidgetLoadController(target.widget, self)
    private var environment: EnvironmentObservation?
    /// The handler IDs on the widget. A `SignalConnections` would keep the widget alive.
    private var handlers: [gulong] = []
    private var fade: CrossFade?
    private var animation: WidgetAnimation?
    private var sizeTicks: FrameTicks?
    private var frameCount = 0

    /// Starts a request, which replaces the previous one of the widget.
    static func start(
        _ declaration: WidgetImageDeclaration, on target: PaintableTarget, completion: Completion?
    ) {
        let old = data[target.widget]
        let request = WidgetImageRequest(target, declaration, completion)
        data[target.widget] = request
        // The new request subscribes before the old one unsubscribes, so that a shared transfer
        // survives.
        request.begin()
        let model = old?.end()
        IdleQueue.shared.perform { model?.reset() }
    }

    /// Cancels the request of a widget. The widget keeps its content.
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
        loading.declarationChanged()
        if loading.model?.image == nil { target.show(declaration.placeholder) }
        if gtk_widget_get_mapped(target.widget) != 0 { map() }
    }

    /// - Returns: The model, which may still be loading.
    private func end() -> NetworkImageModel? {
        let model = loading.end()
        environment = nil
        for handler in handlers { g_signal_handler_disconnect(target.widget, handler) }
        handlers = []
        sizeTicks?.stop()
        fade?.finish()
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
        sizeTicks?.stop()
        loading.unmap()
    }

    /// A newly bound row gets its size within a few frames. A widget whose size depends on its
    /// image never gets one before the load.
    private func waitForSize() {
        guard !target.hasSize, frameCount < 3 else {
            return loading.allocate(
                width: gtk_widget_get_width(target.widget), height: gtk_widget_get_height(target.widget))
        }
        sizeTicks = FrameTicks(of: target.widget) { [weak self] _ in
            self?.frameCame()
            return false
        }
    }

    private func frameCame() {
        frameCount += 1
        if loading.model != nil { waitForSize() }
    }

    // MARK: Image

    private func show(_ image: LoadedImage) {
        fade?.finish()
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
        if let duration, outgoing != nil {
            fade = CrossFade(duration: duration, on: target.widget) { ImagePaintable.setProgress($0, of: paintable) }
        }
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
    var loadDeclaration: WidgetLoadController.Declaration { declaration.load }

    func target(_ fit: TargetSize.Fit?) -> TargetSize? { target.target(fit) }

    func modelReplaced(by model: NetworkImageModel) {
        // A cached image is shown during this call.
        if model.image == nil { model.prepareToAppear() } else { phaseChanged(to: model.phase) }
    }

    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        phaseChanged(to: new)
    }

    private func phaseChanged(to phase: NetworkImagePhase) {
        switch phase {
        case .success(let image):
            show(image)
            // A cached image may be too small for the widget; then a larger one follows.
            if loading.isWanted || target.hasSize { finish(with: phase) }
        case .failure: finish(with: phase)
        case .empty, .loading: break
        }
    }

    func appeared(_ model: NetworkImageModel) {
        if !model.isLoading { finish(with: model.phase) }
    }
}

import CGtk

/// One picture on its way into a `GtkPicture` or a `GtkImage`. Hangs on the widget; the next request takes its place.
@MainActor
final class WidgetImageRequest {
    typealias Completion = @MainActor (Result<LoadedImage, ImageError>) -> Void

    private static let data = ObjectData<WidgetImageRequest>("remote-image-request")

    private let target: PaintableTarget
    private let model: NetworkImageModel
    private let placeholder: ImagePlaceholder
    private let transition: ImageTransition
    private let playsAnimation: Bool
    private var completion: Completion?
    private var observation: PhaseObservation?
    /// Of the signal `map`; the widget ends it at its own end.
    private var mapHandler: gulong = 0
    private var fade: PaintableFade?
    private var animation: WidgetAnimation?
    private var tick: guint = 0
    private var frameCount = 0

    /// Starts a request in place of the one before.
    static func start(
        _ source: ImageSource?, on target: PaintableTarget, placeholder: ImagePlaceholder, options: ImageOptions,
        pipeline: ImagePipeline?, scale: Double, transition: ImageTransition?, playsAnimation: Bool,
        completion: Completion?
    ) {
        let pipeline = pipeline ?? Surroundings.effectivePipeline(at: target.widget)
        let options = options.merged(over: Surroundings.options(at: target.widget))
        let model = NetworkImageModel(source, pipeline: pipeline, options: options, scale: scale)
        let old = data[target.widget]
        let request = WidgetImageRequest(target, model, placeholder, transition, playsAnimation, completion)
        data[target.widget] = request
        // The new one joins before the old one leaves: a transfer that both want survives.
        request.begin()
        old?.end()
    }

    /// Ends the request of a widget; what the widget shows stays.
    static func cancel(on widget: UnsafeMutablePointer<GtkWidget>) {
        let old = data[widget]
        data[widget] = nil
        old?.end()
    }

    private init(
        _ target: PaintableTarget, _ model: NetworkImageModel, _ placeholder: ImagePlaceholder,
        _ transition: ImageTransition?, _ playsAnimation: Bool, _ completion: Completion?
    ) {
        self.target = target
        self.model = model
        self.placeholder = placeholder
        self.completion = completion
        self.playsAnimation = playsAnimation
        self.transition =
            transition ?? model.options.merged(over: model.pipeline.configuration.options).transition
    }

    private func begin() {
        guard model.source != nil else {
            target.show(placeholder)
            return
        }
        observation = model.observePhase { [weak self] _, new in self?.phaseChanged(to: new) }
        model.target = target.target
        // Shows what memory has, in this very call.
        model.prepareToAppear()
        if model.image == nil { target.show(placeholder) }
        loadSoon()
    }

    /// Loads as soon as the widget has a size, at once if it has one: a row that is only just bound has none.
    private func loadSoon() {
        guard gtk_widget_get_mapped(target.widget) != 0 else {
            mapHandler = Signal.connect("map", of: UnsafeMutableRawPointer(target.widget)) { [weak self] in
                self?.stopWaiting()
                self?.loadSoon()
            }
            return
        }
        // A widget that is nothing without its picture never gets a size.
        guard target.target == nil, frameCount < 3 else { return load() }
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

    private func stopWaiting() {
        guard mapHandler != 0 else { return }
        g_signal_handler_disconnect(target.widget, mapHandler)
        mapHandler = 0
    }

    private func frameCame() {
        tick = 0
        frameCount += 1
        if observation != nil { loadSoon() }
    }

    private func load() {
        model.target = target.target
        model.appear()
        if !model.isLoading { finish(with: model.phase) }
    }

    private func phaseChanged(to phase: NetworkImagePhase) {
        switch phase {
        case .success(let image):
            show(image)
            // What memory has of it may be too small; the rest comes.
            if frameCount > 0 || target.target != nil { finish(with: phase) }
        case .failure: finish(with: phase)
        case .empty, .loading: break
        }
    }

    private func show(_ image: LoadedImage) {
        fade?.stop()
        fade = nil
        animation?.end()
        animation = nil
        let old = target.paintable
        let duration = CrossFade.duration(of: transition, to: image, on: target.widget)
        let outgoing = duration != nil && gtk_widget_get_mapped(target.widget) != 0 ? old : nil
        let paintable = PicturePaintable.make(image, over: outgoing)
        target.paintable = paintable.map { OpaquePointer($0.pointer) }
        guard let paintable else { return }
        if let duration, outgoing != nil { fade = PaintableFade(paintable, duration: duration, on: target.widget) }
        if playsAnimation, let moving = image.animation {
            animation = WidgetAnimation(moving, paintable, on: target.widget)
        }
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

    private func end() {
        observation = nil
        stopWaiting()
        if tick != 0 { gtk_widget_remove_tick_callback(target.widget, tick) }
        tick = 0
        fade?.stop()
        animation?.end()
        model.reset()
        let completion = completion
        self.completion = nil
        completion?(.failure(.cancelled))
    }
}

import CRemoteImageGtk

/// The request of `setImage` for a widget. The widget owns it; the next request replaces it.
@MainActor
package final class WidgetImageRequest {
    package typealias Completion = @MainActor (Result<LoadedImage, ImageError>) -> Void

    private static let data = ObjectData<WidgetImageRequest>("remote-image-request")

    private let target: PaintableTarget
    private(set) var loadDeclaration: WidgetLoadController.Declaration
    private var placeholder: ImagePlaceholder
    /// `nil` for the transition of the options.
    private let ownTransition: ImageTransition?
    private let playsAnimation: Bool
    private var completion: Completion?
    /// Called when ``phase`` may have changed.
    package var phaseFollower: (@MainActor () -> Void)?
    /// Whether an animation plays, or pauses at its current frame.
    package var isPlaying = true {
        didSet { animation?.isPaused = !isPlaying }
    }
    private lazy var loading = WidgetLoadController(target.widget, self)
    private var environment: ObservationToken?
    private let connections = SignalConnections()
    private var fade: CrossFade?
    private var animation: AnimationPlayback?
    /// The image or the preview of this request that the widget shows.
    private var shown: (image: ShownImage, paintable: ObjectReference)?
    /// The references of the paintable by this request and the widget.
    private var referenceCount: guint = 0
    private var sizeTicks: FrameTicks?

    /// Starts the request, which replaces the previous one of the widget.
    package func start() {
        let old = Self.data[target.widget]
        Self.data[target.widget] = self
        // The new request subscribes before the old one unsubscribes, so that a shared transfer
        // survives.
        begin()
        let model = old?.end()
        IdleQueue.shared.perform { model?.reset() }
    }

    /// Whether a widget has a request.
    package static func exists(on widget: UnsafeMutablePointer<GtkWidget>) -> Bool { data[widget] != nil }

    /// Whether the widget still has this request, for an image.
    package var isForImage: Bool { Self.data[target.widget] === self && loadDeclaration.source != nil }

    /// Changes the image or its options as those of a view: what makes no other image loads
    /// nothing, and the options may keep the old image until the new one is loaded.
    package func update(_ declaration: WidgetLoadController.Declaration, placeholder: ImagePlaceholder) {
        let isOther = declaration.source != loadDeclaration.source
        (loadDeclaration, self.placeholder) = (declaration, placeholder)
        target.keepOriginal(for: placeholder)
        // Only the same image can give a released one its pixels.
        if isOther, shown?.image.isAwaited == true { removeImage() }
        loading.declarationChanged()
        // A handler of the program may have started another request.
        guard isForImage else { return }
        if shown?.image.isAwaited == true, model?.isReleased == false, case .empty = model?.phase { removeImage() }
        if isOther { model?.prepareToAppear() }
        if shown == nil { target.show(placeholder) }
        if isOther { loading.appearAgain() }
    }

    /// Cancels the request of a widget. The widget keeps its content.
    static func cancel(on widget: UnsafeMutablePointer<GtkWidget>) {
        let old = data[widget]
        data[widget] = nil
        old?.end()?.reset()
    }

    package init(
        _ declaration: WidgetLoadController.Declaration, on target: PaintableTarget, placeholder: ImagePlaceholder,
        transition: ImageTransition?, playsAnimation: Bool, completion: Completion?
    ) {
        loadDeclaration = declaration
        self.target = target
        self.placeholder = placeholder
        ownTransition = transition
        self.playsAnimation = playsAnimation
        self.completion = completion
    }

    /// The model; `nil` before the pipeline is known and after the end.
    package var model: NetworkImageModel? { loading.model }

    /// The phase of the model; `.empty` without a model. It stays `.success` while the image is
    /// released.
    package var phase: NetworkImagePhase {
        guard let model else { return .empty }
        return shown?.image.phase(of: model) ?? model.phase
    }

    private func begin() {
        // Also for a later request with the placeholder `.original`.
        target.keepOriginal(for: placeholder)
        guard loadDeclaration.source != nil else { return target.show(placeholder) }
        let widget = UnsafeMutableRawPointer(target.widget)
        environment = WidgetEnvironment.observe(at: target.widget) { [weak self] in
            guard let self, gtk_widget_get_root(target.widget) != nil else { return }
            loading.environmentChanged()
        }
        loading.whenNeedsDrawingChanges { [weak self] in
            if let paintable = self?.shown?.paintable { ImagePaintable.invalidate(paintable) }
        }
        connections.connect("map", of: widget) { [weak self] in self?.map() }
        connections.connect("unmap", of: widget) { [weak self] in self?.unmap() }
        connections.connect(property: "root", of: widget) { [weak self] in self?.rootChanged() }
        loading.declarationChanged()
        // The completion, which gets a cached image at once, may have started another request.
        guard Self.data[target.widget] === self else { return }
        if shown == nil { target.show(placeholder) }
        rootChanged()
        if gtk_widget_get_mapped(target.widget) != 0 { map() }
    }

    private func rootChanged() {
        if gtk_widget_get_root(target.widget) != nil { loading.root() } else { loading.unroot() }
    }

    /// - Returns: The model, which may still be loading.
    private func end() -> NetworkImageModel? {
        let model = loading.end()
        environment = nil
        connections.end()
        sizeTicks?.stop()
        endEffects()
        shown = nil
        let completion = completion
        self.completion = nil
        completion?(.failure(.cancelled))
        phaseFollower?()
        return model
    }

    // MARK: Size

    private func map() {
        loading.map()
        sizeTicks?.stop()
        sizeTicks = FrameTicks.whenSized(target.widget) { [weak self] in
            guard let self else { return }
            loading.allocate(
                width: gtk_widget_get_width(target.widget), height: gtk_widget_get_height(target.widget))
        }
    }

    private func unmap() {
        sizeTicks?.stop()
        loading.unmap()
    }

    // MARK: Image

    private func show(_ image: LoadedImage, _ transition: ImageTransition? = nil) {
        endEffects()
        let old = target.paintable
        let duration = transition.flatMap { CrossFade.duration(of: $0, to: image, on: target.widget) }
        let outgoing = duration != nil && gtk_widget_get_mapped(target.widget) != 0 ? old : nil
        let image = ShownImage(image)
        let paintable = target.makePaintable(image.image, over: outgoing)
        target.paintable = paintable.map { OpaquePointer($0.pointer) }
        guard let paintable else { return }
        if let model, let options = loading.options { ImageAccount.set(model, options, of: paintable) }
        shown = (image, paintable)
        referenceCount = shim_reference_count(paintable.pointer)
        ImagePaintable.whenSizeChanges(of: paintable) { [weak self] in self?.loading.refineSoon() }
        ImagePaintable.draw(paintable) { [weak self] in
            self.map { $0.loading.needsDrawing || $0.isShownElsewhere } ?? true
        }
        if let duration, outgoing != nil {
            fade = CrossFade(duration: duration, on: target.widget) { ImagePaintable.setProgress($0, of: paintable) }
        }
        play()
    }

    private func play() {
        guard playsAnimation, let shown, let moving = shown.image.image.animation else { return }
        animation = AnimationPlayback(moving, shown.paintable, target.widget)
        animation?.isPaused = !isPlaying
        animation?.playWhileMapped()
    }

    /// Replaces the image of this request by the placeholder. Without one the widget is cleared,
    /// since the image may belong to another account.
    private func removeImage() {
        guard shown != nil else { return removeImageOfOtherAccount() }
        shown = nil
        endEffects()
        if case .none = placeholder { target.show(.clear) } else { target.show(placeholder) }
    }

    /// Clears a widget that keeps the image of an earlier request for another account.
    private func removeImageOfOtherAccount() {
        guard case .none = placeholder, let model, let account = target.imageAccount, !account.isAccount(of: model)
        else { return }
        target.show(.clear)
    }

    /// Ends the transition and the animation.
    private func endEffects() {
        fade?.finish()
        fade = nil
        animation?.end()
        animation = nil
    }

    private var transition: ImageTransition? {
        ownTransition ?? loading.options?.transition
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
    func target(_ size: (width: Int, height: Int), _ fit: ContentFit?) -> TargetSize? { target.target(size, fit) }

    func modelReplaced(by model: NetworkImageModel) {
        // Only the old model can give a released image its pixels.
        if shown?.image.isAwaited == true { removeImage() }
        let old = shown?.paintable
        // A cached image or a preview is shown during this call. The model may be loading already.
        if case .empty = model.phase { model.prepareToAppear() } else { phaseChanged(to: model.phase) }
        // The image of the old model may belong to another account.
        if model.image == nil, shown?.paintable === old { removeImage() }
        phaseFollower?()
    }

    func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        phaseChanged(to: new)
        phaseFollower?()
    }

    private func phaseChanged(to phase: NetworkImagePhase) {
        switch phase {
        case .success(let image):
            _ = drawAgain(image)
            if shown?.image.isShown(by: image) != true { show(image, transition) }
            // A cached image may be too small for the widget; then a larger one follows.
            if loading.hasAppeared || target.widget.hasSize { finish(with: phase) }
        case .failure:
            removeImage()
            finish(with: phase)
        // The widget keeps the size of the released image.
        case .empty where shown?.image.isAwaited == true, .loading where shown?.image.isAwaited == true: break
        case .loading(let state):
            guard let preview = state.preview else { return removeImage() }
            // An image that is loaded again stays until then.
            if shown?.image.image.hasSameContent(as: preview) != true { show(preview) }
        case .empty: removeImage()
        }
    }

    func imageReleased() {
        guard !isShownElsewhere else { return }
        endEffects()
        shown?.image.release()
        refresh()
        phaseFollower?()
    }

    /// Whether the program shows the paintable of the widget elsewhere, too.
    private var isShownElsewhere: Bool {
        shown.map { shim_reference_count($0.paintable.pointer) > referenceCount } ?? false
    }

    func drawAgain(_ image: LoadedImage) -> Bool {
        guard shown?.image.refill(from: image) == true else { return false }
        refresh()
        play()
        phaseFollower?()
        return true
    }

    /// Makes the widget draw the pixels that the image has now.
    private func refresh() {
        if let shown { _ = ImagePaintable.refresh(shown.paintable, shown.image.image) }
    }

    func appeared(_ model: NetworkImageModel) {
        if !model.isLoading { finish(with: model.phase) }
    }
}

// `RemoteImagePaintable`: a remote image as a `GdkPaintable`, for GTK classes that draw paintables.

import CRemoteImageGtk

/// The state of a `RemoteImagePaintable`. It has no position on screen: it loads as soon as it has
/// an address, and decodes all pixels unless `max-pixel-size` limits them.
@MainActor
package final class PaintableObject: ImageObject, ImageHolder {
    package var properties = ImageProperties()
    /// `nil` until there is a source.
    private var currentModel: NetworkImageModel?
    private var observation: ObservationToken?
    private let networkReturn = NetworkReturn()
    package var shown = ShownPhase()
    package var loadedImage: LoadedImage?
    package private(set) var isDisposed = false
    private var shownImage: ShownImage?
    private var texture: ObjectReference?
    /// The paintable that draws the image, scaled down to the size at which it is drawn.
    private var drawn: ObjectReference?
    private let redrawing = SignalConnections()
    private lazy var animation = PaintableAnimation(object)
    private var bindings: [ObjectIdentifier: Weak<PaintableBinding>] = [:]
    private let returning = MainLoopTimer()
    // Not owned: the instance owns this state.
    package let object: UnsafeMutablePointer<GObject>

    package init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    package func applyProperties(_ changed: Set<String>) {
        if changed.contains("headers") { HeaderLines.warn(of: properties.headers, in: "RemoteImagePaintable") }
        properties.warnOfPreviews(in: changed, of: Self.typeName)
        let source = properties.source
        // Until there is an address, the default pipeline may still be configured.
        guard source != nil || currentModel != nil else { return }
        show(
            source, options: properties.options,
            pipeline: PipelineObject.pipeline(of: properties.pipeline), scale: properties.display.scale)
    }

    /// Shows an image with any source and options.
    func show(_ source: ImageSource?, options: ImageOptions, pipeline: ImagePipeline, scale: Double) {
        var options = options
        options.loadOptions = .loadImmediately
        if source != currentModel?.source { shownImage = nil }
        if let model = currentModel, model.pipeline === pipeline {
            model.update(source: source, options: options, scale: scale)
        } else {
            shownImage = nil
            let model = NetworkImageModel(source, pipeline: pipeline, options: options, scale: scale)
            networkReturn.follow(model)
            observation = model.observePhase { [weak self] _, _ in self?.phaseMayHaveChanged() }
            currentModel = model
            DesktopFollower.shared.add(pipeline)
        }
        phaseMayHaveChanged()
        applyMargin()
    }

    /// The model; without a declaration, an empty one.
    var model: NetworkImageModel {
        currentModel ?? NetworkImageModel(nil as ImageSource?, pipeline: .shared)
    }

    package var refreshError: ImageError? { currentModel?.refreshError }

    package func dispose() {
        isDisposed = true
        loadedImage = nil
        animation.end()
        networkReturn.end()
        (observation, currentModel) = (nil, nil)
        UnseenImages.shared.remove(self)
        returning.stop()
        properties.pipeline = ObjectSlot(nil)
        properties.authorization = ObjectSlot(nil)
        properties.sourceObject = ObjectSlot(nil)
        properties.display.processor = ObjectSlot(nil)
        (shownImage, texture, drawn) = (nil, nil, nil)
        redrawing.end()
    }

    private func phaseMayHaveChanged() {
        guard let model = currentModel else { return }
        let (old, before, sizeBefore, pixelsBefore) = (shown.phase, texture, naturalSize, imageSize)
        let new = phase(of: model)
        shown.phase = new
        texture = image.flatMap { $0.isReleased ? nil : TextureStore.texture(of: $0.pixels) }
        let isOtherSize = sizeBefore != naturalSize
        let isOther = before?.pointer != texture?.pointer || isOtherSize
        if isOther { drawFromNowOn(image) }
        var names = new.changedProperties(since: old, withImage: true)
        // The previews of a load change the image within one phase, and so does its release.
        if isOther, !names.contains("texture") {
            names.append("texture")
            if imageSize != pixelsBefore { names += ["image-width", "image-height"] }
        }
        releaseSoon()
        guard !names.isEmpty else { return }
        let end = end(of: new, since: old)
        // A handler may release the paintable or run the main loop.
        let paintable = ObjectReference(borrowing: UnsafeMutableRawPointer(object))
        MainLoop.callBack {
            if isOtherSize { gdk_paintable_invalidate_size(OpaquePointer(paintable.pointer)) }
            if isOther { gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer)) }
            PaintableObject.of(paintable.pointer).tell(names, end, in: new.kind)
        }
    }

    /// The phase of the model, whose image is shown from now on. A released image stays while it is
    /// loaded again, so that the paintable keeps its size.
    private func phase(of model: NetworkImageModel) -> NetworkImagePhase {
        if !model.isReleased {
            switch model.phase {
            case .success(let image): if shownImage?.isShown(by: image) != true { shownImage = ShownImage(image) }
            case .empty where shownImage?.isAwaited == true, .loading where shownImage?.isAwaited == true: break
            case .empty, .loading, .failure: shownImage = nil
            }
        }
        return shownImage?.phase(of: model) ?? model.phase
    }

    private func drawFromNowOn(_ image: LoadedImage?) {
        redrawing.end()
        drawn = image.flatMap { ImagePaintable.make($0) }
        animation.end()
        guard let drawn else { return }
        redrawing.connect("invalidate-contents", of: drawn.pointer) { [weak self] in
            guard let self else { return }
            animation.frameChanged()
            gdk_paintable_invalidate_contents(OpaquePointer(object))
        }
    }

    func draw(into snapshot: OpaquePointer?, _ width: Double, _ height: Double) {
        guard let drawn else { return }
        if currentModel?.isReleased == true {
            // A widget draws it directly since its release. The phase must not change meanwhile.
            returning.start(after: .zero, priority: G_PRIORITY_HIGH_IDLE) { [weak self] in self?.loadAgain() }
        }
        if let moving = image?.animation { animation.willDraw(moving, in: drawn) }
        gdk_paintable_snapshot(OpaquePointer(drawn.pointer), snapshot, width, height)
    }

    /// The texture with all decoded pixels.
    package var texturePointer: UnsafeMutableRawPointer? { texture?.pointer }

    /// The full size of the image in pixels; during a load, that of the preview; zero without
    /// either.
    package var imageSize: PixelSize { image?.info.size ?? PixelSize(width: 0, height: 0) }

    /// The drawn image, preview or previous image.
    var image: LoadedImage? {
        switch shown.phase {
        case .success(let image): return image
        case .loading(let state):
            // A blurred preview has another size.
            if let shownImage, state.preview?.isPreviewHash != false { return shownImage.image }
            return state.preview
        case .empty: return shownImage?.image
        case .failure: return nil
        }
    }

    /// The natural size of the image in points.
    var naturalSize: (width: Int32, height: Int32) {
        guard let size = image?.naturalPointSize else { return (0, 0) }
        func whole(_ points: Double) -> Int32 { Int32(saturating: points.rounded(.up)) }
        return (whole(size.width), whole(size.height))
    }

    // MARK: Visibility

    private var widgets: [PaintableBinding] { bindings.values.compactMap(\.object) }

    func add(_ binding: PaintableBinding) {
        bindings[ObjectIdentifier(binding)] = Weak(binding)
        applyMargin()
        if currentModel?.isReleased == true { binding.whenDrawn { [weak self] in self?.drawAgain() } }
        visibilityChanged()
    }

    func remove(_ binding: PaintableBinding) {
        bindings[ObjectIdentifier(binding)] = nil
        // A paintable without a binding keeps its image.
        if bindings.isEmpty, currentModel?.isReleased == true { drawAgain() }
        visibilityChanged()
    }

    private var options: ImageOptions? {
        currentModel.map { $0.options.merged(over: $0.pipeline.configuration.options) }
    }

    private func applyMargin() {
        guard !bindings.isEmpty, let options else { return }
        for widget in widgets { widget.setMargin(options.viewportMargin) }
    }

    /// Whether the paintable is bound to widgets, none is visible, and nothing else draws it. It
    /// cannot know where else it is drawn: GTK draws all widgets of a viewport, visible or not, and
    /// does not draw them again while they scroll.
    private var isInvisible: Bool {
        guard !bindings.isEmpty, widgets.allSatisfy({ !$0.isVisible && !$0.isShownElsewhere }) else { return false }
        return g_signal_has_handler_pending(object, Self.contentsSignal, 0, 1) == 0
    }

    /// Widgets that draw a paintable are connected to this signal.
    private static let contentsSignal = g_signal_lookup("invalidate-contents", gdk_paintable_get_type())

    /// The visibility of a bound widget, or the list of them, has changed.
    func visibilityChanged() {
        widgets.contains(where: \.isVisible) ? loadAgain() : releaseSoon()
    }

    private func loadAgain() {
        UnseenImages.shared.remove(self)
        guard let model = currentModel, model.isReleased else { return }
        drawAgain()
        model.load()
    }

    private func releaseSoon() {
        guard texture != nil, isInvisible, let delay = options?.releaseDelay else { return }
        UnseenImages.shared.add(self, after: delay)
    }

    func releaseImage() {
        guard isInvisible, options?.releaseDelay != nil, let model = currentModel,
            model.isReleased || model.releaseImage()
        else { return }
        shownImage?.release()
        phaseMayHaveChanged()
        // A widget that scrolls into view is drawn before its viewport reports it.
        for widget in widgets { widget.whenDrawn { [weak self] in self?.drawAgain() } }
    }

    /// Shows a released image again if it is in memory.
    private func drawAgain() {
        for widget in widgets { widget.whenDrawn(nil) }
        currentModel?.prepareFromMemory()
    }

    package func reload() { currentModel?.reload() }

    package func cancel() { currentModel?.cancel() }
}

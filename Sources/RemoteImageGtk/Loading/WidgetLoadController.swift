import CRemoteImageGtk

/// Loads the image of one widget: starts when the widget becomes visible, stops when it is no
/// longer visible, decodes for the size and the scale of the widget, and follows the options and
/// the pipeline that are set on its ancestors.
@MainActor
package final class WidgetLoadController: ImageHolder {
    /// The image that the program declares for the widget.
    package struct Declaration {
        var source: ImageSource?
        /// Override the options of the ancestors.
        var options: ImageOptions
        /// `nil` for the pipeline of the ancestors.
        var pipeline: ImagePipeline?
        /// Pixels of the image per point.
        var scale: Double

        package init(
            source: ImageSource? = nil, options: ImageOptions = ImageOptions(), pipeline: ImagePipeline? = nil,
            scale: Double = 1
        ) {
            (self.source, self.options, self.pipeline, self.scale) = (source, options, pipeline, scale)
        }
    }

    /// Whether the widget is visible, and whether the model was told.
    private enum Appearance {
        case hidden
        /// The model is told before the next frame.
        case waiting
        /// The widget is in an unmapped row near the visible ones of a list, and the model was
        /// told.
        case near
        case appeared
    }

    // Not owned: the widget owns the client, and the client this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private weak var client: (any WidgetLoadClient)?
    private var appearance = Appearance.hidden
    private var isEnded = false
    /// Whether the widget was visible with the current model.
    private var wasVisible = false
    /// `nil` until the widget is in a window, unless the declaration has a pipeline or loads
    /// immediately.
    private(set) var model: NetworkImageModel?
    private var observation: ObservationToken?
    private let networkReturn = NetworkReturn()
    private lazy var tracker = VisibilityTracker(widget) { [weak self] in self?.visibilityChanged($0) }
    private lazy var scale = PixelScale(widget) { [weak self] in self?.refineSoon() }
    private let refinement = MainLoopTimer()
    private let disappearance = MainLoopTimer()

    init(_ widget: UnsafeMutablePointer<GtkWidget>, _ client: any WidgetLoadClient) {
        self.widget = widget
        self.client = client
    }

    /// Stops all work.
    ///
    /// - Returns: The model, which may still be loading.
    func end() -> NetworkImageModel? {
        isEnded = true
        tracker.unroot()
        UnseenImages.shared.remove(self)
        tracker.aboutToBeDrawn = nil
        refinement.stop()
        disappearance.stop()
        tracker.unmap()
        scale.unmap()
        networkReturn.end()
        observation = nil
        return model.take()
    }

    // MARK: Declaration

    /// The options of the model, merged over those of its pipeline.
    var options: ImageOptions? {
        model.map { $0.options.merged(over: $0.pipeline.configuration.options) }
    }

    private var declaration: Declaration { client?.loadDeclaration ?? Declaration() }

    /// Call when the client has another declaration.
    ///
    /// - Returns: Whether there is a model for it. Without one the model is made when the widget is
    ///   in a window.
    @discardableResult
    func declarationChanged() -> Bool {
        guard !isEnded else { return false }
        let declaration = declaration
        let loadsImmediately = declaration.options.loadOptions.contains(.loadImmediately)
        guard model != nil || declaration.pipeline != nil || isRooted || loadsImmediately else { return false }
        update()
        return true
    }

    /// Call when only the source of the declaration is another one.
    func sourceChanged() {
        guard !isEnded, let model else { return }
        let source = declaration.source
        disappearBeforeLoading(source, model)
        updateTarget()
        model.join(.ofFrame(at: widget))
        model.source = source
        prepareFromMemory()
    }

    /// A widget that is not visible does not load a new image, even if it was loading the old one.
    private func disappearBeforeLoading(_ source: ImageSource?, _ model: NetworkImageModel) {
        guard source != model.source else { return }
        tracker.contentReplaced()
        if disappearance.isRunning { disappear() }
    }

    /// Call when the widget has a new parent, or the options or the pipeline of an ancestor have
    /// changed.
    func environmentChanged() {
        guard !isEnded, isRooted || model != nil else { return }
        update()
    }

    private var isRooted: Bool { gtk_widget_get_root(widget) != nil }

    private func update() {
        if let model, model.pipeline === effectivePipeline {
            let declaration = declaration
            disappearBeforeLoading(declaration.source, model)
            model.join(.ofFrame(at: widget))
            model.update(source: declaration.source, options: mergedOptions, scale: declaration.scale)
            applyOptions()
            prepareFromMemory()
        } else {
            let model = makeModel()
            appearance = .hidden
            wasVisible = false
            tracker.aboutToBeDrawn = nil
            client?.modelReplaced(by: model)
            appearIfReady()
        }
    }

    func makeModel() -> NetworkImageModel {
        let declaration = declaration
        let model = NetworkImageModel(
            declaration.source, pipeline: effectivePipeline, options: mergedOptions, scale: declaration.scale)
        // A widget that is not visible loads when it becomes visible.
        networkReturn.follow(model) { [weak self] in self?.appearance == .appeared }
        observation = model.observePhase { [weak self] old, new in self?.phaseChanged(from: old, to: new) }
        self.model = model
        DesktopFollower.shared.add(model.pipeline)
        applyOptions()
        return model
    }

    private var mergedOptions: ImageOptions {
        declaration.options.merged(over: WidgetEnvironment.options(at: widget))
    }

    /// A widget that is outside of a window keeps its pipeline.
    private var effectivePipeline: ImagePipeline {
        if let pipeline = declaration.pipeline { return pipeline }
        if !isRooted, let model { return model.pipeline }
        return WidgetEnvironment.effectivePipeline(at: widget)
    }

    private func applyOptions() {
        guard let options else { return }
        tracker.margin = options.viewportMargin
        refineSoon()
        client?.optionsChanged(to: options)
    }

    // MARK: Visibility

    var isVisible: Bool { tracker.isVisible && tracker.isMapped }

    /// Whether GTK has to draw the widget: it is not fully clipped by a viewport.
    var needsDrawing: Bool { tracker.needsDrawing }

    /// Calls `body` after each change of ``needsDrawing``, between layout and drawing.
    func whenNeedsDrawingChanges(_ body: @escaping @MainActor () -> Void) { tracker.needsDrawingChanged = body }

    /// Whether the widget became visible. Its model learns it before the next frame.
    var hasAppeared: Bool { appearance != .hidden }

    /// Call when the widget is in a window, and again after a move to another place in it.
    func root() {
        if !isEnded { tracker.root() }
    }

    func unroot() { tracker.unroot() }

    func map() {
        scale.map()
        tracker.map()
        HiddenWindows.shared.watch(widget)
    }

    func unmap() {
        tracker.unmap()
        scale.unmap()
    }

    /// Call when the widget is allocated. The load starts if the widget is visible.
    func allocate(width: Int32, height: Int32) {
        tracker.allocate(width: width, height: height)
        appearIfReady()
        refineSoon()
    }

    /// Shows a cached image before the widget is allocated, so that the widget is measured with it.
    func prepareToAppear() {
        if appearance == .hidden, !tracker.hasViewport { model?.prepareToAppear() }
    }

    func appearIfReady() {
        guard tracker.isVisible, tracker.isNear || tracker.isMapped && tracker.isLaidOut, !isEnded, model != nil
        else { return }
        switch appearance {
        case .hidden: break
        case .near where tracker.isMapped: return comeIntoSight()
        case .appeared where tracker.isNear:
            // The row may come back soon; other rows are visible now.
            appearance = .near
            model?.stepAside()
            return
        case .waiting, .near, .appeared: return
        }
        appearance = .waiting
        wasVisible = true
        disappearance.stop()
        UnseenImages.shared.remove(self)
        tracker.aboutToBeDrawn = nil
        updateTarget()
        // Before the load, which would begin without an image that is in memory with fewer pixels.
        if model?.isReleased == true { model?.prepareFromMemory() }
        let batch = ScreenBatch.ofFrame(at: widget)
        IdleQueue.shared.perform { [weak self] in self?.appear(in: batch) }
        prepareFromMemory()
    }

    private func appear(in batch: ScreenBatch) {
        guard appearance == .waiting, !isEnded, let model else { return }
        appearance = tracker.isNear ? .near : .appeared
        report(.appeared(width: size.width, height: size.height), of: model)
        model.appear(in: appearance == .near ? nil : batch)
        client?.appeared(model)
    }

    /// The row of the widget was near the visible ones and has become visible.
    private func comeIntoSight() {
        appearance = .appeared
        updateTarget()
        let batch = ScreenBatch.ofFrame(at: widget)
        IdleQueue.shared.perform { [weak self] in
            if let self, appearance == .appeared, !isEnded { model?.appear(in: batch) }
        }
    }

    /// Loads again in a visible widget, after a change of source or a cancellation.
    func appearAgain() {
        if appearance == .appeared { model?.appear(in: .ofFrame(at: widget)) }
    }

    /// Shows a cached image at once. If many widgets become visible together, the load itself may
    /// start slightly later.
    private func prepareFromMemory() {
        if appearance == .waiting { model?.prepareFromMemory() }
    }

    private func visibilityChanged(_ isVisible: Bool) {
        guard !isEnded else { return }
        guard !isVisible else { return appearIfReady() }
        guard appearance != .hidden, let model, let options else { return }
        appearance = .hidden
        report(.disappeared, of: model)
        releaseSoon()
        let delay = options.disappearDelay
        guard delay > .zero, model.isLoading || model.isRefining else { return model.disappear() }
        model.stepAside()
        disappearance.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in
            // Deferred, since hundreds of widgets may disappear together.
            IdleQueue.shared.perform { [weak self] in
                if let self, appearance == .hidden { disappear() }
            }
        }
    }

    private func report(_ step: @autoclosure () -> PipelineEvent.Step, of model: NetworkImageModel) {
        if let source = model.source { model.pipeline.observers.report(step(), of: source) }
    }

    private func disappear() {
        disappearance.stop()
        model?.disappear()
        // A cancelled refresh is no change of the phase.
        releaseSoon()
    }

    // MARK: Release

    private func phaseChanged(from old: NetworkImagePhase, to new: NetworkImagePhase) {
        client?.phaseChanged(from: old, to: new)
        // A load that went on, or that the program started, has ended out of sight.
        if new.kind == .success { releaseSoon() }
    }

    private func releaseSoon() {
        guard appearance == .hidden, wasVisible, !isEnded, let delay = options?.releaseDelay else { return }
        UnseenImages.shared.add(self, after: delay)
    }

    /// Releases the image of a widget that is still out of sight.
    func releaseImage() {
        guard appearance == .hidden, !tracker.isVisible, !isEnded, options?.releaseDelay != nil, let model,
            model.isReleased || model.releaseImage()
        else { return }
        client?.imageReleased()
        tracker.aboutToBeDrawn = { [weak self] in self?.drawAgain() }
    }

    /// A widget that scrolls into view is drawn before its viewport reports it.
    private func drawAgain() {
        guard let model, model.isReleased, let image = model.imageInMemory, client?.drawAgain(image) == true
        else { return }
        tracker.aboutToBeDrawn = nil
        // It may leave again without having become visible.
        releaseSoon()
    }

    // MARK: Size

    /// How long the size must stay unchanged before the image is decoded again for it.
    static let settlingTime = Duration.milliseconds(150)

    /// In points.
    private var size: (width: Int, height: Int) {
        guard let similar = tracker.expectedSize else {
            return (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        }
        let expected = client?.expectedSize(like: similar) ?? similar
        return (Int(expected.width), Int(expected.height))
    }

    private func updateTarget() {
        guard let model else { return }
        model.target = client?.target(size, options?.targetFit)
    }

    /// Decodes the image again once the size has settled, if the widget has grown beyond the pixels
    /// of the image.
    func refineSoon() {
        updateTarget()
        guard let model, model.needsMorePixels else { return }
        refinement.start(after: Self.settlingTime) { [weak self] in
            // Deferred, since all widgets of a window may grow together.
            IdleQueue.shared.perform { [weak self] in
                if let self, appearance == .appeared, !isEnded { self.model?.refine() }
            }
        }
    }
}

import CRemoteImageGtk

/// Shows the image of a `RemoteImagePaintable` in a property of a widget, and sets the property to
/// `NULL` while there is no image, so that the widget shows its own placeholder.
///
/// It tells the paintable whether the widget is visible: the paintable releases its image while
/// none of its widgets is. The widget owns the binding, and the binding owns the paintable.
@MainActor
package final class PaintableBinding {
    private let paintable: ObjectReference
    private let target: PaintableTarget
    private let connections = SignalConnections()
    /// The shown image and the paintable that draws it; `nil` if the property is `NULL`.
    private var shown: (image: LoadedImage, paintable: ObjectReference)?
    /// The references of that paintable by this object and the widget.
    private var referenceCount: guint = 0
    private lazy var tracker = VisibilityTracker(target.widget) { [weak self] _ in self?.state.visibilityChanged() }
    private var sizeTicks: FrameTicks?
    private var animation: AnimationPlayback?

    /// Binds a paintable in place of the previous one of the property. Returns `false` if the
    /// widget has no such property.
    package static func bind(
        _ paintable: UnsafeMutableRawPointer, to widget: UnsafeMutablePointer<GtkWidget>, _ property: String
    ) -> Bool {
        guard let target = PaintableTarget(widget, property: property) else { return false }
        let binding = PaintableBinding(paintable, target)
        data(property)[widget] = binding
        target.paintable = nil
        binding.begin()
        return true
    }

    /// Whether the paintable is bound to the property of the widget.
    static func isBound(
        _ paintable: UnsafeMutableRawPointer, to widget: UnsafeMutablePointer<GtkWidget>, _ property: String
    ) -> Bool { data(property)[widget]?.paintable.pointer == paintable }

    /// Ends the binding of a paintable and sets the property to `NULL`. Does nothing if another
    /// paintable was bound meanwhile.
    package static func unbind(
        _ paintable: UnsafeMutableRawPointer, from widget: UnsafeMutablePointer<GtkWidget>, _ property: String
    ) {
        guard let binding = data(property)[widget], binding.paintable.pointer == paintable else { return }
        data(property)[widget] = nil
        binding.target.paintable = nil
    }

    // Properties of one widget are bound independently.
    private static func data(_ property: String) -> ObjectData<PaintableBinding> {
        ObjectData("remote-image-binding-\(property)")
    }

    private init(_ paintable: UnsafeMutableRawPointer, _ target: PaintableTarget) {
        self.paintable = ObjectReference(borrowing: paintable)
        self.target = target
    }

    private var state: PaintableObject { PaintableObject.of(paintable.pointer) }

    private func begin() {
        let widget = UnsafeMutableRawPointer(target.widget)
        connections.connect(property: "texture", of: paintable.pointer) { [weak self] in self?.update() }
        tracker.needsDrawingChanged = { [weak self] in
            if let paintable = self?.shown?.paintable { ImagePaintable.invalidate(paintable) }
        }
        connections.connect("map", of: widget) { [weak self] in self?.map() }
        connections.connect("unmap", of: widget) { [weak self] in self?.unmap() }
        update()
        state.add(self)
        if gtk_widget_get_mapped(target.widget) != 0 { map() }
    }

    isolated deinit {
        connections.end()
        animation?.end()
        unmap()
        state.remove(self)
    }

    private func update() {
        let image = state.image
        if let image, let shown, image.hasSameContent(as: shown.image) {
            // Perhaps its pixels were released, or are there again.
            if ImagePaintable.refresh(shown.paintable, image) { play(image, shown.paintable) }
            return
        }
        animation?.end()
        let paintable = image.flatMap { target.makePaintable($0) }
        shown = nil
        target.paintable = paintable.map { OpaquePointer($0.pointer) }
        guard let image, let paintable else { return }
        shown = (image, paintable)
        referenceCount = shim_reference_count(paintable.pointer)
        ImagePaintable.draw(paintable) { [weak self] in
            self.map { $0.tracker.needsDrawing || $0.isShownElsewhere } ?? true
        }
        play(image, paintable)
    }

    private func play(_ image: LoadedImage, _ paintable: ObjectReference) {
        animation?.end()
        animation = image.isReleased ? nil : image.animation.map { AnimationPlayback($0, paintable, target.widget) }
        animation?.playWhileMapped()
    }

    // MARK: Visibility

    var isVisible: Bool { tracker.isVisible }

    /// Whether the program shows the paintable of the widget elsewhere, too.
    var isShownElsewhere: Bool { shown.map { shim_reference_count($0.paintable.pointer) > referenceCount } ?? false }

    /// - Parameter margin: The distance from a viewport within which the widget is visible, in
    ///   points.
    func setMargin(_ margin: Double) { tracker.margin = margin }

    /// Calls `body` when the widget is about to be drawn; `nil` ends the calls.
    func whenDrawn(_ body: (@MainActor () -> Void)?) { tracker.aboutToBeDrawn = body }

    private func map() {
        tracker.map()
        sizeTicks?.stop()
        sizeTicks = target.whenSized { [weak self] in
            guard let self else { return }
            tracker.allocate(width: gtk_widget_get_width(target.widget), height: gtk_widget_get_height(target.widget))
        }
    }

    private func unmap() {
        sizeTicks?.stop()
        tracker.unmap()
    }
}

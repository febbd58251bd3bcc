import CRemoteImageGtk

/// Shows the image of a `RemoteImagePaintable` in a property of a widget, and sets the property to
/// `NULL` while there is no image, so that the widget shows its own placeholder.
///
/// The widget owns the binding, and the binding owns the paintable.
@MainActor
package final class PaintableBinding {
    private let paintable: ObjectReference
    private let target: PaintableTarget
    private let connections = SignalConnections()
    /// The shown image; `nil` if the property is `NULL`.
    private var shown: LoadedImage?

    /// Binds a paintable in place of the previous one of the property. Returns `false` if the
    /// widget has no such property.
    package static func bind(
        _ paintable: UnsafeMutableRawPointer, to widget: UnsafeMutablePointer<GtkWidget>, _ property: String
    ) -> Bool {
        guard let target = PaintableTarget(widget, property: property) else { return false }
        let binding = PaintableBinding(paintable, target)
        data(property)[widget] = binding
        target.paintable = nil
        binding.update()
        return true
    }

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
        connections.connect(property: "texture", of: paintable) { [weak self] in self?.update() }
    }

    isolated deinit { connections.end() }

    private func update() {
        let image = PaintableObject.of(paintable.pointer).image
        guard image?.pixels !== shown?.pixels || image?.scale != shown?.scale else { return }
        shown = image
        target.paintable = image.flatMap { target.makePaintable($0) }.map { OpaquePointer($0.pointer) }
    }
}

import CRemoteImageGtk

/// Plays the animation of a `RemoteImagePaintable` while a widget that draws it is visible.
///
/// GDK does not tell a paintable which widgets draw it. They are looked up when it is drawn more
/// often than its known widgets draw it.
@MainActor
final class PaintableAnimation {
    // Not owned: the paintable owns the state that owns this object.
    private let paintable: UnsafeMutablePointer<GObject>
    private var playbacks: [UnsafeMutablePointer<GtkWidget>: (widget: WeakObject, playback: AnimationPlayback)] = [:]
    /// The drawings since the last frame.
    private var drawCount = 0
    /// The frames since the last drawing.
    private var undrawnCount = 0
    private var isSearching = false
    /// Incremented by ``end()``.
    private var generation = 0

    init(_ paintable: UnsafeMutablePointer<GObject>) {
        self.paintable = paintable
    }

    /// Call before each drawing of an animated image. The lookup follows later, since a widget may
    /// not change while it is drawn.
    func willDraw(_ animation: ImageAnimation, in drawn: ObjectReference) {
        drawCount += 1
        undrawnCount = 0
        // Another widget may have the address of one that is gone.
        playbacks = playbacks.filter { $0.value.widget.strong() != nil }
        guard drawCount > playbacks.values.count(where: \.playback.isStarted), !isSearching else { return }
        isSearching = true
        let started = generation
        IdleQueue.shared.perform { [weak self] in
            guard let self else { return }
            isSearching = false
            if generation == started { play(animation, drawn) }
        }
    }

    private func play(_ animation: ImageAnimation, _ drawn: ObjectReference) {
        for widget in DrawingWidgets.of(paintable) where playbacks[widget] == nil {
            let playback = AnimationPlayback(animation, drawn, widget)
            playbacks[widget] = (WeakObject(widget), playback)
            playback.playWhileMapped()
        }
    }

    /// Call when the image shows another frame. Widgets that show another paintable now are
    /// forgotten once no widget has drawn the last frames.
    func frameChanged() {
        if drawCount == 0 { undrawnCount += 1 }
        drawCount = 0
        if undrawnCount > 2 { end() }
    }

    /// Ends the animation until the paintable is drawn again.
    func end() {
        generation += 1
        for (_, playback) in playbacks.values { playback.end() }
        (playbacks, drawCount, undrawnCount) = ([:], 0, 0)
    }
}

/// The mapped widgets that draw a paintable.
@MainActor
private enum DrawingWidgets {
    static func of(_ paintable: UnsafeMutablePointer<GObject>) -> [UnsafeMutablePointer<GtkWidget>] {
        var found: [UnsafeMutablePointer<GtkWidget>] = []
        let windows = gtk_window_get_toplevels()
        for index in 0..<g_list_model_get_n_items(windows) {
            guard let window = g_list_model_get_item(windows, index) else { continue }
            add(window.assumingMemoryBound(to: GtkWidget.self), of: paintable, to: &found)
            g_object_unref(window)
        }
        return found
    }

    private static func add(
        _ widget: UnsafeMutablePointer<GtkWidget>, of paintable: UnsafeMutablePointer<GObject>,
        to found: inout [UnsafeMutablePointer<GtkWidget>]
    ) {
        guard gtk_widget_get_mapped(widget) != 0 else { return }
        if draws(widget, paintable) { found.append(widget) }
        for child in widget.children { add(child, of: paintable, to: &found) }
    }

    /// A widget follows the changes of its paintable, a `GtkImage` by a part of it that is no
    /// widget.
    private static func draws(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ paintable: UnsafeMutablePointer<GObject>
    ) -> Bool {
        if shim_is_a(widget, gtk_image_get_type()) != 0 {
            return gtk_image_get_paintable(OpaquePointer(widget)) == OpaquePointer(paintable)
        }
        return shim_has_handler(paintable, widget) != 0
    }
}

import CGtk

/// What is in a view now, and what fades out before it.
///
/// Belongs to the state of the view.
@MainActor
final class ViewContent {
    // Not owned: the view owns the state, and with it this object.
    private let view: UnsafeMutablePointer<GtkWidget>
    private var content: Widget?
    private var fade: CrossFade?

    init(_ view: UnsafeMutablePointer<GtkWidget>) {
        self.view = view
    }

    /// What follows the progress of a load.
    var bindings: [Widget.Binding] { content?.bindings ?? [] }

    /// The content, unless its program has put it somewhere else meanwhile.
    var child: UnsafeMutablePointer<GtkWidget>? {
        guard let child = content?.pointer, gtk_widget_get_parent(child) == view else { return nil }
        return child
    }

    /// The content that fades out, unless its program has put it somewhere else meanwhile.
    private var outgoing: UnsafeMutablePointer<GtkWidget>? {
        guard let outgoing = fade?.outgoing.pointer, gtk_widget_get_parent(outgoing) == view else { return nil }
        return outgoing
    }

    func allocate(width: Int32, height: Int32) {
        for child in [outgoing, child] {
            guard let child, gtk_widget_should_layout(child) != 0 else { continue }
            // A reserved place may be too small for a sentence: it is cut off, not squeezed.
            var (leastWidth, leastHeight): (Int32, Int32) = (0, 0)
            gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &leastWidth, nil, nil, nil)
            leastWidth = max(leastWidth, width)
            gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, leastWidth, &leastHeight, nil, nil, nil)
            gtk_widget_allocate(child, leastWidth, max(leastHeight, height), -1, nil)
        }
    }

    func snapshot(into snapshot: OpaquePointer?) {
        guard let child else { return }
        guard let fade, let outgoing else { return gtk_widget_snapshot_child(view, child, snapshot) }
        gtk_snapshot_push_cross_fade(snapshot, fade.progress)
        gtk_widget_snapshot_child(view, outgoing, snapshot)
        gtk_snapshot_pop(snapshot)
        gtk_widget_snapshot_child(view, child, snapshot)
        gtk_snapshot_pop(snapshot)
    }

    /// - Parameter transition: How long the old content fades out; nil for not at all.
    func replace(with new: Widget?, in transition: Duration? = nil) {
        guard new == nil || new?.pointer != child else {
            content = new
            return
        }
        endFade()
        let old = content
        content = nil
        if let old, let transition, new != nil, gtk_widget_get_parent(old.pointer) == view {
            fade = CrossFade(from: old, duration: transition, on: view) { [weak self] in self?.endFade() }
        } else if let old {
            remove(old)
        }
        guard let new else { return }
        if gtk_widget_get_parent(new.pointer) != nil { gtk_widget_unparent(new.pointer) }
        content = new
        gtk_widget_set_parent(new.pointer, view)
    }

    func endFade() {
        guard let fade else { return }
        self.fade = nil
        fade.stop()
        remove(fade.outgoing)
    }

    /// Takes a widget out, unless its program has done so.
    private func remove(_ old: Widget) {
        if gtk_widget_get_parent(old.pointer) == view { gtk_widget_unparent(old.pointer) }
    }
}

import CRemoteImageGtk

/// The content of a view in one phase: a child widget, or content that the view draws itself, such
/// as an image.
@MainActor
struct ViewLayer {
    private(set) var content: Widget
    let drawn: PictureContent?
    // Not owned: the view owns its state, which holds this value.
    private let view: UnsafeMutablePointer<GtkWidget>

    init(_ content: Widget, in view: UnsafeMutablePointer<GtkWidget>) {
        self.content = content
        self.view = view
        drawn = content.drawn
    }

    /// Whether the view draws the content itself.
    var isDrawnByView: Bool { drawn != nil }

    /// The widget, unless the program has moved it to another parent.
    var child: UnsafeMutablePointer<GtkWidget>? {
        guard drawn == nil, gtk_widget_get_parent(content.pointer) == view else { return nil }
        return content.pointer
    }

    /// Whether the view draws the content, or the widget is still its child.
    var belongsToView: Bool { drawn != nil || child != nil }

    /// Whether both contents are the same widget or look the same.
    func shows(_ other: Widget) -> Bool {
        if let drawn { return other.drawn.map { drawn.looksLike($0) } ?? false }
        return other.drawn == nil && child == other.pointer
    }

    /// Replaces the content by other content that this layer already shows.
    mutating func adopt(_ other: Widget) {
        // Drawn content goes on, with its animation.
        if let new = other.drawn { drawn?.adopt(new) }
        content = other
    }

    // MARK: In the view

    func enter() {
        if let drawn { return drawn.enter(view) }
        gtk_widget_unparent(content.pointer)
        gtk_widget_set_parent(content.pointer, view)
    }

    func leave() {
        drawn?.leave()
        if let child { gtk_widget_unparent(child) }
    }

    /// Hides the widget without removing it, since a removal would lay out the surrounding widgets
    /// again.
    func hide() {
        if let child { gtk_widget_set_child_visible(child, 0) }
    }

    func map() { drawn?.map() }

    func unmap() { drawn?.unmap() }

    func setPlaying(_ isPlaying: Bool) {
        if let drawn { return drawn.setPlaying(isPlaying) }
        ShownPicture.forEach(from: content.pointer) { picture, _ in picture.setPlaying(isPlaying) }
    }

    /// Makes the pictures of the content draw the pixels that their images have now.
    func refresh() {
        if let drawn { return drawn.refresh() }
        ShownPicture.forEach(from: content.pointer) { picture, widget in picture.refresh(in: widget) }
    }

    // MARK: Size

    var requestMode: GtkSizeRequestMode {
        drawn?.requestMode ?? child.map { gtk_widget_get_request_mode($0) } ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
    }

    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        if let drawn { return drawn.measure(orientation, forSize: size) }
        var (least, best): (Int32, Int32) = (0, 0)
        if let child { gtk_widget_measure(child, orientation, size, &least, &best, nil, nil) }
        return (least, best)
    }

    func allocate(width: Int32, height: Int32) {
        guard let child, gtk_widget_should_layout(child) != 0 else { return }
        // A reserved size may be smaller than the minimum size of the content, which is then
        // clipped.
        let leastWidth = max(width, measure(GTK_ORIENTATION_HORIZONTAL, forSize: -1).minimum)
        let leastHeight = max(height, measure(GTK_ORIENTATION_VERTICAL, forSize: leastWidth).minimum)
        gtk_widget_allocate(child, leastWidth, leastHeight, -1, nil)
    }

    func snapshot(into snapshot: OpaquePointer?) {
        if let drawn {
            drawn.snapshot(into: snapshot, width: gtk_widget_get_width(view), height: gtk_widget_get_height(view))
        } else if let child {
            gtk_widget_snapshot_child(view, child, snapshot)
        }
    }
}

extension ViewLayer? {
    /// All results of measuring the layer; equal for layers of equal size.
    @MainActor
    func sizes(forWidth width: Int32) -> [Int32] {
        guard let self else { return [] }
        let (least, best) = self.measure(GTK_ORIENTATION_HORIZONTAL, forSize: -1)
        let (leastHeight, bestHeight) = self.measure(GTK_ORIENTATION_VERTICAL, forSize: -1)
        // GTK warns if a widget is measured for less than its minimum, as in a view without a size.
        let (leastForWidth, bestForWidth) = self.measure(GTK_ORIENTATION_VERTICAL, forSize: max(width, least))
        return [Int32(self.requestMode.rawValue), least, best, leastHeight, bestHeight, leastForWidth, bestForWidth]
    }
}

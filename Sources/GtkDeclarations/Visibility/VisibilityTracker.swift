import CRemoteImageGtk

/// Tracks whether one widget is visible: mapped, and within the viewports around it or near them.
/// After ``root()``, a widget in an unmapped row of a list counts as visible, too, while the row is
/// near the visible ones.
///
/// Its owner, such as the load controller of the widget, calls it on map, unmap and allocation.
@MainActor
package final class VisibilityTracker {
    // Not owned: the widget indirectly owns this object.
    let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor (Bool) -> Void
    private var viewport: Viewport?
    /// The list whose rows the widget is in.
    private var list: (viewport: ListViewport, row: UnsafeMutablePointer<GtkWidget>)?
    package private(set) var isMapped = false
    /// The size that the widget will have, in points, as far as the visible rows of its list tell:
    /// from ``approach(_:)`` to the first allocation.
    package private(set) var expectedSize: (width: Int32, height: Int32)?
    /// `nil` until the first allocation. A widget without content may have size 0.
    private var size: (width: Int32, height: Int32)?
    private var place: (area: Rect, layoutNumber: Int)?
    package private(set) var isVisible = false
    /// Whether the widget has to be drawn. GTK's software renderer converts every texture of a
    /// frame, even those that a viewport clips.
    package private(set) var needsDrawing = true
    /// Called after a change of ``needsDrawing``, between layout and drawing.
    package var needsDrawingChanged: (@MainActor () -> Void)?
    /// The distance from a viewport, in points, within which widgets are still drawn: larger than
    /// any rounding error of positions.
    private static let drawingMargin = 16.0
    /// Called between layout and drawing, in each frame that draws the widget.
    package var aboutToBeDrawn: (@MainActor () -> Void)?
    /// The distance from a viewport, in points, within which a widget counts as visible.
    package var margin = 0.0 {
        didSet {
            guard margin != oldValue else { return }
            viewport?.checkSoon()
            list?.viewport.checkSoon()
        }
    }

    /// - Parameter changed: Called when ``isVisible`` has changed, and when a row that was mapped
    ///   is only near the visible ones.
    package init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
    }

    package var isLaidOut: Bool { size != nil }

    /// Whether the widget is in a viewport. If so, a mapped widget may be invisible.
    package var hasViewport: Bool { viewport != nil }

    /// Whether `other` is the nearest viewport around the widget.
    func isNearest(_ other: Viewport) -> Bool { viewport === other }

    /// Whether the widget has moved since its position was last looked up.
    func hasMoved() -> Bool {
        guard let viewport, isMapped, isLaidOut, let area = viewport.area(of: widget) else { return false }
        return area != place?.area
    }

    /// The widget is in a window, but perhaps not mapped.
    package func root() {
        unroot()
        list = ListViewport.add(self)
    }

    package func unroot() {
        if let list { list.viewport.remove(self, from: list.row) }
        list = nil
        recede()
    }

    /// The widget is in an unmapped row near the visible rows of its list.
    ///
    /// - Parameter size: The size that the widget will probably have.
    func approach(_ size: (width: Int32, height: Int32)) {
        guard !isMapped else { return }
        let wasNear = isNear
        expectedSize = size
        if isVisible, !wasNear { changed(true) }
        set(true)
    }

    /// The widget is not mapped, and not in a row near the visible rows of its list.
    func recede() {
        guard !isMapped else { return }
        expectedSize = nil
        set(false)
    }

    /// Whether the widget is not mapped but counts as visible.
    package var isNear: Bool { !isMapped && expectedSize != nil }

    /// Call before the widget shows another image. GTK may have moved its row to another place of
    /// the list, which is known after the next layout.
    package func contentReplaced() {
        guard !isMapped, let list else { return }
        recede()
        list.viewport.checkSoon()
    }

    package func map() {
        isMapped = true
        if isLaidOut { expectedSize = nil }
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self)
        // The position is unknown until the widget is laid out.
        place = nil
        viewport.checkSoon()
    }

    /// The widget is mapped, and was laid out before. No other widget moves.
    package func map(width: Int32, height: Int32) {
        size = (width, height)
        isMapped = true
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self, isLaidOut: true)
        place = nil
        check()
        updateNeedsDrawing()
    }

    package func unmap() {
        isMapped = false
        viewport?.remove(self)
        viewport = nil
        expectedSize = nil
        // A row that scrolls out of sight may still be near.
        if list?.viewport.checkSoon(self) != true { set(false) }
        setNeedsDrawing(true)
    }

    /// The widget was allocated and is about to be drawn.
    package func allocate(width: Int32, height: Int32) {
        let isNew = size == nil || size ?? (0, 0) != (width, height)
        size = (width, height)
        expectedSize = nil
        guard let viewport, isMapped else { return }
        if isNew {
            place = nil
            viewport.contentMoved()
        }
        check()
        updateNeedsDrawing()
    }

    /// Checks the visibility, and reports a change.
    package func check() {
        if let isVisible = findVisibility() { set(isVisible) }
    }

    /// Whether ``check()`` would report a change.
    var isAboutToChange: Bool { findVisibility().map { $0 != isVisible } ?? false }

    /// Whether the widget is visible at its current position. `nil` while the position is unknown.
    private func findVisibility() -> Bool? {
        guard let viewport, let area = findPlace() else { return nil }
        return viewport.isVisible(area, margin: margin)
    }

    /// Sorts from top to bottom, and in each line in the direction of the text.
    static func inReadingOrder(_ trackers: [VisibilityTracker]) -> [VisibilityTracker] {
        guard trackers.count > 1 else { return trackers }
        return trackers.map { (tracker: $0, place: $0.placeInWindow) }
            .sorted { $0.place < $1.place }
            .map(\.tracker)
    }

    /// The position in the window; `x` increases in the direction of the text.
    private var placeInWindow: (y: Float, x: Float) {
        var bounds = graphene_rect_t()
        guard let root = gtk_widget_get_root(widget),
            gtk_widget_compute_bounds(widget, shim_widget(UnsafeMutableRawPointer(root)), &bounds) != 0
        else { return (0, 0) }
        let isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        return (bounds.origin.y, isMirrored ? -(bounds.origin.x + bounds.size.width) : bounds.origin.x)
    }

    /// Updates ``needsDrawing``. Called between layout and drawing.
    func updateNeedsDrawing() {
        guard let viewport, let area = findPlace() else { return }
        setNeedsDrawing(viewport.isVisible(area, margin: Self.drawingMargin))
        if needsDrawing { aboutToBeDrawn?() }
    }

    /// The bounds of the widget in its viewport. `nil` while they are unknown.
    private func findPlace() -> Rect? {
        guard let viewport, isMapped, isLaidOut else { return nil }
        if let place, place.layoutNumber == viewport.layoutNumber { return place.area }
        guard let area = viewport.area(of: widget) else { return place?.area }
        place = (area, viewport.layoutNumber)
        return area
    }

    private func setNeedsDrawing(_ needsDrawing: Bool) {
        guard needsDrawing != self.needsDrawing else { return }
        self.needsDrawing = needsDrawing
        gtk_widget_queue_draw(widget)
        needsDrawingChanged?()
    }

    private func set(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        changed(isVisible)
    }
}

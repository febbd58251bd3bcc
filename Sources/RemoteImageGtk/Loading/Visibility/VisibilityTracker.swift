import CGtk

/// Tracks whether one widget is visible: mapped, and within the viewports around it or near them.
///
/// The state of the widget owns it and calls it on map, unmap and allocation.
@MainActor
final class VisibilityTracker {
    // Not owned: the widget owns the state, and with it this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor (Bool) -> Void
    private var viewport: Viewport?
    private var isMapped = false
    /// Nil as long as the widget has never been laid out. A widget that has nothing to show yet may be of no size.
    private var size: (width: Int32, height: Int32)?
    private var place: (area: Rect, layoutNumber: Int)?
    private(set) var isVisible = false
    /// Whether the widget has to be drawn: GTK's renderer without a GPU converts every texture of a frame, also those that
    /// a viewport cuts off.
    private(set) var isDrawn = true
    /// How far outside of a viewport, in points, is drawn all the same: more than any rounding of places.
    private static let drawnMargin = 16.0
    /// How far outside of a viewport, in points, still counts as visible.
    var margin = 0.0 {
        didSet { if margin != oldValue { viewport?.lookSoon() } }
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
    }

    var isLaidOut: Bool { size != nil }

    /// Whether the widget is in a viewport, so that being mapped alone does not make it visible.
    var isInViewport: Bool { viewport != nil }

    /// Whether a viewport is the nearest around the widget.
    func isNearest(_ other: Viewport) -> Bool { viewport === other }

    /// Whether the widget is somewhere else than when it was looked for last.
    func hasMoved() -> Bool {
        guard let viewport, isMapped, isLaidOut, let area = viewport.area(of: widget) else { return false }
        return area != place?.area
    }

    func map() {
        isMapped = true
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self)
        // Its place is unknown until it is laid out.
        place = nil
        viewport.lookSoon()
    }

    func unmap() {
        isMapped = false
        viewport?.remove(self)
        viewport = nil
        set(false)
        setDrawn(true)
    }

    /// The widget has got its size, and is about to be drawn.
    func allocate(width: Int32, height: Int32) {
        let isNew = size == nil || size ?? (0, 0) != (width, height)
        size = (width, height)
        guard let viewport, isMapped else { return }
        if isNew {
            place = nil
            viewport.contentMoved()
        }
        look()
        lookAtDrawing()
    }

    /// Looks where the widget is.
    func look() {
        if let isVisible = findVisibility() { set(isVisible) }
    }

    /// Whether ``look()`` would report a change.
    var isAboutToChange: Bool { findVisibility().map { $0 != isVisible } ?? false }

    /// Whether the widget is visible where it is now. `nil` while its place is unknown.
    private func findVisibility() -> Bool? {
        guard let viewport, let area = findPlace() else { return nil }
        return viewport.isVisible(area, margin: margin)
    }

    /// From top to bottom, and in each line from its start to its end.
    static func inReadingOrder(_ trackers: [VisibilityTracker]) -> [VisibilityTracker] {
        guard trackers.count > 1 else { return trackers }
        return trackers.map { (tracker: $0, place: $0.placeInWindow) }
            .sorted { $0.place < $1.place }
            .map(\.tracker)
    }

    /// Downwards, and in the direction of the text.
    private var placeInWindow: (y: Float, x: Float) {
        var bounds = graphene_rect_t()
        guard let root = gtk_widget_get_root(widget),
            gtk_widget_compute_bounds(widget, shim_widget(UnsafeMutableRawPointer(root)), &bounds) != 0
        else { return (0, 0) }
        let isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        return (bounds.origin.y, isMirrored ? -(bounds.origin.x + bounds.size.width) : bounds.origin.x)
    }

    /// Looks whether the widget has to be drawn, between layout and drawing.
    func lookAtDrawing() {
        guard let viewport, let area = findPlace() else { return }
        setDrawn(viewport.isVisible(area, margin: Self.drawnMargin))
    }

    /// Where the widget is in its viewport. `nil` while that is unknown.
    private func findPlace() -> Rect? {
        guard let viewport, isMapped, isLaidOut else { return nil }
        if let place, place.layoutNumber == viewport.layoutNumber { return place.area }
        guard let area = viewport.area(of: widget) else { return place?.area }
        place = (area, viewport.layoutNumber)
        return area
    }

    private func setDrawn(_ isDrawn: Bool) {
        guard isDrawn != self.isDrawn else { return }
        self.isDrawn = isDrawn
        gtk_widget_queue_draw(widget)
    }

    private func set(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        changed(isVisible)
    }
}

import CRemoteImageGtk

/// Tracks whether one widget is visible: mapped, and within the viewports around it or near them.
///
/// The load controller of the widget owns the tracker and calls it on map, unmap and allocation.
@MainActor
final class VisibilityTracker {
    // Not owned: the widget indirectly owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor (Bool) -> Void
    private var viewport: Viewport?
    private var isMapped = false
    /// `nil` until the first allocation. A widget without content may have size 0.
    private var size: (width: Int32, height: Int32)?
    private var place: (area: Rect, layoutNumber: Int)?
    private(set) var isVisible = false
    /// Whether the widget has to be drawn. GTK's software renderer converts every texture of a
    /// frame, even those that a viewport clips.
    private(set) var isDrawn = true
    /// Called after a change of ``isDrawn``, between layout and drawing.
    var drawnChanged: (@MainActor () -> Void)?
    /// The distance from a viewport, in points, within which widgets are still drawn: larger than
    /// any rounding error of positions.
    private static let drawnMargin = 16.0
    /// Called between layout and drawing, in each frame that draws the widget.
    var aboutToBeDrawn: (@MainActor () -> Void)?
    /// The distance from a viewport, in points, within which a widget counts as visible.
    var margin = 0.0 {
        didSet { if margin != oldValue { viewport?.checkSoon() } }
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
    }

    var isLaidOut: Bool { size != nil }

    /// Whether the widget is in a viewport. If so, a mapped widget may be invisible.
    var isInViewport: Bool { viewport != nil }

    /// Whether `other` is the nearest viewport around the widget.
    func isNearest(_ other: Viewport) -> Bool { viewport === other }

    /// Whether the widget has moved since its position was last looked up.
    func hasMoved() -> Bool {
        guard let viewport, isMapped, isLaidOut, let area = viewport.area(of: widget) else { return false }
        return area != place?.area
    }

    func map() {
        isMapped = true
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self)
        // The position is unknown until the widget is laid out.
        place = nil
        viewport.checkSoon()
    }

    /// The widget is mapped, and was laid out before. No other widget moves.
    func map(width: Int32, height: Int32) {
        size = (width, height)
        isMapped = true
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self, isLaidOut: true)
        place = nil
        check()
        updateIsDrawn()
    }

    func unmap() {
        isMapped = false
        viewport?.remove(self)
        viewport = nil
        set(false)
        setDrawn(true)
    }

    /// The widget was allocated and is about to be drawn.
    func allocate(width: Int32, height: Int32) {
        let isNew = size == nil || size ?? (0, 0) != (width, height)
        size = (width, height)
        guard let viewport, isMapped else { return }
        if isNew {
            place = nil
            viewport.contentMoved()
        }
        check()
        updateIsDrawn()
    }

    /// Checks the visibility, and reports a change.
    func check() {
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

    /// Updates ``isDrawn``. Called between layout and drawing.
    func updateIsDrawn() {
        guard let viewport, let area = findPlace() else { return }
        setDrawn(viewport.isVisible(area, margin: Self.drawnMargin))
        if isDrawn { aboutToBeDrawn?() }
    }

    /// The bounds of the widget in its viewport. `nil` while they are unknown.
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
        drawnChanged?()
    }

    private func set(_ isVisible: Bool) {
        guard isVisible != self.isVisible else { return }
        self.isVisible = isVisible
        changed(isVisible)
    }
}

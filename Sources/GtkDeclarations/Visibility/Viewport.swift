// Viewports: scrollable widgets that show a part of their content.
//
// All children of a box in a scrolled window are mapped, visible or not. Lists and grids unmap
// invisible rows and therefore do not count as viewports here.

import CRemoteImageGtk

/// A scrollable widget with views below it. The widget owns this object, which is connected to the
/// adjustments and the frame clock of the widget only while there are mapped views.
///
/// Positions are kept in content coordinates, which do not change during scrolling: a frame of
/// scrolling only compares numbers and does not query GTK.
@MainActor
final class Viewport {
    private static let data = ObjectData<Viewport>("remote-image-viewport")

    // Not owned: the widget owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// The trackers of the mapped views. Each tracker removes itself before its widget is
    /// destroyed.
    private var watchers: [ObjectIdentifier: VisibilityTracker] = [:]
    private let connections = SignalConnections()
    // The adjustments of the widget while connected. Cached, since getting them takes longer than
    // using them.
    private var horizontal: ObjectReference?
    private var vertical: ObjectReference?
    /// The scroll offset in points. Cached, since each position of each view needs it.
    private var offset = (x: 0.0, y: 0.0)
    private var needsCheck = false
    /// Whether the content has scrolled since its last layout.
    private var hasScrolled = false
    /// The scroll offset at the last layout.
    private var lastOffset: (x: Double, y: Double)?
    private var roundRobin = RoundRobinCheck()
    /// Fires when a period in which every frame is laid out has ended.
    private let calm = MainLoopTimer()
    /// Changes whenever a widget may have moved within the content.
    private(set) var layoutNumber = 0
    /// The viewport around this one.
    private var outer: Viewport?
    private var place: (area: Rect, outerLayoutNumber: Int)?

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
    }

    /// The nearest viewport around a widget.
    static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> Viewport? {
        var parent = gtk_widget_get_parent(widget)
        // A popover has its own surface, independent of the viewports around its parent.
        while let current = parent, shim_is_a(current, gtk_native_get_type()) == 0 {
            if isViewport(current) {
                if let viewport = data[current] { return viewport }
                let viewport = Viewport(current)
                data[current] = viewport
                return viewport
            }
            parent = gtk_widget_get_parent(current)
        }
        return nil
    }

    private static func isViewport(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        shim_is_a(widget, gtk_scrollable_get_type()) != 0 && !isList(widget)
            && shim_is_a(widget, gtk_column_view_get_type()) == 0
    }

    /// Whether a widget unmaps its invisible rows. A `GtkColumnView` has such a list inside.
    static func isList(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        [gtk_list_view_get_type(), gtk_grid_view_get_type()].contains { shim_is_a(widget, $0) != 0 }
    }

    // MARK: Watchers

    /// Notifies `tracker` of possible changes in this viewport and in the viewports around it.
    ///
    /// - Parameter isLaidOut: Whether the widget has its position, so that no widget moves.
    func add(_ tracker: VisibilityTracker, isLaidOut: Bool = false) {
        if watchers.isEmpty { connect() }
        watchers[ObjectIdentifier(tracker)] = tracker
        if isLaidOut { roundRobin.add(tracker) } else { roundRobin.end() }
        outer?.add(tracker, isLaidOut: isLaidOut)
    }

    func remove(_ tracker: VisibilityTracker) {
        guard watchers.removeValue(forKey: ObjectIdentifier(tracker)) != nil else { return }
        roundRobin.end()
        outer?.remove(tracker)
        if watchers.isEmpty {
            connections.end()
            calm.stop()
            (outer, place, needsCheck, hasScrolled, lastOffset) = (nil, nil, false, false, nil)
            (horizontal, vertical) = (nil, nil)
        }
    }

    private func connect() {
        outer = Viewport.around(widget)
        for property in ["hadjustment", "vadjustment"] {
            connections.connect(property: property, of: UnsafeMutableRawPointer(widget)) { [weak self] in
                self?.connectAgain()
            }
        }
        let scrollable = OpaquePointer(widget)
        horizontal = gtk_scrollable_get_hadjustment(scrollable).map { ObjectReference(borrowing: $0) }
        vertical = gtk_scrollable_get_vadjustment(scrollable).map { ObjectReference(borrowing: $0) }
        readOffset()
        for adjustment in [horizontal, vertical].compactMap({ $0?.pointer }) {
            connections.connect("value-changed", of: adjustment) { [weak self] in
                self?.readOffset()
                self?.checkSoon()
            }
            connections.connect("changed", of: adjustment) { [weak self] in
                self?.readOffset()
                self?.contentMoved()
            }
        }
        if let clock = gtk_widget_get_frame_clock(widget) {
            // After layout, when all widgets have their new positions. Loads may change content,
            // which is not allowed between layout and drawing.
            connections.connect("after-paint", of: UnsafeMutableRawPointer(clock)) { [weak self] in self?.check() }
            // Connected after GTK's own layout handler, and therefore called after it.
            connections.connect("layout", of: UnsafeMutableRawPointer(clock)) { [weak self] in self?.laidOut() }
        }
    }

    private func connectAgain() {
        connections.end()
        connect()
        contentMoved()
    }

    /// Call when a widget in the content has a new size or position.
    func contentMoved() {
        layoutNumber += 1
        checkSoon()
    }

    /// Checks the trackers once, after the next frame, however often this is called before.
    func checkSoon() {
        guard !needsCheck else { return }
        needsCheck = true
        request(GDK_FRAME_CLOCK_PHASE_LAYOUT, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
    }

    /// GTK does not notify widgets that move without changing their size, for example when children
    /// are reordered. After a layout without scrolling, any widget may have moved.
    private func laidOut() {
        readOffset()
        defer { lastOffset = offset }
        guard let lastOffset, lastOffset == offset else {
            hasScrolled = true
            request(GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
            return updateNeedsDrawing()
        }
        let frame = gtk_widget_get_frame_clock(widget).map { gdk_frame_clock_get_frame_counter($0) } ?? 0
        if roundRobin.continueRound(in: frame, layoutNumber), !roundRobin.findMove() {
            return calm.start(after: .milliseconds(100)) { [weak self] in self?.contentMoved() }
        }
        layoutNumber += 1
        needsCheck = true
        request(GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        updateNeedsDrawing()
        // In nested viewports, each viewport may have moved.
        let isAlone = outer == nil && watchers.values.allSatisfy { $0.isNearest(self) }
        if isAlone { roundRobin.begin(with: watchers.values, in: frame, layoutNumber) }
    }

    private func updateNeedsDrawing() {
        for tracker in watchers.values { tracker.updateNeedsDrawing() }
    }

    private func request(_ phases: GdkFrameClockPhase...) {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        for phase in phases { gdk_frame_clock_request_phase(clock, phase) }
    }

    private func check() {
        if hasScrolled {
            // A widget may have moved in the same frame. The first layout without scrolling finds
            // all positions.
            hasScrolled = false
            request(GDK_FRAME_CLOCK_PHASE_LAYOUT)
        }
        guard needsCheck else { return }
        needsCheck = false
        let changing = watchers.values.filter(\.isAboutToChange)
        let leaving = changing.filter(\.isVisible)
        // Views that appear come first. If leaving views freed their transfer slots first, other
        // views that are about to leave would take them.
        for tracker in VisibilityTracker.inReadingOrder(changing.filter { !$0.isVisible }) { tracker.check() }
        for tracker in leaving { tracker.check() }
    }

    // MARK: Positions

    private func readOffset() {
        offset = (value(of: horizontal), value(of: vertical))
    }

    private func value(of adjustment: ObjectReference?) -> Double {
        guard let adjustment else { return 0 }
        return gtk_adjustment_get_value(adjustment.pointer.assumingMemoryBound(to: GtkAdjustment.self))
    }

    /// The number of look-ups of positions, for tests that check for needless ones.
    package static var placeCount = 0

    /// The bounds of a widget in the content; `nil` if GTK cannot compute them.
    func area(of child: UnsafeMutablePointer<GtkWidget>) -> Rect? {
        Self.placeCount += 1
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(child, widget, &bounds) != 0 else { return nil }
        return Rect(
            x: Double(bounds.origin.x) + offset.x, y: Double(bounds.origin.y) + offset.y,
            width: Double(bounds.size.width), height: Double(bounds.size.height))
    }

    /// Whether an area of the content is visible in this viewport and in the viewports around it,
    /// or at most `margin` points outside.
    func isVisible(_ area: Rect, margin: Double) -> Bool {
        let window = Rect(
            x: 0, y: 0, width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        let seen = area.moved(x: -offset.x, y: -offset.y).intersection(with: window.grown(by: margin))
        guard let seen else { return false }
        guard let outer else { return true }
        guard let place = place(in: outer) else { return false }
        return outer.isVisible(seen.moved(x: place.x, y: place.y), margin: margin)
    }

    private func place(in outer: Viewport) -> Rect? {
        if let place, place.outerLayoutNumber == outer.layoutNumber { return place.area }
        guard let area = outer.area(of: widget) else { return nil }
        place = (area, outer.layoutNumber)
        return area
    }
}

// What is scrolled: a widget that shows a part of what it contains.
//
// Everything in a box in a scrolled window is mapped, visible or not. Lists and grids are different: they unmap the
// rows that are not visible, so they are no viewports here.

import CGtk

/// One scrollable widget with views below it. Hangs on the widget, and is connected to its adjustments and to the
/// clock of its frames only while there are mapped views.
///
/// Places are kept in the coordinates of the content, which scrolling leaves alone: a frame of scrolling compares
/// numbers and asks GTK for nothing.
@MainActor
final class Viewport {
    private static let data = ObjectData<Viewport>("remote-image-viewport")

    // Not owned: the widget owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// The mapped ones: each of them removes itself before its widget goes.
    private var watchers: [ObjectIdentifier: VisibilityTracker] = [:]
    private let connections = SignalConnections()
    // The widget's, as long as it is connected to them: to ask for them takes longer than all that is done with them.
    private var horizontal: ObjectReference?
    private var vertical: ObjectReference?
    /// What the content is scrolled by. Kept: it is asked for with each place of each view.
    private var offset = (x: 0.0, y: 0.0)
    private var needsLook = false
    /// Whether the offset was another when the content was laid out last.
    private var hasScrolled = false
    /// Where the content was when it was laid out last.
    private var lastOffset: (x: Double, y: Double)?
    private var roundRobin = RoundRobinCheck()
    /// Goes off when a while of layout in each frame is over.
    private let calm = MainLoopTimer()
    /// Changes whenever something may have moved within the content.
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
        // A popover has a place of its own on the screen, whatever is around the widget that it belongs to.
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
        guard shim_is_a(widget, gtk_scrollable_get_type()) != 0 else { return false }
        return ![gtk_list_view_get_type(), gtk_grid_view_get_type(), gtk_column_view_get_type()]
            .contains { shim_is_a(widget, $0) != 0 }
    }

    // MARK: Watchers

    /// Tells `tracker` of what may have changed, from now on; also of the viewports around this one.
    func add(_ tracker: VisibilityTracker) {
        if watchers.isEmpty { connect() }
        watchers[ObjectIdentifier(tracker)] = tracker
        roundRobin.end()
        outer?.add(tracker)
    }

    func remove(_ tracker: VisibilityTracker) {
        guard watchers.removeValue(forKey: ObjectIdentifier(tracker)) != nil else { return }
        roundRobin.end()
        outer?.remove(tracker)
        if watchers.isEmpty {
            connections.end()
            calm.stop()
            (outer, place, needsLook, hasScrolled, lastOffset) = (nil, nil, false, false, nil)
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
        horizontal = gtk_scrollable_get_hadjustment(scrollable).map { ObjectReference($0) }
        vertical = gtk_scrollable_get_vadjustment(scrollable).map { ObjectReference($0) }
        readOffset()
        for adjustment in [horizontal, vertical].compactMap({ $0?.pointer }) {
            connections.connect("value-changed", of: adjustment) { [weak self] in
                self?.readOffset()
                self?.lookSoon()
            }
            connections.connect("changed", of: adjustment) { [weak self] in
                self?.readOffset()
                self?.contentMoved()
            }
        }
        if let clock = gtk_widget_get_frame_clock(widget) {
            // After layout, when everything has its new place; loads may change content, which cannot be done between
            // layout and drawing.
            connections.connect("after-paint", of: UnsafeMutableRawPointer(clock)) { [weak self] in self?.look() }
            // Connected later than GTK's own layout, and so called after it.
            connections.connect("layout", of: UnsafeMutableRawPointer(clock)) { [weak self] in self?.laidOut() }
        }
    }

    private func connectAgain() {
        connections.end()
        connect()
        contentMoved()
    }

    /// Something in the content has another size or place.
    func contentMoved() {
        layoutNumber += 1
        lookSoon()
    }

    /// Looks after the next frame, however often this is called until then.
    func lookSoon() {
        guard !needsLook else { return }
        needsLook = true
        request(GDK_FRAME_CLOCK_PHASE_LAYOUT, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
    }

    /// GTK tells no widget that it has moved without changing its size, as after a change of order: whatever is laid out
    /// while nothing scrolls may have moved.
    private func laidOut() {
        readOffset()
        defer { lastOffset = offset }
        guard let lastOffset, lastOffset == offset else {
            hasScrolled = true
            request(GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
            return lookAtDrawing()
        }
        let frame = gtk_widget_get_frame_clock(widget).map { gdk_frame_clock_get_frame_counter($0) } ?? 0
        if roundRobin.goOn(in: frame, layoutNumber), !roundRobin.findMove() {
            return calm.start(after: .milliseconds(100)) { [weak self] in self?.contentMoved() }
        }
        layoutNumber += 1
        needsLook = true
        request(GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        lookAtDrawing()
        // Within several viewports each of them may have moved.
        let isAlone = outer == nil && watchers.values.allSatisfy { $0.isNearest(self) }
        if isAlone { roundRobin.begin(with: watchers.values, in: frame, layoutNumber) }
    }

    private func lookAtDrawing() {
        for tracker in watchers.values { tracker.lookAtDrawing() }
    }

    private func request(_ phases: GdkFrameClockPhase...) {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        for phase in phases { gdk_frame_clock_request_phase(clock, phase) }
    }

    private func look() {
        if hasScrolled {
            // Something may have moved in the same frame: the first one that stands still says where everything is.
            hasScrolled = false
            request(GDK_FRAME_CLOCK_PHASE_LAYOUT)
        }
        guard needsLook else { return }
        needsLook = false
        let changing = watchers.values.filter(\.isAboutToChange)
        let leaving = changing.filter(\.isVisible)
        // Before those that leave, whose places would go to others that are about to leave.
        for tracker in VisibilityTracker.inReadingOrder(changing.filter { !$0.isVisible }) { tracker.look() }
        for tracker in leaving { tracker.look() }
    }

    // MARK: Places

    private func readOffset() {
        offset = (value(of: horizontal), value(of: vertical))
    }

    private func value(of adjustment: ObjectReference?) -> Double {
        guard let adjustment else { return 0 }
        return gtk_adjustment_get_value(adjustment.pointer.assumingMemoryBound(to: GtkAdjustment.self))
    }

    /// How often a widget was located; for tests of needless look-ups.
    package static var placeCount = 0

    /// Where a widget is in the content; nil where it has no place.
    func area(of child: UnsafeMutablePointer<GtkWidget>) -> Rect? {
        Self.placeCount += 1
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(child, widget, &bounds) != 0 else { return nil }
        return Rect(
            x: Double(bounds.origin.x) + offset.x, y: Double(bounds.origin.y) + offset.y,
            width: Double(bounds.size.width), height: Double(bounds.size.height))
    }

    /// Whether an area of the content can be seen, here and in the viewports around, give or take `margin` points.
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

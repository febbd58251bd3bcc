import CRemoteImageGtk

/// The rows of a `GtkListView` or a `GtkGridView` near its visible ones. The list owns this object.
///
/// GTK makes and binds up to 100 rows of a list, or 15 lines of a grid, on each side of the visible
/// ones, but it neither maps nor allocates them. Their distances and the sizes of their views
/// follow from the visible rows.
@MainActor
final class ListViewport {
    typealias Row = UnsafeMutablePointer<GtkWidget>

    private static let data = ObjectData<ListViewport>("remote-image-list-viewport")

    // Not owned: the list owns this object.
    private let list: UnsafeMutablePointer<GtkWidget>
    private let isGrid: Bool
    private var trackers: [Row: [VisibilityTracker]] = [:]
    /// The trackers that count as visible without being mapped.
    private var near: [ObjectIdentifier: VisibilityTracker] = [:]
    /// Whether the list itself is within the viewports around it.
    private lazy var visibility = VisibilityTracker(list) { [weak self] _ in self?.checkSoon() }
    private let connections = SignalConnections()
    /// The connections while the list is mapped.
    private let mappedConnections = SignalConnections()
    private var needsCheck = false

    private init(_ list: UnsafeMutablePointer<GtkWidget>) {
        self.list = list
        isGrid = shim_is_a(list, gtk_grid_view_get_type()) != 0
    }

    // MARK: Trackers

    /// Adds a tracker to the nearest list around its widget.
    ///
    /// - Returns: `nil` if the widget is in no list, or in a viewport inside of a row, which hides
    ///   a part of the row.
    static func add(_ tracker: VisibilityTracker) -> (viewport: ListViewport, row: Row)? {
        var row = tracker.widget
        while let parent = gtk_widget_get_parent(row), shim_is_a(parent, gtk_native_get_type()) == 0 {
            if Viewport.isList(parent) {
                let viewport = data[parent] ?? ListViewport(parent)
                data[parent] = viewport
                viewport.add(tracker, in: row)
                return (viewport, row)
            }
            guard shim_is_a(parent, gtk_scrollable_get_type()) == 0 else { return nil }
            row = parent
        }
        return nil
    }

    private func add(_ tracker: VisibilityTracker, in row: Row) {
        if trackers.isEmpty { connect() }
        trackers[row, default: []].append(tracker)
        checkSoon()
    }

    func remove(_ tracker: VisibilityTracker, from row: Row) {
        near[ObjectIdentifier(tracker)] = nil
        let left = (trackers[row] ?? []).filter { $0 !== tracker }
        trackers[row] = left.isEmpty ? nil : left
        guard trackers.isEmpty else { return }
        connections.end()
        unmapped()
    }

    private func connect() {
        let object = UnsafeMutableRawPointer(list)
        connections.connect("map", of: object) { [weak self] in self?.mapped() }
        connections.connect("unmap", of: object) { [weak self] in self?.unmapped() }
        for property in ["hadjustment", "vadjustment"] {
            connections.connect(property: property, of: object) { [weak self] in self?.mapped() }
        }
        mapped()
    }

    private func mapped() {
        guard gtk_widget_get_mapped(list) != 0 else { return }
        mappedConnections.end()
        let scrollable = OpaquePointer(list)
        for adjustment in [gtk_scrollable_get_hadjustment(scrollable), gtk_scrollable_get_vadjustment(scrollable)] {
            guard let adjustment else { continue }
            for signal in ["value-changed", "changed"] {
                mappedConnections.connect(signal, of: adjustment) { [weak self] in self?.checkSoon() }
            }
        }
        if let clock = gtk_widget_get_frame_clock(list) {
            // Loads may change content, which is not allowed between layout and drawing.
            mappedConnections.connect("after-paint", of: UnsafeMutableRawPointer(clock)) { [weak self] in
                self?.check()
            }
        }
        visibility.map()
        checkSoon()
    }

    private func unmapped() {
        mappedConnections.end()
        needsCheck = false
        visibility.unmap()
        let left = near
        near = [:]
        for tracker in left.values { tracker.recede() }
    }

    /// Checks the rows once, after the next frame, however often this is called before.
    func checkSoon() {
        guard !needsCheck, gtk_widget_get_mapped(list) != 0, let clock = gtk_widget_get_frame_clock(list) else {
            return
        }
        needsCheck = true
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
    }

    /// Checks soon whether an unmapped row, which counts as visible, is near.
    ///
    /// - Returns: `false` if the list is not mapped itself.
    func checkSoon(_ tracker: VisibilityTracker) -> Bool {
        guard gtk_widget_get_mapped(list) != 0 else { return false }
        if tracker.isVisible { near[ObjectIdentifier(tracker)] = tracker }
        checkSoon()
        return true
    }

    private func check() {
        guard needsCheck else { return }
        needsCheck = false
        var margin = 0.0
        for row in trackers.values { for tracker in row { margin = max(margin, tracker.margin) } }
        visibility.margin = margin
        visibility.allocate(width: gtk_widget_get_width(list), height: gtk_widget_get_height(list))
        var (left, approaching) = (near, [(tracker: VisibilityTracker, size: (width: Int32, height: Int32))]())
        near = [:]
        if visibility.isVisible, let lines = VisibleRows(of: list, isGrid: isGrid) {
            for (row, distance) in lines.nearRows(within: visibility.margin) {
                for tracker in trackers[row] ?? [] where !tracker.isMapped && distance <= tracker.margin {
                    guard let size = lines.expectedSize(of: tracker.widget, in: row) else { continue }
                    near[ObjectIdentifier(tracker)] = tracker
                    left[ObjectIdentifier(tracker)] = nil
                    approaching.append((tracker, size))
                }
            }
        }
        // The program may change the list in these calls.
        for (tracker, size) in approaching where near[ObjectIdentifier(tracker)] === tracker { tracker.approach(size) }
        for tracker in left.values { tracker.recede() }
    }
}

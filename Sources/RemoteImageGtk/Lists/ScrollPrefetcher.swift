import CRemoteImageGtk

/// Prefetches the images of the rows that a list or a grid will show next, from its scroll position
/// and direction.
///
/// It updates the requested rows at most once per frame, and cancels the rows that are no longer
/// ahead. It does not prefetch while the network conditions forbid it.
///
/// ```swift
/// let prefetcher = ScrollPrefetcher(
///     of: scrolledWindow, count: photos.count, pipeline: pipeline
/// ) { row in
///     ImageRequest(photos[row].address, target: .longestSide(320))
/// }
/// ```
@MainActor
public final class ScrollPrefetcher {
    private let prefetcher: ImagePrefetcher
    private let request: @MainActor (Int) -> ImageRequest?
    private let adjustmentReference: ObjectReference
    private let connections = SignalConnections()
    private let timer = MainLoopTimer()
    private var position: Double
    private var isBackward = false
    private var asked: Range<Int> = 0..<0
    /// The rows that are prefetched now.
    public var rows: Range<Int> { asked }

    /// The number of rows.
    public var count: Int {
        didSet { lookSoon() }
    }
    /// The number of pages that are prefetched ahead of the scroll position. Default: 1.
    public var screens = 1.0

    /// - Parameters:
    ///   - scrolledWindow: A `GtkScrolledWindow` with the list or the grid. Its rows must have
    ///     equal heights.
    ///   - count: The number of rows of the list or cells of the grid.
    ///   - pipeline: The pipeline that loads the images.
    ///   - destination: The cache into which images are loaded. Default: the memory cache.
    ///   - request: Returns the request of a row, or `nil` for none. Its target should be the size
    ///     of the view in pixels.
    public init?(
        of scrolledWindow: OpaquePointer, count: Int, pipeline: ImagePipeline,
        destination: ImagePrefetcher.Destination = .memory, request: @escaping @MainActor (Int) -> ImageRequest?
    ) {
        guard shim_is_a(UnsafeMutableRawPointer(scrolledWindow), gtk_scrolled_window_get_type()) != 0,
            let adjustment = gtk_scrolled_window_get_vadjustment(scrolledWindow)
        else { return nil }
        prefetcher = ImagePrefetcher(pipeline: pipeline, destination: destination)
        self.request = request
        adjustmentReference = ObjectReference(adjustment)
        self.count = count
        position = gtk_adjustment_get_value(adjustment)
        for signal in ["value-changed", "changed"] {
            connections.connect(signal, of: adjustment) { [weak self] in self?.lookSoon() }
        }
        lookSoon()
    }

    isolated deinit {
        timer.stop()
        connections.end()
        prefetcher.stopAll()
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment> {
        adjustmentReference.pointer.assumingMemoryBound(to: GtkAdjustment.self)
    }

    private func lookSoon() {
        guard !timer.isRunning else { return }
        // The duration of one frame.
        timer.start(after: .milliseconds(16), priority: G_PRIORITY_DEFAULT_IDLE) { [weak self] in self?.look() }
    }

    private func look() {
        let new = gtk_adjustment_get_value(adjustment)
        // A change in row count or page size does not count as a change of direction.
        if new != position { isBackward = new < position }
        position = new
        let next = Self.rows(
            ahead: screens, from: new, page: gtk_adjustment_get_page_size(adjustment),
            whole: gtk_adjustment_get_upper(adjustment), count: count, isBackward: isBackward)
        guard next != asked else { return }
        let old = asked
        asked = next
        prefetcher.stop(old.filter { !next.contains($0) }.compactMap(request))
        let added = next.filter { !old.contains($0) }
        // The rows that become visible first are loaded first.
        prefetcher.start((isBackward ? added.reversed() : added).compactMap(request))
    }

    /// The rows that become visible next, without the visible ones.
    nonisolated static func rows(
        ahead screens: Double, from position: Double, page: Double, whole: Double, count: Int, isBackward: Bool
    ) -> Range<Int> {
        guard whole > 0, count > 0, page > 0 else { return 0..<0 }
        func row(at place: Double) -> Int { min(count, max(0, Int(place / whole * Double(count)))) }
        if isBackward { return row(at: position - screens * page)..<row(at: position) }
        let start = min(count, row(at: position + page) + 1)
        return start..<max(start, row(at: position + page + screens * page))
    }
}

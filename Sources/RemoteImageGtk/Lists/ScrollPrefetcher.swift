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
    /// The duration of one frame.
    private static let frame = Duration.milliseconds(16)

    /// Returns the pipeline that loads the images, or `nil` while there is none.
    typealias Pipeline = @MainActor () -> ImagePipeline?
    /// Returns the requests of a row.
    typealias Requests = @MainActor (Int) -> [ImageRequest]

    private var prefetcher: (pipeline: ImagePipeline, images: ImagePrefetcher)?
    private let pipeline: Pipeline
    private let destination: ImagePrefetcher.Destination
    private let requests: Requests
    private let adjustmentReference: ObjectReference
    /// Whether the first row is at the end of the adjustment, as in a horizontal list of a
    /// right-to-left language.
    private let isMirrored: Bool
    private let connections = SignalConnections()
    private let timer = MainLoopTimer()
    private let retryTimer = MainLoopTimer()
    private var position: Double
    private var isBackward = false
    /// How often the rows at this position were asked again.
    private var retryCount = 0
    /// The requests of the rows that are prefetched now.
    private var started: [Int: [ImageRequest]] = [:]
    /// Whether ``started`` may have the requests of other items.
    private var isOutdated = false
    /// The rows that are prefetched now.
    public private(set) var rows: Range<Int> = 0..<0

    /// The number of rows.
    public var count: Int {
        didSet { checkSoon() }
    }
    /// The number of pages that are prefetched ahead of the scroll position. Default: 1; negative
    /// values count as 0, and infinity as all pages.
    public var screens = 1.0

    /// - Parameters:
    ///   - scrolledWindow: A `GtkScrolledWindow` with the list or the grid. Its rows must have
    ///     equal heights.
    ///   - count: The number of rows of the list or cells of the grid.
    ///   - pipeline: The pipeline that loads the images.
    ///   - destination: The cache into which images are loaded. Default: the memory cache.
    ///   - request: Returns the request of a row, or `nil` for none. Its target should be the size
    ///     of the view in pixels.
    public convenience init?(
        of scrolledWindow: OpaquePointer, count: Int, pipeline: ImagePipeline,
        destination: ImagePrefetcher.Destination = .memory, request: @escaping @MainActor (Int) -> ImageRequest?
    ) {
        self.init(of: scrolledWindow, count: count, destination: destination, pipeline: { pipeline }) { row in
            request(row).map { [$0] } ?? []
        }
    }

    /// Makes a prefetcher for rows with several images, whose pipeline may change.
    convenience init?(
        of scrolledWindow: OpaquePointer, count: Int, destination: ImagePrefetcher.Destination = .memory,
        pipeline: @escaping Pipeline, requests: @escaping Requests
    ) {
        guard shim_is_a(UnsafeMutableRawPointer(scrolledWindow), gtk_scrolled_window_get_type()) != 0,
            let adjustment = gtk_scrolled_window_get_vadjustment(scrolledWindow)
        else { return nil }
        self.init(along: adjustment, count: count, destination: destination, pipeline: pipeline, requests: requests)
    }

    init(
        along adjustment: UnsafeMutablePointer<GtkAdjustment>, isMirrored: Bool = false, count: Int,
        destination: ImagePrefetcher.Destination = .memory, pipeline: @escaping Pipeline, requests: @escaping Requests
    ) {
        (self.pipeline, self.destination, self.requests) = (pipeline, destination, requests)
        adjustmentReference = ObjectReference(borrowing: adjustment)
        self.isMirrored = isMirrored
        self.count = count
        position = Self.position(of: adjustment, isMirrored)
        connections.connect("value-changed", of: adjustment) { [weak self] in self?.positionChanged() }
        connections.connect("changed", of: adjustment) { [weak self] in self?.checkSoon() }
        checkSoon()
    }

    isolated deinit {
        timer.stop()
        retryTimer.stop()
        connections.end()
        prefetcher?.images.stopAll()
    }

    /// Call when the rows have other items.
    func itemsChanged(count: Int) {
        (isOutdated, retryCount) = (true, 0)
        self.count = count
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment> {
        adjustmentReference.pointer.assumingMemoryBound(to: GtkAdjustment.self)
    }

    private static func position(of adjustment: UnsafeMutablePointer<GtkAdjustment>, _ isMirrored: Bool) -> Double {
        let value = gtk_adjustment_get_value(adjustment)
        guard isMirrored else { return value }
        return gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment) - value
    }

    private func positionChanged() {
        let step = Self.position(of: adjustment, isMirrored) - position
        position += step
        // Lists and grids truncate the position to whole points in their next layout.
        if abs(step) >= 1 { (isBackward, retryCount) = (step < 0, 0) }
        checkSoon()
    }

    private func checkSoon() {
        guard !timer.isRunning else { return }
        timer.start(after: Self.frame) { [weak self] in self?.check() }
    }

    /// Checks again, up to eight times within about four seconds: the visible rows, whose pipeline
    /// and size the requests take, may not have been laid out yet.
    private func retry() {
        guard retryCount < 8 else { return }
        retryTimer.start(after: Self.frame * (1 << retryCount)) { [weak self] in
            self?.retryCount += 1
            self?.check()
        }
    }

    private func check() {
        retryTimer.stop()
        let next = Self.rows(
            ahead: screens, from: position, page: gtk_adjustment_get_page_size(adjustment),
            whole: gtk_adjustment_get_upper(adjustment), count: count, isBackward: isBackward)
        rows = next
        prefetch(next)
    }

    private func prefetch(_ rows: Range<Int>) {
        guard let pipeline = pipeline() else { return retry() }
        if prefetcher?.pipeline !== pipeline {
            prefetcher?.images.stopAll()
            prefetcher = (pipeline, ImagePrefetcher(pipeline: pipeline, destination: destination))
            started = [:]
        }
        let old = started
        var added: [ImageRequest] = []
        started = [:]
        // The rows that become visible first are loaded first. Rows without a request are asked
        // again, since their views may not have been made.
        for row in isBackward ? Array(rows.reversed()) : Array(rows) {
            if !isOutdated, let requests = old[row] {
                started[row] = requests
            } else {
                let requests = requests(row)
                if !requests.isEmpty { started[row] = requests }
                added += requests
            }
        }
        isOutdated = false
        let wanted = Set(started.values.joined().map(\.source))
        let stopped = old.values.joined().filter { !wanted.contains($0.source) }
        if !stopped.isEmpty { prefetcher?.images.stop(stopped) }
        if !added.isEmpty { prefetcher?.images.start(added) }
        if started.isEmpty, !rows.isEmpty { retry() }
    }

    /// The rows that become visible next, without the visible ones.
    nonisolated static func rows(
        ahead screens: Double, from position: Double, page: Double, whole: Double, count: Int, isBackward: Bool
    ) -> Range<Int> {
        guard whole > 0, count > 0, page > 0 else { return 0..<0 }
        let ahead = max(0, screens) * page
        func row(at place: Double) -> Int { min(count, max(0, Int(saturating: place / whole * Double(count)))) }
        if isBackward { return row(at: position - ahead)..<row(at: position) }
        let start = min(count, row(at: position + page) + 1)
        return start..<max(start, row(at: position + page + ahead))
    }
}

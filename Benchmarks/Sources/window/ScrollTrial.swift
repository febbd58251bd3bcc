import CRemoteImageGtk
import RemoteImageGtk

/// A grid view of all images, scrolled from end to end twice. Memory that the first pass leaves
/// behind counts in the peak of the second.
@MainActor
final class ScrollTrial {
    enum Pace {
        /// Nine hundred frames from end to end, with images of 160 × 120 points.
        case frames
        /// 3,000 points a second, with images of 320 × 240 points, as a person flicks. The cells
        /// without an image are counted, too, which takes time and keeps all views.
        case flick
    }

    private let window = TrialWindow()
    private let addresses: [String]
    private let pace: Pace
    /// The views whose blank cells are counted.
    private var views: [RemoteImageView] = []
    private var start: (time: Double, position: Double)?
    /// The sums over all frames of a pass.
    private var (cellCount, blankCount, frameCount, blankFrameCount) = (0, 0, 0, 0)
    private var intervals: [Double] = []
    private var last = 0.0
    private var isOver = false

    init(_ addresses: [String], _ pace: Pace = .frames) {
        (self.addresses, self.pace) = (addresses, pace)
    }

    func run() -> Report {
        window.show(makeGrid())
        // Waits until the first rows are loaded.
        let settled = TrialWindow.timeout(after: 1000)
        while !settled.isOver { g_main_context_iteration(nil, 1) }
        MainLoopWatch.reset()
        scrollOnce()
        var report = makeReport()
        report.add("firstPassPeak", ProcessPeak.byteCount)
        if pace == .flick { addBlanks("firstPass", to: &report) }
        // Scrolls back to the start and measures a second pass.
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.scrolled.opaque), 0)
        let rested = TrialWindow.timeout(after: 1000)
        while !rested.isOver { g_main_context_iteration(nil, 1) }
        ProcessPeak.reset()
        scrollOnce()
        report.add("secondPassPeak", ProcessPeak.byteCount)
        if pace == .flick {
            addBlanks("secondPass", to: &report)
            addCache(to: &report)
        }
        return report
    }

    /// What the cache counts for its images, and the memory of the process after a rest.
    private func addCache(to report: inout Report) {
        // The views out of sight release their images.
        let rested = TrialWindow.timeout(after: 7000)
        while !rested.isOver { g_main_context_iteration(nil, 1) }
        guard let cache = trialPipeline.configuration.memoryCache as? MemoryCache else { return }
        report.add("resident", ProcessPeak.current)
        report.add("cachedImages", cache.count)
        report.add("cacheCost", cache.cost)
    }

    /// The cells in an average frame, and how many of them had no image.
    private func addBlanks(_ name: String, to report: inout Report) {
        let frames = Double(max(1, frameCount))
        report.add("\(name)Cells", seconds: Double(cellCount) / frames)
        report.add("\(name)BlankCells", seconds: Double(blankCount) / frames)
        report.add("\(name)BlankFrames", seconds: Double(blankFrameCount) / frames)
    }

    private func countBlanks() {
        let cells = views.filter { gtk_widget_get_mapped($0.pointer) != 0 }
        let blank = cells.count { $0.model.image == nil }
        cellCount += cells.count
        blankCount += blank
        frameCount += 1
        if blank > 0 { blankFrameCount += 1 }
    }

    private func scrollOnce() {
        (isOver, last, start) = (false, 0, nil)
        (cellCount, blankCount, frameCount, blankFrameCount) = (0, 0, 0, 0)
        gtk_widget_add_tick_callback(
            window.scrolled.pointer,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Double(gdk_frame_clock_get_frame_time(clock)) / 1e6
                let trial = Unmanaged<ScrollTrial>.fromOpaque(data).takeUnretainedValue()
                return MainActor.assumeIsolated { trial.frame(at: time) } ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        while !isOver { g_main_context_iteration(nil, 1) }
    }

    private func makeReport() -> Report {
        let sorted = intervals.sorted()
        var report = Report()
        report.add("images", addresses.count)
        report.add("frames", sorted.count)
        report.add("medianFrame", seconds: sorted[sorted.count / 2])
        report.add("longFrame", seconds: sorted[sorted.count * 99 / 100])
        MainLoopWatch.add(to: &report)
        report.add("cacheBudget", MemoryCache().costLimit)
        return report
    }

    private func frame(at time: Double) -> Bool {
        if last > 0 {
            intervals.append(time - last)
            // The cells of the last frame.
            if pace == .flick { countBlanks() }
        }
        last = time
        let adjustment = gtk_scrolled_window_get_vadjustment(window.scrolled.opaque)
        let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        let position = gtk_adjustment_get_value(adjustment)
        guard position < end else {
            isOver = true
            return false
        }
        let next: Double
        switch pace {
        case .frames: next = position + max(1, end / 900)
        case .flick:
            let start = start ?? (time, position)
            self.start = start
            next = start.position + (time - start.time) * 3000
        }
        gtk_adjustment_set_value(adjustment, min(end, next))
        return true
    }

    private func makeGrid() -> Widget {
        let list = gtk_string_list_new(nil)
        for address in addresses { gtk_string_list_append(list, address) }
        let factory = gtk_signal_list_item_factory_new()
        let grid = Widget(gtk_grid_view_new(gtk_no_selection_new(list), factory))
        let (columns, width, height): (guint, Int, Int) = pace == .frames ? (8, 160, 120) : (4, 320, 240)
        gtk_grid_view_set_min_columns(grid.opaque, columns)
        gtk_grid_view_set_max_columns(grid.opaque, columns)
        connect("setup", of: factory) { [weak self] item in
            var options = ImageOptions()
            options.reservedSize = .points(width: width, height: height)
            let view = RemoteImageView(
                NetworkImage(nil, options: options) { image in
                    Picture(image)
                } placeholder: {
                    Label("")
                }, pipeline: trialPipeline)
            gtk_list_item_set_child(item, view.pointer)
            if let self, pace == .flick { views.append(view) }
        }
        connect("bind", of: factory) { item in
            guard let text = gtk_string_object_get_string(gtk_list_item_get_item(item).map { OpaquePointer($0) }) else {
                return
            }
            RemoteImageView(of: gtk_list_item_get_child(item))?.source = ImageSource(String(cString: text))
        }
        connect("unbind", of: factory) { item in
            RemoteImageView(of: gtk_list_item_get_child(item))?.source = nil
        }
        return grid
    }

    private typealias Handler = @MainActor (OpaquePointer?) -> Void

    @MainActor
    private final class Connection {
        let handler: Handler

        init(_ handler: @escaping Handler) {
            self.handler = handler
        }
    }

    private func connect(_ signal: String, of factory: OpaquePointer?, _ handler: @escaping Handler) {
        guard let factory else { return }
        let callback: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { _, item, data in
            guard let data else { return }
            nonisolated(unsafe) let item = item
            let connection = Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { connection.handler(item) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(factory), signal, unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(Connection(handler)).toOpaque(),
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }
}

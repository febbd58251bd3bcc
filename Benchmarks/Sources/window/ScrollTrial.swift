import CRemoteImageGtk
import RemoteImageGtk

/// A grid view of all images, 160 × 120 points each, scrolled from end to end in nine hundred
/// frames, twice. Memory that the first pass leaves behind counts in the peak of the second.
@MainActor
final class ScrollTrial {
    private let window = TrialWindow()
    private let addresses: [String]
    private var intervals: [Double] = []
    private var last = 0.0
    private var isOver = false

    init(_ addresses: [String]) {
        self.addresses = addresses
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
        // Scrolls back to the start and measures a second pass.
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(window.scrolled.opaque), 0)
        let rested = TrialWindow.timeout(after: 1000)
        while !rested.isOver { g_main_context_iteration(nil, 1) }
        ProcessPeak.reset()
        scrollOnce()
        report.add("secondPassPeak", ProcessPeak.byteCount)
        return report
    }

    private func scrollOnce() {
        (isOver, last) = (false, 0)
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
        if last > 0 { intervals.append(time - last) }
        last = time
        let adjustment = gtk_scrolled_window_get_vadjustment(window.scrolled.opaque)
        let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        let position = gtk_adjustment_get_value(adjustment)
        guard position < end else {
            isOver = true
            return false
        }
        gtk_adjustment_set_value(adjustment, min(end, position + max(1, end / 900)))
        return true
    }

    private func makeGrid() -> Widget {
        let list = gtk_string_list_new(nil)
        for address in addresses { gtk_string_list_append(list, address) }
        let factory = gtk_signal_list_item_factory_new()
        let grid = Widget(gtk_grid_view_new(gtk_no_selection_new(list), factory))
        gtk_grid_view_set_min_columns(grid.opaque, 8)
        gtk_grid_view_set_max_columns(grid.opaque, 8)
        connect("setup", of: factory) { item in
            var options = ImageOptions()
            options.reservedSize = .points(width: 160, height: 120)
            let view = RemoteImageView(
                NetworkImage(nil as ImageSource?, options: options) { image in
                    Picture(image)
                } placeholder: {
                    Label("")
                }, pipeline: trialPipeline)
            gtk_list_item_set_child(item, view.pointer)
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

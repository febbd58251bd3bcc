import CRemoteImageGtk
import RemoteImageGtk

/// Scrolls the grid from end to end and measures whether the window stays responsive.
///
/// A frame is late if the main loop was busy with GTK's drawing or with the library's work. The
/// trial also counts views that show the image of another row; there must be none.
@MainActor
final class ScrollTrial {
    private let grid: ImageGrid
    /// The scroll distance per frame, in points.
    private let step: Double
    private var intervals: [Double] = []
    private var lastTime: Int64?
    private var shownCount = 0
    private var wrongCount = 0
    private var finished: (@MainActor (String) -> Void)?

    init(_ grid: ImageGrid, step: Double) {
        self.grid = grid
        self.step = step
    }

    /// Runs until the end of the grid. `finished` receives a line with the figures.
    func run(finished: @escaping @MainActor (String) -> Void) {
        self.finished = finished
        gtk_widget_add_tick_callback(
            grid.widget.pointer,
            { _, clock, data in
                guard let data else { return 0 }
                let time = Int64(gdk_frame_clock_get_frame_time(clock))
                let trial = Unmanaged<ScrollTrial>.fromOpaque(data).takeUnretainedValue()
                return MainActor.assumeIsolated { trial.frame(at: time) } ? 1 : 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                let trial = Unmanaged<ScrollTrial>.fromOpaque(data).takeRetainedValue()
                MainActor.assumeIsolated { trial.end(with: "The window was closed.") }
            })
    }

    private func frame(at time: Int64) -> Bool {
        if let lastTime { intervals.append(Double(time - lastTime) / 1000) }
        lastTime = time
        let (shown, wrong) = grid.countImages()
        shownCount += shown
        wrongCount += wrong
        if grid.scroll(by: step) { return true }
        end(with: report)
        return false
    }

    private func end(with text: String) {
        finished?(text)
        finished = nil
    }

    private var report: String {
        let sorted = intervals.sorted()
        guard let longest = sorted.last else { return "There is nothing to scroll." }
        let percentile = sorted[sorted.count * 99 / 100]
        func text(_ milliseconds: Double) -> String { "\(Double(Int(milliseconds * 10)) / 10) ms" }
        return "\(sorted.count) frames, 99th percentile \(text(percentile)), longest \(text(longest)); "
            + "\(shownCount) images counted, \(wrongCount) of them in a wrong row."
    }
}

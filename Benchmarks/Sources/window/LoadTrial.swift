import CGtk
import Glibc
import RemoteImageGtk

/// All pictures in one grid, in rows of four, 320 × 240 points each: what the rivals show.
@MainActor
final class LoadTrial {
    private let window = TrialWindow()
    private var views: [RemoteImageView] = []
    private let observations = Observations()

    @MainActor
    private final class Observations {
        var kept: [PhaseObservation] = []
        // By index: a picture whose view has grown is made once more.
        var succeeded: Set<Int> = []
        var failed: Set<Int> = []
        var firstPicture = 0.0
    }

    init(_ addresses: [String]) {
        let grid = Widget(gtk_grid_new())
        let table = UnsafeMutableRawPointer(grid.pointer).assumingMemoryBound(to: GtkGrid.self)
        // All of it counts as in sight: the rivals load what nobody has scrolled to as well.
        var options = ImageOptions()
        options.viewportMargin = 1_000_000
        options.reservedSize = .points(width: 320, height: 240)
        for (index, address) in addresses.enumerated() {
            let view = RemoteImageView(
                NetworkImage(address, options: options) { image in
                    Picture(image)
                } placeholder: {
                    Label("")
                }, pipeline: trialPipeline)
            gtk_grid_attach(table, view.pointer, Int32(index % 4), Int32(index / 4), 1, 1)
            let observation = view.model.observePhase { [observations] _, phase in
                if case .success = phase { observations.succeeded.insert(index) }
                if case .failure = phase { observations.failed.insert(index) }
            }
            observations.kept.append(observation)
            views.append(view)
        }
        window.show(grid)
    }

    func run() -> Report {
        while !isDone { g_main_context_iteration(nil, 1) }
        var report = Report()
        report.add("succeeded", observations.succeeded.count)
        report.add("failed", observations.failed.count)
        if observations.firstPicture > 0 {
            report.add("firstPicture", seconds: observations.firstPicture - TrialWindow.start)
        }
        MainLoopWatch.add(to: &report)
        return report
    }

    func runIdle() -> Report {
        _ = run()
        let idle = TrialWindow.timeout(after: 1000)
        while !idle.isOver { g_main_context_iteration(nil, 1) }
        let (before, start) = (processorTime(), monotonicTime())
        let end = TrialWindow.timeout(after: 3000)
        while !end.isOver { g_main_context_iteration(nil, 1) }
        var report = Report()
        report.add("idleProcessorTime", seconds: (processorTime() - before) / (monotonicTime() - start))
        return report
    }

    private var lastFrame = 0

    /// Whether all is there and two frames were drawn with it.
    private var isDone: Bool {
        let drawn = window.frameCount
        if observations.firstPicture == 0, !observations.succeeded.isEmpty {
            if lastFrame == 0 { lastFrame = drawn }
            if drawn > lastFrame + 1 {
                observations.firstPicture = monotonicTime()
                lastFrame = 0
            }
        }
        guard observations.succeeded.count + observations.failed.count == views.count else { return false }
        guard views.isEmpty || observations.firstPicture > 0 || observations.succeeded.isEmpty else {
            window.draw()
            return false
        }
        if lastFrame == 0 { lastFrame = max(1, drawn) }
        window.draw()
        return drawn > lastFrame + 1
    }
}

import CRemoteImageGtk
import Glibc
import RemoteImageGtk

/// All images in one grid, in rows of four, 320 × 240 points each, as the rivals show them.
@MainActor
final class LoadTrial {
    private let window = TrialWindow()
    private var views: [RemoteImageView] = []
    private let observations = Observations()

    @MainActor
    private final class Observations {
        var kept: [ObservationToken] = []
        // Indices, since an image can succeed twice: it is decoded again when its view grows.
        var succeeded: Set<Int> = []
        var failed: Set<Int> = []
        var firstImage = 0.0
    }

    /// The placeholder of an image that loads.
    enum Looks {
        /// No placeholder, as in the rivals.
        case bare
        /// The library's own placeholder.
        case standard
    }

    /// - Parameter watchesCalls: Whether each call into a view is timed. Timing adds overhead.
    init(_ addresses: [String], _ looks: Looks = .bare, watchesCalls: Bool = false) {
        let grid = Widget(gtk_grid_new())
        let table = UnsafeMutableRawPointer(grid.pointer).assumingMemoryBound(to: GtkGrid.self)
        // All views count as visible: the rivals also load images that are not scrolled to yet.
        var options = ImageOptions()
        options.viewportMargin = 1_000_000
        options.reservedSize = .points(width: 320, height: 240)
        for (index, address) in addresses.enumerated() {
            let view = RemoteImageView(Self.image(address, options, looks), pipeline: trialPipeline)
            gtk_grid_attach(table, view.pointer, Int32(index % 4), Int32(index / 4), 1, 1)
            let observation = view.model.observePhase { [observations] _, phase in
                if case .success = phase { observations.succeeded.insert(index) }
                if case .failure = phase { observations.failed.insert(index) }
            }
            observations.kept.append(observation)
            views.append(view)
        }
        if watchesCalls { CallWatch.watchViews() }
        window.show(grid, watchesCalls: watchesCalls)
    }

    private static func image(_ address: String, _ options: ImageOptions, _ looks: Looks) -> NetworkImage {
        switch looks {
        case .bare:
            NetworkImage(address, options: options) {
                Picture($0)
            } placeholder: {
            }
        case .standard: NetworkImage(address, options: options)
        }
    }

    func run() -> Report {
        while !isDone { g_main_context_iteration(nil, 1) }
        var report = Report()
        report.add("succeeded", observations.succeeded.count)
        report.add("failed", observations.failed.count)
        if observations.firstImage > 0 {
            report.add("firstImage", seconds: observations.firstImage - TrialWindow.start)
        }
        MainLoopWatch.add(to: &report)
        return report
    }

    func runWithCalls() -> Report {
        CallWatch.turnEnds()
        var report = run()
        CallWatch.add(to: &report)
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

    /// The numbers of frames at the arrival of the first and of the last image.
    private var (firstFrame, lastFrame): (Int?, Int?) = (nil, nil)

    /// Whether all images are loaded and drawn, which is certain once a second frame has begun.
    private var isDone: Bool {
        let drawn = window.frameCount
        if firstFrame == nil, !observations.succeeded.isEmpty { firstFrame = drawn }
        if let firstFrame, observations.firstImage == 0, drawn > firstFrame + 1 {
            observations.firstImage = monotonicTime()
        }
        guard observations.succeeded.count + observations.failed.count == views.count else { return false }
        if lastFrame == nil { lastFrame = max(1, drawn) }
        window.draw()
        return drawn > (lastFrame ?? drawn) + 1
    }
}

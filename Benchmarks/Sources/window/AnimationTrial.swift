import CRemoteImageGtk
import RemoteImageGtk

/// Shows animations in one grid, five in a row, 240 × 180 points each, and measures while they play
/// for eight seconds.
@MainActor
final class AnimationTrial {
    private let window = TrialWindow()
    private var views: [RemoteImageView] = []

    init(_ addresses: [String]) {
        let grid = Widget(gtk_grid_new())
        let table = UnsafeMutableRawPointer(grid.pointer).assumingMemoryBound(to: GtkGrid.self)
        for (index, address) in addresses.enumerated() {
            let view = RemoteImageView(
                NetworkImage(address) { image in
                    Picture(image)
                } placeholder: {
                    Label("")
                }, pipeline: trialPipeline)
            gtk_widget_set_size_request(view.pointer, 240, 180)
            gtk_grid_attach(table, view.pointer, Int32(index % 5), Int32(index / 5), 1, 1)
            views.append(view)
        }
        window.show(grid)
    }

    func run() -> Report {
        while !views.allSatisfy({ $0.model.image != nil || $0.model.error != nil }) { g_main_context_iteration(nil, 1) }
        // All images are loaded: only the animations' frames follow.
        MainLoopWatch.reset()
        let (frames, processor, start) = (window.frameCount, processorTime(), monotonicTime())
        let end = TrialWindow.timeout(after: 8000)
        while !end.isOver { g_main_context_iteration(nil, 1) }
        var report = Report()
        report.add("succeeded", views.count { $0.model.image?.animation != nil })
        report.add("failed", views.count { $0.model.image?.animation == nil })
        report.add("frames", window.frameCount - frames)
        MainLoopWatch.add(to: &report)
        report.add("processorShare", seconds: (processorTime() - processor) / (monotonicTime() - start))
        return report
    }
}

import CRemoteImageGtk
import Glibc
import RemoteImageGtk

/// The window in which the trials show their images.
@MainActor
final class TrialWindow {
    private let window = Widget(gtk_window_new())
    let scrolled = Widget(gtk_scrolled_window_new())
    private let frames = Frames()

    @MainActor
    final class Frames {
        var count = 0
    }

    /// The number of frames that have begun.
    var frameCount: Int { frames.count }

    /// The start of the process, as its parent process measured it, in seconds.
    nonisolated static let start: Double = {
        guard let text = getenv("BENCHMARK_START"), let nanoseconds = Double(String(cString: text)) else {
            return monotonicTime()
        }
        return nanoseconds / 1e9
    }()

    func show(_ content: Widget, watchesCalls: Bool = false) {
        let toplevel = UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self)
        // Exactly four columns: in a wider window, each image would be wider than the 320 points of
        // the rivals.
        gtk_window_set_default_size(toplevel, 1280, 1000)
        gtk_scrolled_window_set_child(scrolled.opaque, content.pointer)
        gtk_window_set_child(toplevel, scrolled.pointer)
        countFrames()
        let clock = gtk_widget_get_frame_clock(window.pointer)
        if watchesCalls { CallWatch.watch(clock, isLast: false) }
        gtk_window_present(toplevel)
        if watchesCalls { CallWatch.watch(clock, isLast: true) }
    }

    /// Requests a frame.
    func draw() {
        gtk_widget_queue_draw(window.pointer)
    }

    private func countFrames() {
        gtk_widget_realize(window.pointer)
        let clock = gtk_widget_get_frame_clock(window.pointer)
        g_signal_connect_data(
            UnsafeMutableRawPointer(clock), "before-paint",
            unsafeBitCast(beforePaint, to: GCallback.self), Unmanaged.passUnretained(frames).toOpaque(), nil,
            GConnectFlags(rawValue: 0))
    }

    private let beforePaint: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, data in
        guard let data else { return }
        MainLoopWatch.hasDrawn = true
        let frames = Unmanaged<Frames>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { frames.count += 1 }
    }

    @MainActor
    final class Timeout {
        fileprivate(set) var isOver = false
    }

    static func timeout(after milliseconds: UInt32) -> Timeout {
        let timeout = Timeout()
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, milliseconds,
            { data in
                guard let data else { return 0 }
                let timeout = Unmanaged<Timeout>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { timeout.isOver = true }
                return 0
            }, Unmanaged.passRetained(timeout).toOpaque(),
            { data in
                if let data { Unmanaged<Timeout>.fromOpaque(data).release() }
            })
        return timeout
    }
}

/// A pipeline with as many connections as the rivals have, and no disk cache unless
/// `BENCHMARK_STORE` names its folder.
@MainActor let trialPipeline: ImagePipeline = {
    var configuration = ImagePipeline.Configuration(decoders: .standard())
    configuration.maxConcurrentTransfers = 8
    configuration.maxConcurrentTransfersPerHost = 8
    if let folder = getenv("BENCHMARK_STORE") {
        configuration.responseStore = DiskCache(path: String(cString: folder))
    }
    return ImagePipeline(configuration)
}()

import CGtk
import Glibc
import RemoteImageGtk

/// What both trials show their images in.
@MainActor
final class TrialWindow {
    private let window = Widget(gtk_window_new())
    let scrolled = Widget(gtk_scrolled_window_new())
    private let frames = Frames()

    @MainActor
    final class Frames {
        var count = 0
    }

    /// How many frames were begun.
    var frameCount: Int { frames.count }

    /// When the process was started, as its parent process says.
    nonisolated static let start: Double = {
        guard let text = getenv("BENCHMARK_START"), let nanoseconds = Double(String(cString: text)) else {
            return monotonicTime()
        }
        return nanoseconds / 1e9
    }()

    func show(_ content: Widget, watchesCalls: Bool = false) {
        let toplevel = UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self)
        // Four columns and no more: a wider window would give each image more than the 320 points
        // that are compared.
        gtk_window_set_default_size(toplevel, 1280, 1000)
        gtk_scrolled_window_set_child(scrolled.opaque, content.pointer)
        gtk_window_set_child(toplevel, scrolled.pointer)
        countFrames()
        let clock = gtk_widget_get_frame_clock(window.pointer)
        if watchesCalls { CallWatch.watch(clock, isLast: false) }
        gtk_window_present(toplevel)
        if watchesCalls { CallWatch.watch(clock, isLast: true) }
    }

    /// Wants a frame.
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

/// As many connections as the rivals have, and nothing on disk.
@MainActor let trialPipeline: ImagePipeline = {
    var configuration = ImagePipeline.Configuration(decoders: .standard())
    configuration.maxTransferCount = 8
    configuration.maxTransferCountPerHost = 8
    return ImagePipeline(configuration)
}()

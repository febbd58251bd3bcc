import CRemoteImageGtk
import Glibc

/// Measures the library's work within GTK's frames: the processor time of every call of GTK into a
/// view, and of the library's work after layout and after drawing. It includes GTK's own work below
/// such a call, which measures and draws the content. ``MainLoopWatch`` measures the library's work
/// in iterations of its own.
///
/// Unsafe code: only the main thread accesses the globals.
enum CallWatch {
    private typealias Class = UnsafeMutablePointer<GtkWidgetClass>

    nonisolated(unsafe) private static var own = GtkWidgetClass()
    nonisolated(unsafe) private static var depth = 0
    nonisolated(unsafe) private static var start = 0.0
    nonisolated(unsafe) private static var bracket = 0.0
    nonisolated(unsafe) private static var inTurn = 0.0
    nonisolated(unsafe) private static var longestCall = 0.0
    nonisolated(unsafe) private static var longestTurn = 0.0
    nonisolated(unsafe) private static var callCount = 0

    /// Wraps the functions of the views' class. At least one view must have been created before,
    /// since that registers the class.
    static func watchViews() {
        guard let found = g_type_class_peek(g_type_from_name("RemoteImageView")) else {
            fatalError("No view has been created yet.")
        }
        let widgets = found.assumingMemoryBound(to: GtkWidgetClass.self)
        own = widgets.pointee
        widgets.pointee.root = { widget in CallWatch.time { CallWatch.own.root?(widget) } }
        widgets.pointee.map = { widget in CallWatch.time { CallWatch.own.map?(widget) } }
        widgets.pointee.unmap = { widget in CallWatch.time { CallWatch.own.unmap?(widget) } }
        widgets.pointee.measure = { widget, orientation, size, minimum, natural, minimumBaseline, naturalBaseline in
            CallWatch.time {
                CallWatch.own.measure?(widget, orientation, size, minimum, natural, minimumBaseline, naturalBaseline)
            }
        }
        widgets.pointee.size_allocate = { widget, width, height, baseline in
            CallWatch.time { CallWatch.own.size_allocate?(widget, width, height, baseline) }
        }
        widgets.pointee.snapshot = { widget, snapshot in CallWatch.time { CallWatch.own.snapshot?(widget, snapshot) } }
    }

    /// Called before the library connects to the frame clock, and with `isLast` after it has. GTK
    /// calls handlers in the order of their connection, so the library's run between these two.
    static func watch(_ clock: OpaquePointer?, isLast: Bool) {
        let handler: @convention(c) (OpaquePointer?, gpointer?) -> Void =
            isLast
            ? { _, _ in CallWatch.add(CallWatch.now - CallWatch.bracket) }
            : { _, _ in CallWatch.bracket = CallWatch.now }
        for signal in ["layout", "after-paint"] {
            g_signal_connect_data(
                UnsafeMutableRawPointer(clock), signal, unsafeBitCast(handler, to: GCallback.self), nil, nil,
                GConnectFlags(rawValue: 0))
        }
    }

    static func turnEnds() {
        longestTurn = max(longestTurn, inTurn)
        inTurn = 0
    }

    static func add(to report: inout Report) {
        report.add("longestCall", seconds: longestCall)
        report.add("longestCallsOfFrame", seconds: longestTurn)
        report.add("calls", callCount)
    }

    private static func time(_ call: () -> Void) {
        depth += 1
        if depth == 1 { start = now }
        call()
        depth -= 1
        if depth == 0 { add(now - start) }
    }

    private static func add(_ time: Double) {
        callCount += 1
        inTurn += time
        longestCall = max(longestCall, time)
    }

    private static var now: Double { MainLoopWatch.threadTime() }
}

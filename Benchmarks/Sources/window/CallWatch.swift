import CGtk
import Glibc

/// Measures what the library does within GTK's frames: the processor time of every call of GTK into
/// a view, and of what the library does after layout and after drawing. What GTK does below such a
/// call, measuring and drawing the content, is in it. What the library does in turns of its own is
/// not: that is what ``MainLoopWatch`` measures.
///
/// Unsafe code: the globals are touched by the main thread alone.
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

    /// Stands between GTK and the functions of the views' class. There must have been a view.
    static func watchViews() {
        guard let found = g_type_class_peek(g_type_from_name("RemoteImageView")) else {
            fatalError("There is no view to watch.")
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

    /// Called before the library connects to the clock of the frames, and with `isLast` after it
    /// did: what is connected in between is called in between.
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

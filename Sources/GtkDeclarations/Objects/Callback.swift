import CRemoteImageGtk
import CRemoteImagePlatform

/// A closure as the data of a signal connection or another callback of GLib.
@MainActor
final class Callback<Arguments, Result> {
    private let body: @MainActor (Arguments) -> Result

    private init(_ body: @escaping @MainActor (Arguments) -> Result) {
        self.body = body
    }

    /// The data of a callback, to be released with it.
    static func retained(_ body: @escaping @MainActor (Arguments) -> Result) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Callback(body)).toOpaque()
    }

    /// Calls the closure behind the data of a source of the default main context. It runs on the
    /// main thread, even if another thread runs that context.
    nonisolated static func perform(_ data: gpointer?) where Arguments == Void, Result == Void {
        guard let data else { return }
        let callback = Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue()
        MainLoop.perform { callback.body(()) }
    }

    /// Calls the closure behind the data of a signal handler: at once, or, if a program has used
    /// GTK on another thread, later on the main thread.
    nonisolated static func receive(_ data: gpointer?) where Arguments == Void, Result == Void {
        if platform_is_main_thread() == 0 { MainLoop.reportOtherThread() }
        perform(data)
    }

    /// Calls the closure behind the data.
    @discardableResult
    nonisolated static func call(_ data: gpointer?, _ arguments: Arguments) -> Result? {
        guard let data else { return nil }
        // The closure may end its own callback. The call keeps it alive.
        let callback = Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue()
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let given = arguments
        nonisolated(unsafe) var result: Result?
        MainLoop.assumeIsolated { result = callback.body(given) }
        return result
    }
}

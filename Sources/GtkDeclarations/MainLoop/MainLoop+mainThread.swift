// Checks that the library is used on the main thread, with error messages for programs in other
// languages.

import CRemoteImageGtk
import CRemoteImagePlatform
import Glibc

extension MainLoop {
    /// Whether the library can be used on the calling thread. If not, logs the reason as a GLib
    /// critical message, in a forked process on standard error.
    package static func isUsable(in function: @autoclosure () -> String) -> Bool {
        // Checked first, since the checks below may wait for a lock.
        guard platform_was_forked() == 0 else {
            platform_say_forked()
            return false
        }
        guard let reason = obstacle else { return true }
        shim_critical("\(function()): \(reason)")
        return false
    }

    /// Runs a callback of GTK on the main actor. GTK calls back on the thread that runs it. If that
    /// is not the main thread, the process ends with a message, which Swift's own check would omit.
    package static func assumeIsolated<Result: Sendable>(_ body: @MainActor () -> Result) -> Result {
        if platform_is_main_thread() == 0 { shim_abort(MainLoopError.notOnMainThread.description) }
        return MainActor.assumeIsolated(body)
    }

    /// Logs once that GTK has emitted a signal on another thread. Programs often do this by
    /// mistake, and seem to work.
    package nonisolated static func reportOtherThread() { _ = otherThreadReport }

    private static let otherThreadReport: Void = shim_critical(
        "GTK emitted a signal on another thread than the main one. The library handles it on the main thread, but GTK "
            + "itself must not be used on other threads: use g_idle_add() or GLib.idle_add() there.")

    /// Does the work of a source of the default main context: at once, or, if another thread runs
    /// that context, once the main thread runs it again. The bridge then reports the other thread.
    package nonisolated static func perform(_ work: @escaping @MainActor () -> Void) {
        if platform_is_main_thread() != 0 { MainActor.assumeIsolated(work) } else { Task { @MainActor in work() } }
    }

    /// Installs the bridge for a new object, whose creation cannot fail. On a thread other than the
    /// main thread the process ends with a message, since GTK would crash soon after without one. A
    /// forked process also ends, since it lacks the threads of its parent.
    package static func installOrExplain(for name: StaticString) {
        guard platform_was_forked() == 0 else {
            platform_say_forked()
            abort()
        }
        if platform_is_main_thread() == 0 { shim_abort("\(name): \(MainLoopError.notOnMainThread.description)") }
        if let reason = obstacle { shim_critical("\(name): \(reason)") }
    }

    private static var obstacle: String? {
        guard platform_was_loaded_on_main_thread() != 0 else {
            return
                "RemoteImage was loaded on another thread than the main one. Swift's main actor is bound to the thread "
                + "that loads it: link the library, or open it from main()."
        }
        do {
            try install()
            return nil
        } catch {
            return error.description
        }
    }
}

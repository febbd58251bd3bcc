// What programs that never heard of Swift are told about its main thread.

import CGtk
import CPlatform
import Glibc

extension MainLoop {
    /// Whether the library can be used where this is called; says why not, in a critical message of GLib, in a forked
    /// process on standard error.
    package static func isUsable(in function: @autoclosure () -> String) -> Bool {
        // First, and without anything that may wait for a lock.
        guard platform_was_forked() == 0 else {
            platform_say_forked()
            return false
        }
        guard let reason = obstacle else { return true }
        shim_critical("\(function()): \(reason)")
        return false
    }

    /// Runs a callback of GTK on the main actor. GTK calls back on the thread that runs it; where that is not the main one,
    /// the process ends with a message, which Swift's own check would leave out.
    static func assumeIsolated<Result: Sendable>(_ body: @MainActor () -> Result) -> Result {
        if platform_is_main_thread() == 0 { shim_abort("RemoteImage: \(MainLoopError.notOnMainThread.description)") }
        return MainActor.assumeIsolated(body)
    }

    /// Installs the bridge for a new object, which cannot fail. On another thread than the main one the process ends with a
    /// message: GTK itself would fall over soon after, and say less. So does a forked one, which would wait for threads
    /// that it does not have.
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

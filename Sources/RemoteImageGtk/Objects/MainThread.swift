// What programs that never heard of Swift are told about its main thread.

import CGtk
import CPlatform
import Glibc

extension MainLoop {
    /// The process in which the library was used first.
    private static let process = getpid()

    /// Whether the library can be used where this is called; says why not, in a critical message of GLib.
    package static func isUsable(in function: StaticString) -> Bool {
        guard let reason = obstacle else { return true }
        shim_critical("\(function): \(reason)")
        return false
    }

    /// Installs the bridge for a new object, which cannot fail. On another thread than the main one the process ends with a
    /// message: GTK itself would fall over soon after, and say less.
    package static func installOrExplain(for name: StaticString) {
        if platform_is_main_thread() == 0 { shim_abort("\(name): \(MainLoopError.notOnMainThread.description)") }
        if let reason = obstacle { shim_critical("\(name): \(reason)") }
    }

    private static var obstacle: String? {
        guard process == getpid() else {
            return "This process was forked after RemoteImage had been used. Its threads are those of the parent; "
                + "call exec() in the child, or fork before the first use."
        }
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

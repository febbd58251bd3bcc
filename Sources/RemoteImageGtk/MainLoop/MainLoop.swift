// The bridge between Swift's main actor and the GLib main loop.
//
// On Linux the main actor runs on libdispatch's main queue, which nobody drains while a GLib main loop owns the
// main thread. libdispatch has an event descriptor that becomes readable when its main queue has work; a GSource
// watches it. Nothing polls: a program that does nothing uses no processor.

import CGtk
import CPlatform
import Dispatch
import RemoteImageCore

/// Lets `@MainActor`, `Task` and `DispatchQueue.main` run inside `g_application_run` and any other run of the
/// default main context.
///
/// The first view installs it by itself; a program that uses the main actor before calls ``install()`` at its start.
/// `main` must be synchronous: an `async` one gives the main thread away and never returns it.
public enum MainLoop {
    private static let isInstalled = Lock(false)

    /// That of drawing, `GDK_PRIORITY_REDRAW`: each turn of the loop serves both, so that neither an endless stream of
    /// work nor drawing that takes all the time there is keeps the other waiting, and input events go before both.
    private static let priority = G_PRIORITY_HIGH_IDLE + 20

    /// Installs the bridge. Installing it again does nothing.
    ///
    /// Throws ``MainLoopError`` on another thread than the main one, and where another thread runs the default
    /// main context.
    public static func install() throws(MainLoopError) {
        guard platform_is_main_thread() != 0 else { throw MainLoopError.notOnMainThread }
        // The context is acquired once, to learn whether another thread has it.
        guard g_main_context_acquire(nil) != 0 else { throw MainLoopError.mainContextIsElsewhere }
        g_main_context_release(nil)
        let isFirst = isInstalled.withLock { isInstalled in
            defer { isInstalled = true }
            return !isInstalled
        }
        guard isFirst else { return }
        // Asked of Swift, so that libdispatch is linked and its main queue exists.
        withExtendedLifetime(DispatchQueue.main) {}
        g_unix_fd_add_full(
            priority, _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in MainLoop.drain(descriptor) },
            nil, nil)
    }

    /// How often the bridge was woken; for tests, which see to it that it is not woken for nothing.
    package static let wakeUpCount = Lock(0)

    private static func drain(_ descriptor: Int32) -> gboolean {
        wakeUpCount.withLock { $0 += 1 }
        // First the descriptor, then the queue: work that arrives between the two wakes us again, and a
        // descriptor that nobody reads would wake us for ever.
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        _dispatch_main_queue_callback_4CF(nil)
        return 1
    }
}

/// Why the main actor cannot run on the GLib main loop.
public struct MainLoopError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    static let notOnMainThread = MainLoopError(
        description: "RemoteImageGtk must be used on the thread that the process began with, since Swift's main actor "
            + "is bound to it. Call it from main(), or from callbacks of the default GLib main context.")
    static let mainContextIsElsewhere = MainLoopError(
        description: "Another thread runs the default GLib main context. RemoteImageGtk needs it on the main thread.")
}

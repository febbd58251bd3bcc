// The bridge between Swift's main actor and the GLib main loop.
//
// On Linux the main actor runs on libdispatch's main queue, which is not drained while a GLib main loop owns the
// main thread. libdispatch has an event descriptor that becomes readable when its main queue has work; a GSource
// watches it. Nothing polls: a program that does nothing uses no processor.

import CGtk
import CPlatform
import Dispatch
import Glibc
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
    /// Throws ``MainLoopError`` on another thread than the main one, where another thread runs the default main
    /// context, and in a process that was forked after it was installed.
    public static func install() throws(MainLoopError) {
        guard platform_was_forked() == 0 else { throw MainLoopError.wasForked }
        guard platform_is_main_thread() != 0 else { throw MainLoopError.notOnMainThread }
        // The context is acquired once, to learn whether another thread has it.
        guard g_main_context_acquire(nil) != 0 else { throw MainLoopError.mainContextIsElsewhere }
        g_main_context_release(nil)
        let wasInstalled = isInstalled.withLock { isInstalled in
            defer { isInstalled = true }
            return isInstalled
        }
        guard !wasInstalled else { return }
        platform_note_use()
        // Asked of Swift, so that libdispatch is linked and its main queue exists.
        withExtendedLifetime(DispatchQueue.main) {}
        _ = attach(to: nil)
    }

    /// Lets the main queue be drained in a main context.
    ///
    /// - Returns: The source, the caller's to release.
    static func attach(to context: OpaquePointer?) -> UnsafeMutablePointer<GSource>? {
        let source = shim_descriptor_source(_dispatch_get_main_queue_handle_4CF(), priority) { descriptor, _, _ in
            MainLoop.wake(descriptor)
        }
        g_source_attach(source, context)
        return source
    }

    /// How often the bridge was woken; for tests, which see to it that it is not woken for nothing.
    package static let wakeUpCount = Lock(0)

    private static func wake(_ descriptor: Int32) -> gboolean {
        // A child has the descriptor of its parent: what it reads there, the parent never hears of.
        guard platform_was_forked() == 0 else {
            platform_say_forked()
            return 0
        }
        // libdispatch ends a process that drains its main queue elsewhere. Gone from here, the bridge is installed anew by
        // the next call on the main thread.
        guard platform_is_main_thread() != 0 else {
            if g_source_get_context(g_main_current_source()) == g_main_context_default() {
                isInstalled.withLock { $0 = false }
            }
            shim_critical(MainLoopError.mainContextIsElsewhere.description)
            return 0
        }
        wakeUpCount.withLock { $0 += 1 }
        // First the descriptor, then the queue: work that arrives between the two wakes us again, and a
        // descriptor that is never read would wake the loop for ever.
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        MainActor.assumeIsolated { drain(descriptor) }
        return 1
    }

    // MARK: Loops within the loop

    @MainActor private static var isDraining = false
    /// What waits for the end of the draining, and how many of it have been called.
    @MainActor private static var calls: [@MainActor () -> Void] = []
    @MainActor private static var calledCount = 0

    @MainActor
    private static func drain(_ descriptor: Int32) {
        guard !isDraining else {
            // Nothing is lost: at its end the outer draining looks again.
            shim_warning(
                "RemoteImage: a main loop runs inside a task of Swift's main actor. The main actor goes on when it ends."
            )
            return
        }
        isDraining = true
        _dispatch_main_queue_callback_4CF(nil)
        isDraining = false
        // One that runs the main loop may wait for another: the inner loop finds work, and goes on with the rest.
        if calls.count - calledCount > 1 {
            var one: UInt64 = 1
            _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
        }
        while calledCount < calls.count {
            calledCount += 1
            calls[calledCount - 1]()
        }
        calls = []
        calledCount = 0
    }

    /// Calls the program back: at once, or in the same turn of the loop once the main queue has been drained.
    ///
    /// The main queue is not drained within its own draining. A callback that runs a main loop until the next image
    /// is there, as functions do that wait for asynchronous ones, would wait for ever.
    @MainActor
    static func callBack(_ body: @escaping @MainActor () -> Void) {
        if isDraining { calls.append(body) } else { body() }
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
    static let wasForked = MainLoopError(description: String(cString: platform_forked_message))
}

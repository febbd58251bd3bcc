// The bridge between Swift's main actor and the GLib main loop.
//
// On Linux the main actor runs on libdispatch's main queue, which is not drained while a GLib main
// loop owns the main thread. libdispatch has an event descriptor that becomes readable when its
// main queue has work; a GSource watches it. The bridge does not poll: an idle program uses no CPU
// time.

import CRemoteImageGtk
import CRemoteImagePlatform
import Dispatch
import Glibc

import class RemoteImageDecoding.Lock

/// Makes `@MainActor`, `Task` and `DispatchQueue.main` run while `g_application_run` or another
/// main loop runs the default main context.
///
/// The first view installs the bridge; a program that uses the main actor earlier calls
/// ``install()`` at its start. `main` must be synchronous: an `async` one gives up the main thread
/// for good.
public enum MainLoop {
    private static let isInstalled = Lock(false)

    /// `GDK_PRIORITY_REDRAW`, which the main queue and timers have, too: each iteration of the loop
    /// serves all three, so that none can starve another; input events come before them.
    package static let drawingPriority = G_PRIORITY_HIGH_IDLE + 20

    /// Installs the bridge. Installing it again does nothing.
    ///
    /// Throws ``MainLoopError`` if called on a thread other than the main thread, if another thread
    /// runs the default main context, and in a child process that was forked after the
    /// installation.
    @available(
        *, noasync,
        message:
            "make main synchronous, `static func main() { … }`, and write no `await` at the top level of main.swift"
    )
    public static func install() throws(MainLoopError) {
        guard platform_was_forked() == 0 else { throw MainLoopError.wasForked }
        guard platform_is_main_thread() != 0 else { throw MainLoopError.notOnMainThread }
        // Acquires the context once to learn whether another thread owns it.
        guard g_main_context_acquire(nil) != 0 else { throw MainLoopError.mainContextIsElsewhere }
        g_main_context_release(nil)
        guard !isInstalled.exchange(true) else { return }
        platform_note_use()
        // References the main queue, so that libdispatch is linked and the queue exists.
        withExtendedLifetime(DispatchQueue.main) {}
        _ = attach(to: nil)
    }

    /// Attaches a source to a main context that drains the main queue.
    ///
    /// - Returns: The source. The caller releases it.
    package static func attach(to context: OpaquePointer?) -> UnsafeMutablePointer<GSource>? {
        let source = shim_descriptor_source(
            _dispatch_get_main_queue_handle_4CF(), drawingPriority
        ) { descriptor, _, _ in
            MainLoop.wake(descriptor)
        }
        g_source_attach(source, context)
        return source
    }

    /// The number of wake-ups of the bridge, for tests that check that it is not woken needlessly.
    package static let wakeUpCount = Lock(0)

    private static func wake(_ descriptor: Int32) -> gboolean {
        // A forked child shares the descriptor with its parent: reading it here would take wake-ups
        // from the parent.
        guard platform_was_forked() == 0 else {
            platform_say_forked()
            return 0
        }
        // libdispatch ends a process that drains the main queue on another thread. The source
        // removes itself here; the next call on the main thread installs the bridge again.
        guard platform_is_main_thread() != 0 else {
            if g_source_get_context(g_main_current_source()) == g_main_context_default() {
                isInstalled.withLock { $0 = false }
            }
            shim_critical(MainLoopError.mainContextIsElsewhere.description)
            return 0
        }
        wakeUpCount.withLock { $0 += 1 }
        // Reads the descriptor before it drains the queue, so that work that arrives in between
        // wakes the loop again. An unread descriptor would wake the loop forever.
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
        MainActor.assumeIsolated { drain(descriptor) }
        return 1
    }

    // MARK: Loops within the loop

    @MainActor private static var isDraining = false
    /// The calls that wait for the end of the draining. The first `calledCount` of them have been
    /// called.
    @MainActor private static var calls: [@MainActor () -> Void] = []
    @MainActor private static var calledCount = 0

    @MainActor
    private static func drain(_ descriptor: Int32) {
        guard !isDraining else {
            // No work is lost: the outer draining checks the queue again before it ends.
            shim_warning(
                "a main loop runs inside a task of Swift's main actor. The main actor goes on when it ends."
            )
            return
        }
        isDraining = true
        _dispatch_main_queue_callback_4CF(nil)
        isDraining = false
        // A call that runs the main loop may wait for a later call: the descriptor wakes the inner
        // loop, which makes the remaining calls.
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

    /// Calls back into the program: at once, or, during a draining of the main queue, after it in
    /// the same iteration of the main loop.
    ///
    /// The main queue cannot be drained recursively. A callback that runs a main loop until the
    /// next image is loaded would otherwise wait forever.
    @MainActor
    package static func callBack(_ body: @escaping @MainActor () -> Void) {
        if isDraining { calls.append(body) } else { body() }
    }
}

/// Why the main actor cannot run on the GLib main loop.
public struct MainLoopError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    static let notOnMainThread = MainLoopError(
        description: "RemoteImageGtk must be used on the thread that the process began with, since Swift's main actor "
            + "is bound to it. Call it from main(), or from callbacks of the default GLib main context. A Swift program "
            + "needs a synchronous main, `static func main() { … }`: an async one, or an `await` at the top level of "
            + "main.swift, leaves that thread.")
    static let mainContextIsElsewhere = MainLoopError(
        description: "Another thread runs the default GLib main context. RemoteImageGtk needs it on the main thread.")
    static let wasForked = MainLoopError(description: String(cString: platform_forked_message))
}

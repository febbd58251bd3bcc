import CRemoteImageGtk
import CRemoteImagePlatform
import RemoteImageGtk

/// Owns the `user_data` of a callback of the program, which is called on the main thread.
///
/// The destroy notify runs in the main loop after the last owner is released, on whichever thread,
/// since an owner may be released under a lock of the pipeline.
final class CallbackData: Sendable {
    // Unchecked by `nonisolated(unsafe)`: used on the main thread only.
    nonisolated(unsafe) let pointer: gpointer?
    private let destroy: GDestroyNotify?

    init(_ pointer: gpointer?, _ destroy: GDestroyNotify?) {
        self.pointer = pointer
        self.destroy = destroy
    }

    deinit {
        guard let destroy, platform_was_forked() == 0 else { return }
        let end = Unmanaged.passRetained(End(pointer, destroy)).toOpaque()
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { end in
                if let end {
                    let end = Unmanaged<End>.fromOpaque(end).takeRetainedValue()
                    MainLoop.perform { end.run() }
                }
                return 0
            }, end, nil)
    }

    private final class End: Sendable {
        private nonisolated(unsafe) let pointer: gpointer?
        private let destroy: GDestroyNotify

        init(_ pointer: gpointer?, _ destroy: @escaping GDestroyNotify) {
            self.pointer = pointer
            self.destroy = destroy
        }

        func run() { destroy(pointer) }
    }
}

import CRemoteImageGtk

/// Collects the warnings of this library during its lifetime; they are not printed.
@MainActor
final class Warnings {
    private(set) var messages: [String] = []
    private var handler: guint = 0

    init() {
        handler = g_log_set_handler(
            "RemoteImage", shim_log_warning,
            { _, _, message, data in
                guard let message, let data else { return }
                let warnings = Unmanaged<Warnings>.fromOpaque(data).takeUnretainedValue()
                let text = String(cString: message)
                MainActor.assumeIsolated { warnings.messages.append(text) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit {
        g_log_remove_handler("RemoteImage", handler)
    }
}

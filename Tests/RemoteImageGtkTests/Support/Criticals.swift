import CRemoteImageGtk

/// Collects the critical messages of this library during its lifetime, for tests of wrong calls;
/// they do not end the process.
@MainActor
final class Criticals {
    private(set) var messages: [String] = []
    private var handler: guint = 0
    private let mask: GLogLevelFlags

    init() {
        let critical = shim_log_fatal.rawValue & ~errorsAlone.rawValue
        mask = g_log_set_always_fatal(errorsAlone)
        handler = g_log_set_handler(
            "RemoteImage", GLogLevelFlags(rawValue: critical),
            { _, _, message, data in
                guard let message, let data else { return }
                let criticals = Unmanaged<Criticals>.fromOpaque(data).takeUnretainedValue()
                let text = String(cString: message)
                MainActor.assumeIsolated { criticals.messages.append(text) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    isolated deinit {
        g_log_remove_handler("RemoteImage", handler)
        g_log_set_always_fatal(mask)
    }
}

/// Recursion and errors.
private let errorsAlone = GLogLevelFlags(rawValue: shim_log_fatal.rawValue & ~(1 << 3))

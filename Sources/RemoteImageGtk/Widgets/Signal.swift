// The border to GObject's signals: closures are retained for the connection, and released in its destroy notify and
// nowhere else.

import CGtk

enum Signal {
    @MainActor
    private final class Handler {
        let body: @MainActor () -> Void

        init(_ body: @escaping @MainActor () -> Void) {
            self.body = body
        }
    }

    /// Calls `body` for each emission, until the widget goes.
    @MainActor
    static func connect(_ signal: String, of widget: Widget, _ body: @escaping @MainActor () -> Void) {
        shim_connect(
            widget.pointer, signal,
            { _, data in
                guard let data else { return }
                let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
                // The handler may bring about its own end: the call keeps it.
                MainActor.assumeIsolated { handler.body() }
            }, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in
                if let data { Unmanaged<Handler>.fromOpaque(data).release() }
            })
    }
}

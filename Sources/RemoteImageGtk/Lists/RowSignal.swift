import CGtk

/// Connects Swift closures to the signals of `GtkSignalListItemFactory`, which pass a
/// `GtkListItem`.
enum RowSignal {
    @MainActor
    private final class Handler {
        let body: @MainActor (OpaquePointer) -> Void

        init(_ body: @escaping @MainActor (OpaquePointer) -> Void) {
            self.body = body
        }
    }

    /// Calls `body` with the row of each signal, until the factory is finalized.
    @MainActor
    static func connect(
        _ signal: String, of factory: ObjectReference, _ body: @escaping @MainActor (OpaquePointer) -> Void
    ) {
        shim_connect_row(
            factory.pointer, signal,
            { _, row, data in
                guard let data, let row else { return }
                nonisolated(unsafe) let item = OpaquePointer(row)  // Never leaves this call, on the main thread.
                let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
                MainLoop.assumeIsolated { handler.body(item) }
            }, Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in
                if let data { Unmanaged<Handler>.fromOpaque(data).release() }
            })
    }
}

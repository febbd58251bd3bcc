// Asynchronous calls in the style of GIO: a `GTask` around a Swift task.

import CRemoteImageGtk

/// The result of an asynchronous call of the C interface.
package enum AsyncAnswer {
    case object(ObjectReference)
    case bytes([UInt8])
    case count(Int)
}

/// Runs asynchronous work and reports its result to a `GAsyncReadyCallback`.
@MainActor
package enum AsyncCall {
    /// Starts `work`; `tag` identifies its finish function. Calls `callback` exactly once, in the
    /// thread-default main context of the caller, and never before this function returns.
    package static func start(
        on object: UnsafeMutableRawPointer, tag: gpointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
        _ callback: GAsyncReadyCallback?, _ data: gpointer?,
        _ work: @escaping @MainActor () async throws(ImageError) -> AsyncAnswer
    ) {
        guard let call = g_task_new(object, cancellable, callback, data) else { return }
        g_task_set_source_tag(call, tag)
        let running = Task { @MainActor in
            let result: Result<AsyncAnswer, ImageError>
            do throws(ImageError) { result = .success(try await work()) } catch { result = .failure(error) }
            MainLoop.callBack { finish(call, result) }
        }
        // A caller that waits in a loop over another context does not run the default one.
        let context = g_task_get_context(call)
        if context != g_main_context_default() { sources[call] = MainLoop.attach(to: context) }
        guard let cancellable else { return }
        // The cancellable may be cancelled on any thread. It is connected until the call finishes.
        let box = Unmanaged.passRetained(Box(running)).toOpaque()
        let id = g_cancellable_connect(
            cancellable, unsafeBitCast(cancel, to: GCallback.self), box,
            { @Sendable box in
                if let box { Unmanaged<Box<Task<Void, Never>>>.fromOpaque(box).release() }
            })
        connections[call] = id
    }

    /// The sources that drain the main queue in the contexts of calls from non-default contexts.
    private static var sources: [OpaquePointer: UnsafeMutablePointer<GSource>] = [:]

    /// The handler IDs of the cancellables, by call.
    private static var connections: [OpaquePointer: gulong] = [:]

    private static let cancel: @convention(c) (gpointer?, gpointer?) -> Void = { _, box in
        if let box { Unmanaged<Box<Task<Void, Never>>>.fromOpaque(box).takeUnretainedValue().value.cancel() }
    }

    private static func finish(_ call: OpaquePointer, _ result: Result<AsyncAnswer, ImageError>) {
        if let id = connections.removeValue(forKey: call) {
            g_cancellable_disconnect(g_task_get_cancellable(call), id)
        }
        if let source = sources.removeValue(forKey: call) {
            g_source_destroy(source)
            g_source_unref(source)
        }
        switch result {
        case .success(.object(let object)): g_task_return_pointer(call, g_object_ref(object.pointer), g_object_unref)
        case .success(.bytes(let bytes)):
            let shared = SharedBytes.make(bytes)
            // If the caller does not take the bytes, they are released with the result, on any
            // thread.
            g_task_return_pointer(call, UnsafeMutableRawPointer(shared)) { @Sendable bytes in
                g_bytes_unref(bytes.map { OpaquePointer($0) })
            }
        case .success(.count(let count)): g_task_return_int(call, count)
        case .failure(let error): g_task_return_error(call, ImageErrorDomain.makeError(error))
        }
        g_object_unref(UnsafeMutableRawPointer(call))
    }
}

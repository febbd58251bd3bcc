// Asynchronous calls as GIO has them: a `GTask` around a Swift task.

import CGtk

/// What an asynchronous call of the C interface gives.
package enum AsyncAnswer {
    case object(ObjectReference)
    case bytes([UInt8])
    case count(Int)
}

/// Runs work for a caller who waits with a `GAsyncReadyCallback`.
@MainActor
package enum AsyncCall {
    /// Starts `work`, whose result is known by `tag`. `callback` is called exactly once, in the main context in which this was called, never before
    /// this returns.
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
        // Who waits for the call in a loop over another context runs no other one.
        let context = g_task_get_context(call)
        if context != g_main_context_default() { sources[call] = MainLoop.attach(to: context) }
        guard let cancellable else { return }
        // Cancelled on any thread; connected for as long as the call runs, which the task's data says.
        let box = Unmanaged.passRetained(Cancellation(running)).toOpaque()
        let id = g_cancellable_connect(
            cancellable, unsafeBitCast(cancel, to: GCallback.self), box,
            { @Sendable box in
                if let box { Unmanaged<Cancellation>.fromOpaque(box).release() }
            })
        connections[call] = id
    }

    /// What drains the main queue in the contexts of calls that were not made in the default one.
    private static var sources: [OpaquePointer: UnsafeMutablePointer<GSource>] = [:]

    /// Handlers of cancellables, by the calls that they end.
    private static var connections: [OpaquePointer: gulong] = [:]

    private static let cancel: @convention(c) (gpointer?, gpointer?) -> Void = { _, box in
        if let box { Unmanaged<Cancellation>.fromOpaque(box).takeUnretainedValue().task.cancel() }
    }

    private final class Cancellation: Sendable {
        let task: Task<Void, Never>
        init(_ task: Task<Void, Never>) { self.task = task }
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
            let copy = g_bytes_new(bytes, gsize(bytes.count))
            // If the caller does not take them, they are released with the result, on any thread.
            g_task_return_pointer(call, UnsafeMutableRawPointer(copy)) { @Sendable bytes in
                g_bytes_unref(bytes.map { OpaquePointer($0) })
            }
        case .success(.count(let count)): g_task_return_int(call, count)
        case .failure(let error): g_task_return_error(call, ImageErrorDomain.makeError(error))
        }
        g_object_unref(UnsafeMutableRawPointer(call))
    }
}

extension PipelineObject {
    /// The texture of a request.
    package func texture(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        let image = try await pipeline.image(for: request)
        guard let texture = TextureStore.texture(of: image.pixels) else { throw ImageError(.processing, "no texture") }
        return .object(texture)
    }

    /// The texture of an image that is in memory, the caller's to release.
    package func cachedTexture(for request: ImageRequest) -> UnsafeMutableRawPointer? {
        pipeline.cachedImage(for: request).flatMap { TextureStore.texture(of: $0.pixels) }
            .map { g_object_ref($0.pointer) }
    }

    package func bytes(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        .bytes(try await pipeline.data(for: request).bytes)
    }

    // MARK: The caches

    package var memoryUsage: Int { (pipeline.configuration.memoryCache as? MemoryCache)?.cost ?? 0 }

    package func clearMemory() { pipeline.configuration.memoryCache?.removeAll() }

    /// Does something with the store on a thread that may block; nothing where there is none.
    package func withStore(
        _ work: @escaping @Sendable (DiskStore) -> Result<Int, ImageError>
    ) async throws(ImageError) -> AsyncAnswer {
        guard let store = pipeline.configuration.responseStore as? DiskStore else { return .count(0) }
        await pipeline.finishWriting()
        return .count(try await Task.detached { work(store) }.value.get())
    }

    /// Forgets what memory and disk have of an address.
    package func remove(_ text: String) async throws(ImageError) -> AsyncAnswer {
        let address = try WebAddress(text)
        pipeline.configuration.memoryCache?.remove(pipeline.cacheKey(for: ImageRequest(ImageSource(address))))
        return try await withStore { $0.removeAll(named: address.string) }
    }
}

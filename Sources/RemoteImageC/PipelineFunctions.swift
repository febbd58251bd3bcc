// The C functions of the pipeline: loading, prefetching, and the caches. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGtk
import CRemoteImage
import RemoteImageGtk

private func with<Result>(
    _ pointer: OpaquePointer?, _ function: StaticString, default fallback: Result,
    _ body: @MainActor (PipelineObject) -> Result
) -> Result {
    guard let pointer = Instance.check(pointer, PipelineObject.type, "\(function)") else { return fallback }
    return Instance.onMain(pointer) { body(PipelineObject.of($0)) }
}

/// Starts an asynchronous call on a pipeline.
///
/// - Parameter function: The name of the C function without `_async`.
private func start(
    _ pointer: OpaquePointer?, _ function: StaticString, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ data: gpointer?,
    _ work: @escaping @MainActor (PipelineObject) async throws(ImageError) -> AsyncAnswer
) {
    guard let pointer = Instance.check(pointer, PipelineObject.type, "\(function)_async") else { return }
    // None of these values leaves the main thread.
    nonisolated(unsafe) let (cancellable, data, tag) = (cancellable, data, AsyncResult.tag(of: function))
    Instance.onMain(pointer) { object in
        let pipeline = PipelineObject.of(object)
        AsyncCall.start(on: object, tag: tag, cancellable, callback, data) { () async throws(ImageError) in
            try await work(pipeline)
        }
    }
}

/// Whether a number is negative; if so, logs a critical message.
private func isNegative(_ number: Int, _ name: StaticString, _ function: StaticString) -> Bool {
    if number < 0 { shim_critical("\(function): \(name) is negative") }
    return number < 0
}

private func request(_ uri: UnsafePointer<CChar>?, _ maxPixelSize: Int32) -> ImageRequest {
    var options = ImageOptions()
    if maxPixelSize > 0 { options.maxPixelSize = Int(maxPixelSize) }
    return ImageRequest(ImageSource(uri.map { String(cString: $0) } ?? ""), options: options)
}

@c @implementation
public func remote_image_pipeline_get_type() -> GType { PipelineObject.type }

@c @implementation
public func remote_image_pipeline_new() -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_pipeline_new") else { return nil }
    return shim_object_new(PipelineObject.type).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_pipeline_get_default() -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_pipeline_get_default") else { return nil }
    nonisolated(unsafe) var pipeline: OpaquePointer?
    MainActor.assumeIsolated { pipeline = OpaquePointer(PipelineObject.defaultInstance) }
    return pipeline
}

// MARK: Loading

@c @implementation
public func remote_image_pipeline_load_texture_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ max_pixel_size: Int32,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(Int(max_pixel_size), "max_pixel_size", "remote_image_pipeline_load_texture_async") else { return }
    let request = request(uri, max_pixel_size)
    start(self, "remote_image_pipeline_load_texture", cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.texture(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_load_texture_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> OpaquePointer? {
    AsyncResult.pointer(self, "remote_image_pipeline_load_texture", result, error).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_pipeline_load_bytes_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    let request = request(uri, 0)
    start(self, "remote_image_pipeline_load_bytes", cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.bytes(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_load_bytes_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> OpaquePointer? {
    AsyncResult.pointer(self, "remote_image_pipeline_load_bytes", result, error).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_pipeline_get_cached_texture(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ max_pixel_size: Int32
) -> OpaquePointer? {
    guard !isNegative(Int(max_pixel_size), "max_pixel_size", "remote_image_pipeline_get_cached_texture") else {
        return nil
    }
    let request = request(uri, max_pixel_size)
    return with(self, "remote_image_pipeline_get_cached_texture", default: nil) { pipeline in
        pipeline.cachedTexture(for: request).map { OpaquePointer($0) }
    }
}

@c @implementation
public func remote_image_pipeline_prefetch(
    _ self: OpaquePointer?, _ uris: UnsafePointer<UnsafePointer<CChar>?>?
) {
    let sources = StringVector.strings(uris).map { ImageSource($0) }
    with(self, "remote_image_pipeline_prefetch", default: ()) { $0.prefetch(sources) }
}

@c @implementation
public func remote_image_pipeline_cancel_prefetch(_ self: OpaquePointer?) {
    with(self, "remote_image_pipeline_cancel_prefetch", default: ()) { $0.cancelPrefetch() }
}

// MARK: The caches

@c @implementation
public func remote_image_pipeline_get_memory_usage(_ self: OpaquePointer?) -> gsize {
    with(self, "remote_image_pipeline_get_memory_usage", default: 0) { gsize(max(0, $0.memoryUsage)) }
}

@c @implementation
public func remote_image_pipeline_clear_memory(_ self: OpaquePointer?) {
    with(self, "remote_image_pipeline_clear_memory", default: ()) { $0.clearMemory() }
}

@c @implementation
public func remote_image_pipeline_get_disk_usage_async(
    _ self: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?,
    _ user_data: gpointer?
) {
    start(self, "remote_image_pipeline_get_disk_usage", cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.withStore { .success($0.byteCount) }
    }
}

@c @implementation
public func remote_image_pipeline_get_disk_usage_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gssize {
    AsyncResult.count(self, "remote_image_pipeline_get_disk_usage", result, error)
}

@c @implementation
public func remote_image_pipeline_trim_disk_async(
    _ self: OpaquePointer?, _ byte_count: gint64, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(byte_count, "byte_count", "remote_image_pipeline_trim_disk_async") else { return }
    start(self, "remote_image_pipeline_trim_disk", cancellable, callback, user_data) {
        pipeline async throws(ImageError) in
        try await pipeline.withStore { store in store.trim(to: Int(byte_count)).map { 1 } }
    }
}

@c @implementation
public func remote_image_pipeline_trim_disk_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
    AsyncResult.count(self, "remote_image_pipeline_trim_disk", result, error) >= 0 ? 1 : 0
}

@c @implementation
public func remote_image_pipeline_remove_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    let text = uri.map { String(cString: $0) } ?? ""
    start(self, "remote_image_pipeline_remove", cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.remove(text)
    }
}

@c @implementation
public func remote_image_pipeline_remove_finish(
    _ self: OpaquePointer?, _ result: OpaquePointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
) -> gboolean {
    AsyncResult.count(self, "remote_image_pipeline_remove", result, error) >= 0 ? 1 : 0
}

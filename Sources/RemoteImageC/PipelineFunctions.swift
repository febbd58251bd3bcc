// The C functions of the pipeline: loading, prefetching, and the caches. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

/// Starts an asynchronous call on a pipeline. Its source tag is the name of the C function.
func start(
    _ pointer: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?,
    _ data: gpointer?, function: StaticString = #function,
    _ work: @escaping @MainActor (PipelineObject) async throws(ImageError) -> AsyncAnswer
) {
    // None of these values leaves the main thread.
    nonisolated(unsafe) let (pointer, cancellable, data) = (pointer, cancellable, data)
    PipelineObject.with(pointer, default: (), function: function) { pipeline in
        guard let object = pointer.map({ UnsafeMutableRawPointer($0) }) else { return }
        let tag = g_intern_string(function.functionName).map { UnsafeMutableRawPointer(mutating: $0) }
        AsyncCall.start(on: object, tag: tag, cancellable, callback, data) {
            () async throws(ImageError) in try await work(pipeline)
        }
    }
}

/// Whether a number is negative; if so, logs a critical message.
func isNegative(_ number: Int, _ name: StaticString, function: StaticString = #function) -> Bool {
    if number < 0 { shim_critical("\(function.functionName): \(name) is negative") }
    return number < 0
}

func request(_ source: ImageSource, _ maxPixelSize: Int32) -> ImageRequest {
    var options = ImageOptions()
    if maxPixelSize > 0 { options.maxPixelSize = PixelSize(side: Int(maxPixelSize)) }
    return ImageRequest(source, options: options)
}

func request(_ uri: UnsafePointer<CChar>?, _ maxPixelSize: Int32 = 0) -> ImageRequest {
    request(ImageSource(SourceArguments.text(uri)), maxPixelSize)
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
    guard !isNegative(Int(max_pixel_size), "max_pixel_size") else { return }
    let request = request(uri, max_pixel_size)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.texture(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_load_bytes_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    let request = request(uri)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.bytes(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_get_cached_texture(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ max_pixel_size: Int32
) -> OpaquePointer? {
    guard !isNegative(Int(max_pixel_size), "max_pixel_size") else {
        return nil
    }
    let request = request(uri, max_pixel_size)
    return PipelineObject.with(self, default: nil) { pipeline in
        pipeline.cachedTexture(for: request).map { OpaquePointer($0) }
    }
}

@c @implementation
public func remote_image_pipeline_prefetch(
    _ self: OpaquePointer?, _ uris: UnsafePointer<UnsafePointer<CChar>?>?
) {
    let requests = StringVector.strings(uris).map { ImageRequest(ImageSource($0)) }
    PipelineObject.with(self, default: ()) { $0.prefetch(requests) }
}

@c @implementation
public func remote_image_pipeline_cancel_prefetch(_ self: OpaquePointer?) {
    PipelineObject.with(self, default: ()) { $0.cancelPrefetch() }
}

// MARK: The caches

@c @implementation
public func remote_image_pipeline_get_memory_usage(_ self: OpaquePointer?) -> gsize {
    PipelineObject.with(self, default: 0) { gsize(max(0, $0.memoryUsage)) }
}

@c @implementation
public func remote_image_pipeline_clear_memory(_ self: OpaquePointer?) {
    PipelineObject.with(self, default: ()) { $0.clearMemory() }
}

@c @implementation
public func remote_image_pipeline_get_disk_usage_async(
    _ self: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?,
    _ user_data: gpointer?
) {
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in
        try await pipeline.withStore { store throws(ImageError) in
            try store.check()
            return store.byteCount
        }
    }
}

@c @implementation
public func remote_image_pipeline_trim_disk_async(
    _ self: OpaquePointer?, _ byte_count: gint64, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(byte_count, "byte_count") else { return }
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in
        try await pipeline.withStore { store throws(ImageError) in
            try store.trim(to: Int(byte_count))
            return 1
        }
    }
}

@c @implementation
public func remote_image_pipeline_remove_stored_sizes_async(
    _ self: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?,
    _ user_data: gpointer?
) {
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in
        try await pipeline.withStore { store throws(ImageError) in
            try store.removeResizedImages()
            return 1
        }
    }
}

@c @implementation
public func remote_image_pipeline_remove_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    let text = uri.map { String(cString: $0) } ?? ""
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.remove(text)
    }
}

// The C functions of the pipeline that load sources. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_pipeline_load_source_texture_async(
    _ self: OpaquePointer?, _ source: OpaquePointer?, _ max_pixel_size: Int32,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(Int(max_pixel_size), "max_pixel_size"), let source = SourceArguments.source(source) else {
        return
    }
    let request = request(source, max_pixel_size)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.texture(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_load_source_bytes_async(
    _ self: OpaquePointer?, _ source: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let source = SourceArguments.source(source) else { return }
    let request = ImageRequest(source)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.bytes(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_prefetch_sources(
    _ self: OpaquePointer?, _ sources: UnsafePointer<OpaquePointer?>?, _ n_sources: gsize, _ max_pixel_size: Int32
) {
    guard !isNegative(Int(max_pixel_size), "max_pixel_size"),
        let sources = SourceArguments.sources(sources, n_sources)
    else { return }
    let requests = sources.map { request($0, max_pixel_size) }
    PipelineObject.with(self, default: ()) { $0.prefetch(requests) }
}

@c @implementation
public func remote_image_pipeline_load_iiif_source_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ options: OpaquePointer?,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let options = SourceArguments.options(options) else { return }
    let image = IIIFImage(SourceArguments.text(uri))
    start(self, cancellable, callback, user_data) { pipeline async throws(ImageError) in
        let info = try await image.info(in: pipeline.pipeline)
        return SourceObject.answer(
            image.source(with: info, quality: options.quality ?? "default", format: options.format ?? "jpg"))
    }
}

// The GObject class of copied and dragged images: a `GdkContentProvider` with the original file,
// which is loaded when another program asks for it.

import CRemoteImageGtk

/// The state of a content provider. A view decodes an image only for its size, so that its texture
/// would be a thumbnail.
@MainActor
final class OriginalContent: ObjectState {
    struct Image {
        /// The image as the view shows it.
        let shown: LoadedImage
        /// The request for the file.
        let request: ImageRequest
        let pipeline: ImagePipeline
        /// The media types of the file, and of PNG, which all programs can read.
        let types: [String]

        /// `nil` if the view shows no image of its current source.
        @MainActor init?(_ model: NetworkImageModel) {
            guard let shown = model.image, let source = model.sourceToSave else { return nil }
            self.shown = shown
            var options = model.options
            (options.processors, options.maxPixelSize) = ([], nil)
            request = ImageRequest(source, options: options)
            pipeline = model.pipeline
            // The largest of several sizes may have another format than the shown one.
            let isShown = source == (shown.source ?? model.source)
            let type = isShown ? shown.info.format?.facts.mediaType : nil
            types = [type, ImageFormat.png.facts.mediaType].compactMap(\.self)
        }
    }

    /// `nil` in an object that the library has not made.
    private var image: Image?

    init(_ object: UnsafeMutablePointer<GObject>) {}

    /// Providers of the original file and, for this program and for other formats, of the shown
    /// texture. Empty if the view shows no image. The caller releases them.
    static func make(of model: NetworkImageModel) -> [UnsafeMutablePointer<GdkContentProvider>] {
        guard let shown = model.image, let texture = TextureStore.texture(of: shown.pixels) else { return [] }
        var value = GValue()
        g_value_init(&value, gdk_texture_get_type())
        g_value_set_object(&value, texture.pointer)
        defer { g_value_unset(&value) }
        let drawn = gdk_content_provider_new_for_value(&value).map { [$0] } ?? []
        guard let image = Image(model), let object = shim_object_new(type) else { return drawn }
        of(object).image = image
        return [object.assumingMemoryBound(to: GdkContentProvider.self)] + drawn
    }

    // MARK: The file

    /// The file in one of the media types. If it cannot be loaded, the PNG contains the pixels that
    /// the view shows.
    private static func file(_ type: String, of image: Image) async throws(ImageError) -> [UInt8] {
        let isPNG = type == ImageFormat.png.facts.mediaType
        var pixels = image.shown.pixels
        do throws(ImageError) {
            let bytes = try await image.pipeline.data(for: image.request).bytes
            if ImageFormat.sniff(bytes)?.facts.mediaType == type { return bytes }
            guard isPNG else { throw ImageError(.source, "the file has another format than \(type)") }
            var decoding = image.request
            decoding.source = .bytes(bytes, identity: "copied \(image.request.source.identity)")
            // In full size, it would displace the images of many views from memory.
            decoding.options.cachePolicy = .noStore
            pixels = try await image.pipeline.image(for: decoding).pixels
        } catch {
            guard isPNG, error.code != .cancelled else { throw error }
        }
        let chosen = pixels
        return try await WorkerThreads.decoding.run { () throws(ImageError) in try chosen.encoded(as: .png) }
    }

    private func write(
        _ type: String, to stream: UnsafeMutableRawPointer, _ priority: Int32,
        _ cancellable: UnsafeMutablePointer<GCancellable>?, from provider: UnsafeMutableRawPointer,
        _ callback: GAsyncReadyCallback?, _ data: gpointer?
    ) {
        let writer = StreamWriter(stream, priority, cancellable)
        AsyncCall.start(on: provider, tag: nil, cancellable, callback, data) {
            [image] () async throws(ImageError) in
            guard let image, image.types.contains(type) else { throw ImageError(.source, "no file of \(type)") }
            try await writer.write(try await OriginalContent.file(type, of: image))
            return .count(1)
        }
    }
}

extension OriginalContent {
    nonisolated static let typeName: StaticString = "RemoteImageOriginalContent"
    nonisolated static var parentType: GType { gdk_content_provider_get_type() }
    nonisolated static var parentSize: Int { MemoryLayout<GdkContentProvider>.size }

    nonisolated static let type: GType = register()

    nonisolated static func initialize(_ classPointer: UnsafeMutableRawPointer) {
        let providerClass = classPointer.assumingMemoryBound(to: GdkContentProviderClass.self)
        providerClass.pointee.ref_formats = { provider in
            let builder = gdk_content_formats_builder_new()
            // Never leaves this call, which is on the main thread.
            nonisolated(unsafe) let formats = builder
            OriginalContent.with(provider) { content in
                for type in content.image?.types ?? [] { gdk_content_formats_builder_add_mime_type(formats, type) }
            }
            return gdk_content_formats_builder_free_to_formats(builder)
        }
        providerClass.pointee.write_mime_type_async = {
            provider, type, stream, priority, cancellable, callback, data in
            guard let provider, let type, let stream else { return }
            // Never leave this call, which is on the main thread.
            nonisolated(unsafe) let (own, target, cancellable, data) = (provider, stream, cancellable, data)
            let name = String(cString: type)
            OriginalContent.with(provider) { content in
                content.write(name, to: target, priority, cancellable, from: own, callback, data)
            }
        }
        providerClass.pointee.write_mime_type_finish = { _, result, error in
            g_task_propagate_int(result, error) == 1 ? 1 : 0
        }
    }
}

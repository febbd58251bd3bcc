// `RemoteImagePaintable`: a remote image as a `GdkPaintable`, for GTK classes that draw paintables.

import CRemoteImageGtk

/// The state of a `RemoteImagePaintable`. It has no position on screen: it loads as soon as it has
/// an address, and decodes all pixels unless `max-pixel-size` limits them.
@MainActor
package final class PaintableObject: ImageObject {
    package var properties = ImageProperties()
    private lazy var loading = LoadController { [weak self] _, _ in self?.phaseMayHaveChanged() }
    package var shown = ShownPhase()
    private var texture: ObjectReference?
    /// The paintable that draws the image, scaled down to the size at which it is drawn.
    private var drawn: ObjectReference?
    private let redrawing = SignalConnections()
    // Not owned: the instance owns this state.
    package let object: UnsafeMutablePointer<GObject>

    package init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    /// - Parameter changed: The names of the changed properties.
    func applyProperties(_ changed: Set<String>) {
        if changed.contains("headers") { HeaderLines.warn(of: properties.headers, in: "RemoteImagePaintable") }
        properties.warnOfPreviews(in: changed, of: Self.typeName)
        let source = properties.source
        // Until there is an address, the default pipeline may still be configured.
        guard source != nil || loading.model != nil else { return }
        show(
            source, options: properties.options,
            pipeline: PipelineObject.pipeline(of: properties.pipeline), scale: properties.display.scale)
    }

    /// Shows an image with any source and options.
    func show(_ source: ImageSource?, options: ImageOptions, pipeline: ImagePipeline, scale: Double) {
        var options = options
        options.loadOptions = .loadImmediately
        if let model = loading.model, model.pipeline === pipeline {
            model.update(source: source, options: options, scale: scale)
        } else {
            _ = loading.load(source, options: options, pipeline: pipeline, scale: scale)
        }
        phaseMayHaveChanged()
    }

    /// The model; without a declaration, an empty one.
    var model: NetworkImageModel {
        loading.model ?? NetworkImageModel(nil as ImageSource?, pipeline: .shared)
    }

    func dispose() {
        loading.end()
        properties.pipeline = ObjectSlot(nil)
        properties.authorization = ObjectSlot(nil)
        properties.sourceObject = ObjectSlot(nil)
        properties.display.processor = ObjectSlot(nil)
        (texture, drawn) = (nil, nil)
        redrawing.end()
    }

    private func phaseMayHaveChanged() {
        guard let model = loading.model else { return }
        let (old, new) = (shown.phase, model.phase)
        let (before, sizeBefore) = (texture, naturalSize)
        shown.phase = new
        texture = image.flatMap { TextureStore.texture(of: $0.pixels) }
        let isOther = before?.pointer != texture?.pointer || sizeBefore != naturalSize
        if isOther { drawFromNowOn(image) }
        var names = new.changedProperties(since: old, withImage: true)
        // The previews of a load change the image within one phase.
        if isOther, !names.contains("texture") { names += ["texture", "image-width", "image-height", "animated"] }
        guard !names.isEmpty else { return }
        // A handler may release the paintable or run the main loop.
        let paintable = ObjectReference(borrowing: UnsafeMutableRawPointer(object))
        MainLoop.callBack {
            if isOther {
                gdk_paintable_invalidate_size(OpaquePointer(paintable.pointer))
                gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
            }
            PaintableObject.of(paintable.pointer).notify(names)
        }
    }

    private func drawFromNowOn(_ image: LoadedImage?) {
        redrawing.end()
        drawn = image.flatMap { ImagePaintable.make($0) }
        guard let drawn else { return }
        redrawing.connect("invalidate-contents", of: drawn.pointer) { [weak self] in
            if let self { gdk_paintable_invalidate_contents(OpaquePointer(object)) }
        }
    }

    func draw(into snapshot: OpaquePointer?, _ width: Double, _ height: Double) {
        guard let drawn else { return }
        gdk_paintable_snapshot(OpaquePointer(drawn.pointer), snapshot, width, height)
    }

    /// The texture with all decoded pixels.
    package var texturePointer: UnsafeMutableRawPointer? { texture?.pointer }

    /// The full size of the image in pixels; during a load, that of the preview; zero without
    /// either.
    package var imageSize: PixelSize { image?.info.size ?? PixelSize(width: 0, height: 0) }

    /// The drawn image, preview or previous image.
    var image: LoadedImage? {
        switch shown.phase {
        case .success(let image): image
        case .loading(let state): state.preview
        case .empty, .failure: nil
        }
    }

    /// The natural size of the image in points.
    var naturalSize: (width: Int32, height: Int32) {
        guard let size = image?.naturalPointSize else { return (0, 0) }
        func whole(_ points: Double) -> Int32 { Int32(saturating: points.rounded(.up)) }
        return (whole(size.width), whole(size.height))
    }

    package func reload() { loading.model?.reload() }

    package func cancel() { loading.model?.cancel() }
}

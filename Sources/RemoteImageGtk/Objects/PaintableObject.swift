// `RemoteImagePaintable`: a remote picture as a `GdkPaintable`, for everything in GTK that draws one.

import CGtk

/// The state of a `RemoteImagePaintable`. It has no place on screen: it loads as soon as it has an address, and all
/// pixels unless `max-pixel-size` bounds them.
@MainActor
package final class PaintableObject: ObjectState {
    package var declaration = ImageDeclaration() {
        didSet { isChanged = isChanged || declaration != oldValue }
    }

    private var isChanged = false
    private var loader: (model: NetworkImageModel, observation: PhaseObservation)?
    private var phase = NetworkImagePhase.empty
    private var texture: ObjectReference?
    private var gerror: UnsafeMutablePointer<GError>?
    // Not owned: the instance owns this state.
    private let object: UnsafeMutablePointer<GObject>

    package init(_ object: UnsafeMutablePointer<GObject>) {
        self.object = object
    }

    func applyChanges() {
        guard isChanged else { return }
        isChanged = false
        HeaderLines.warn(of: declaration.headers, in: "RemoteImagePaintable")
        var options = declaration.options
        options.loadOptions = .loadImmediately
        load(
            declaration.source, options: options, pipeline: PipelineObject.pipeline(of: declaration.pipeline), scale: 1)
    }

    /// Shows what a Swift program declares: any source, and any options.
    func show(_ source: ImageSource?, options: ImageOptions, pipeline: ImagePipeline, scale: Double) {
        var options = options
        options.loadOptions = .loadImmediately
        load(source, options: options, pipeline: pipeline, scale: scale)
    }

    private func load(_ source: ImageSource?, options: ImageOptions, pipeline: ImagePipeline, scale: Double) {
        if let model = loader?.model, model.pipeline === pipeline {
            model.update(source: source, options: options, scale: scale)
        } else {
            let model = NetworkImageModel(source, pipeline: pipeline, options: options, scale: scale)
            loader = (model, model.observePhase { [weak self] _, _ in self?.phaseMayHaveChanged() })
        }
        phaseMayHaveChanged()
    }

    /// What loads; one that has nothing to load before anything was declared.
    var model: NetworkImageModel {
        loader?.model ?? NetworkImageModel(nil as ImageSource?, pipeline: .shared)
    }

    func dispose() {
        loader = nil
        declaration.pipeline = ObjectSlot(nil)
        isChanged = false
        texture = nil
        freeError()
    }

    private func phaseMayHaveChanged() {
        guard let model = loader?.model else { return }
        let (old, new) = (phase, model.phase)
        phase = new
        let shown = texture
        switch new {
        case .success(let image): texture = TextureStore.texture(of: image.pixels)
        case .loading(let state): texture = state.preview.flatMap { TextureStore.texture(of: $0.pixels) }
        case .empty, .failure: texture = nil
        }
        g_object_ref(object)
        defer { g_object_unref(object) }
        if shown?.pointer != texture?.pointer {
            gdk_paintable_invalidate_size(OpaquePointer(object))
            gdk_paintable_invalidate_contents(OpaquePointer(object))
        }
        g_object_freeze_notify(object)
        defer { g_object_thaw_notify(object) }
        g_object_notify(object, "progress")
        guard !new.hasSameContent(as: old) else { return }
        freeError()
        if old.kind != new.kind { g_object_notify(object, "phase") }
        if old.error != new.error { g_object_notify(object, "error") }
        for name in ["texture", "image-width", "image-height"] { g_object_notify(object, name) }
    }

    private func freeError() {
        if let gerror { g_error_free(gerror) }
        gerror = nil
    }

    package var phaseNumber: Int32 { phase.kind.number }

    package var progress: Double {
        switch phase {
        case .empty, .failure: 0
        case .loading(let state): state.progress.fraction ?? 0
        case .success: 1
        }
    }

    /// Why there is no picture. The paintable's, until its phase changes.
    package var error: UnsafeMutablePointer<GError>? {
        if gerror == nil, let error = phase.error { gerror = ImageErrorDomain.makeError(error) }
        return gerror
    }

    /// What is drawn now.
    package var texturePointer: UnsafeMutableRawPointer? { texture?.pointer }

    /// The picture's own size in pixels, that of a preview as long as there is nothing else; zero without one.
    package var imageSize: PixelSize {
        switch phase {
        case .success(let image): image.info.size
        case .loading(let state): state.preview?.info.size ?? PixelSize(width: 0, height: 0)
        case .empty, .failure: PixelSize(width: 0, height: 0)
        }
    }

    /// Its own size in points.
    var naturalSize: (width: Int32, height: Int32) {
        let scale = loader.map { $0.model.scale > 0 ? $0.model.scale : 1 } ?? 1
        func points(_ pixels: Int) -> Int32 { Int32(clamping: Int((Double(pixels) / scale).rounded(.up))) }
        return (points(imageSize.width), points(imageSize.height))
    }

    package func reload() { loader?.model.reload() }

    package func cancel() { loader?.model.cancel() }
}

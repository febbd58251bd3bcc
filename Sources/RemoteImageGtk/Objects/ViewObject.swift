// The view as GObject sees it: what its properties say becomes a `NetworkImage`, what becomes of it is told by
// notifications, signals and CSS classes.

import CGtk

/// The GObject face of one view. Belongs to the view's state; after its disposal nothing happens any more.
@MainActor
package final class ViewObject: DeclaredObject {
    package var declaration = ImageDeclaration() {
        didSet { isChanged = isChanged || declaration != oldValue }
    }

    /// What the view shows was made of; nil in a view that Swift declares.
    private var applied: ImageDeclaration?
    private var isChanged = false
    private var isDisposed = false
    private var phase = NetworkImagePhase.empty
    private var texture: ObjectReference?
    private var gerror: UnsafeMutablePointer<GError>?
    // Neither is owned: the widget owns the state, and that owns this object.
    private unowned let state: RemoteImageViewState
    let widget: UnsafeMutablePointer<GtkWidget>

    init(_ state: RemoteImageViewState, _ widget: UnsafeMutablePointer<GtkWidget>) {
        self.state = state
        self.widget = widget
        gtk_widget_add_css_class(widget, NetworkImagePhase.Kind.empty.styleClass)
    }

    /// That of a view by its pointer.
    package static func of(_ view: UnsafeMutableRawPointer) -> ViewObject {
        RemoteImageViewClass.state(of: view.assumingMemoryBound(to: GtkWidget.self)).object
    }

    func dispose() {
        isDisposed = true
        declaration.placeholder = ObjectSlot(nil)
        declaration.failure = ObjectSlot(nil)
        declaration.pipeline = ObjectSlot(nil)
        applied = nil
        texture = nil
        freeError()
    }

    // MARK: What the properties say

    /// Changes the declaration and tells of the property. The change takes effect before this returns, unless
    /// notifications are frozen: several properties that are set together are one declaration.
    package func change(_ name: String, _ body: (inout ImageDeclaration) -> Void) {
        let old = declaration
        body(&declaration)
        if declaration != old { g_object_notify(widget.object, name) }
    }

    /// Makes what the view shows follow the properties, if they changed.
    func applyChanges() {
        guard isChanged, !isDisposed else { return }
        isChanged = false
        let (new, old) = (declaration, applied ?? ImageDeclaration())
        if new.alternativeText != old.alternativeText { shim_update_label(widget, new.alternativeText ?? "") }
        if new.decorative != old.decorative { shim_update_hidden(widget, new.decorative ? 1 : 0) }
        if new.cornerRadius != old.cornerRadius { gtk_widget_queue_draw(widget) }
        if new.headers != old.headers { HeaderLines.warn(of: new.headers, in: "RemoteImageView") }
        // A view that Swift declares keeps its declaration until there is an address.
        guard applied != nil || new.uri != nil || !new.looksLike(old) else { return }
        applied = new
        // Without one, that of the widgets around.
        let pipeline = new.pipeline.pointer == nil ? nil : PipelineObject.pipeline(of: new.pipeline)
        state.show(image(of: new), pipeline: pipeline)
        phaseMayHaveChanged()
    }

    private func image(of declaration: ImageDeclaration) -> NetworkImage<Widget> {
        NetworkImage(phasesOf: declaration.source, options: declaration.options) { [weak self] phase -> Widget in
            return self?.content(for: phase) ?? Widget.empty()
        }
    }

    private func content(for phase: NetworkImagePhase) -> Widget {
        switch phase {
        case .empty: placeholder ?? Widget.empty()
        case .loading(let loading):
            if let preview = loading.preview {
                following(Picture(preview, contentFit: declaration.pictureFit).content, from: preview)
            } else {
                following(placeholder ?? Spinner().content, from: nil)
            }
        case .success(let image): Picture(image, contentFit: declaration.pictureFit).content
        case .failure(let error):
            widget(in: declaration.failure) ?? Widget.failure(error) { [weak self] in self?.retry() }
        }
    }

    /// What stands in for the picture, where the program gave something.
    private var placeholder: Widget? {
        if let widget = widget(in: declaration.placeholder) { return widget }
        return declaration.placeholderIconName.map { Icon($0).content }
    }

    private func widget(in slot: ObjectSlot) -> Widget? { Widget(of: slot.pointer) }

    /// Content that gives way when a load has another preview.
    private func following(_ content: Widget, from shown: LoadedImage?) -> Widget {
        let binding: Widget.Binding = { [weak self] state in
            guard let self, let preview = state.preview, shown?.isSamePicture(as: preview) != true else { return }
            self.state.show(self.state.image, pipeline: self.state.pipeline)
        }
        return content.adding(binding)
    }

    // MARK: What becomes of it

    func phaseChanged() {
        guard !isDisposed else { return }
        phaseMayHaveChanged()
    }

    /// Tells of what is another than when this was called last.
    private func phaseMayHaveChanged() {
        let (old, new) = (phase, state.model.phase)
        phase = new
        if new.hasSameContent(as: old) {
            if case .loading = new { notify("progress") }
            return
        }
        texture = nil
        freeError()
        // Whoever is told may let go of the view.
        g_object_ref(widget)
        defer { g_object_unref(widget) }
        let isOtherKind = old.kind != new.kind
        if isOtherKind {
            gtk_widget_remove_css_class(widget, old.kind.styleClass)
            gtk_widget_add_css_class(widget, new.kind.styleClass)
        }
        g_object_freeze_notify(widget.object)
        if isOtherKind { notify("phase") }
        notify("progress")
        if old.error != new.error { notify("error") }
        if new.image != nil || old.image != nil { ["texture", "image-width", "image-height"].forEach(notify) }
        g_object_thaw_notify(widget.object)
        switch new {
        case .success: shim_emit(widget, ViewSignals.ids.loaded)
        case .failure: if let error { shim_emit_error(widget, ViewSignals.ids.failed, error) }
        case .empty, .loading: break
        }
    }

    private func notify(_ name: String) { g_object_notify(widget.object, name) }

    private func freeError() {
        if let gerror { g_error_free(gerror) }
        gerror = nil
    }

    package var phaseNumber: Int32 { phase.kind.number }

    /// 0 to 1; 0 as long as the length is not known, 1 when the picture is there.
    package var progress: Double {
        switch phase {
        case .empty, .failure: 0
        case .loading(let state): state.progress.fraction ?? 0
        case .success: 1
        }
    }

    /// Why there is no picture. The view's, until its phase changes.
    package var error: UnsafeMutablePointer<GError>? {
        if gerror == nil, let error = phase.error { gerror = ImageErrorDomain.makeError(error) }
        return gerror
    }

    /// The picture. The view's, until its phase changes.
    package var texturePointer: UnsafeMutableRawPointer? {
        if texture == nil, let image = phase.image { texture = TextureStore.texture(of: image.pixels) }
        return texture?.pointer
    }

    /// The picture's own size in pixels; zero without one.
    package var imageSize: PixelSize { phase.image?.info.size ?? PixelSize(width: 0, height: 0) }

    package func reload() { if !isDisposed { state.model.reload() } }

    package func cancel() { if !isDisposed { state.model.cancel() } }

    private func retry() { if !isDisposed { state.model.retry() } }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The same, as the functions of GObject want it.
    var object: UnsafeMutablePointer<GObject> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self) }
}

// The GObject side of a view: makes a `NetworkImage` from its properties, and reports its phases by
// notifications, signals and CSS classes.

import CGtk

/// The properties and signals of one view. The view's state owns it. After disposal all calls do
/// nothing.
@MainActor
package final class ViewObject: ImageObject {
    package var declaration = ImageDeclaration() {
        didSet { isChanged = isChanged || declaration != oldValue }
    }

    /// The property values that were applied last.
    private var applied = ImageDeclaration()
    /// Whether the properties declare the image; else Swift code declares it.
    private var isSource = false
    private var isChanged = false
    private var isDisposed = false
    package var shown = ShownPhase()
    /// The image of the last emission of `loaded`, while it is shown.
    private var told: LoadedImage?
    private var texture: ObjectReference?
    // Not owned: the widget owns the state, which owns this object.
    private unowned let state: RemoteImageViewState
    let widget: UnsafeMutablePointer<GtkWidget>
    package var object: UnsafeMutablePointer<GObject> { widget.object }

    init(_ state: RemoteImageViewState, _ widget: UnsafeMutablePointer<GtkWidget>) {
        self.state = state
        self.widget = widget
        gtk_widget_add_css_class(widget, NetworkImagePhase.Kind.empty.styleClass)
    }

    /// The object of a view.
    package static func of(_ view: UnsafeMutableRawPointer) -> ViewObject {
        RemoteImageViewClass.state(of: view.assumingMemoryBound(to: GtkWidget.self)).object
    }

    func dispose() {
        isDisposed = true
        declaration.placeholder = ObjectSlot(nil)
        declaration.failure = ObjectSlot(nil)
        declaration.pipeline = ObjectSlot(nil)
        applied = ImageDeclaration()
        texture = nil
        told = nil
    }

    // MARK: Properties

    /// The content fit of the properties; `nil` if Swift code declares the image.
    var declaredFit: Picture.ContentFit? { isSource ? declaration.pictureFit : nil }

    /// Applies changed properties to the view.
    func applyChanges() {
        guard isChanged, !isDisposed else { return }
        isChanged = false
        let (new, old) = (declaration, applied)
        applied = new
        if new.alternativeText != old.alternativeText { shim_update_label(widget, new.alternativeText ?? "") }
        if new.decorative != old.decorative { shim_update_hidden(widget, new.decorative ? 1 : 0) }
        if new.cornerRadius != old.cornerRadius { gtk_widget_queue_draw(widget) }
        if new.headers != old.headers { HeaderLines.warn(of: new.headers, in: "RemoteImageView") }
        if let hash = new.thumbHash, hash != old.thumbHash, PreviewHash.thumbHash(hash).image == nil {
            shim_warning("RemoteImageView: the thumb-hash is not the Base64 text of a ThumbHash, and is not shown")
        }
        // A view that Swift code declares keeps its declaration until an address is set.
        isSource = isSource || new.uri != nil || !new.looksLike(old)
        guard isSource else { return }
        // Without a pipeline, the view uses that of its ancestors.
        let pipeline = new.pipeline.pointer == nil ? nil : PipelineObject.pipeline(of: new.pipeline)
        state.show(image(of: new), pipeline: pipeline)
        // A view that is not in a window has no pipeline yet, but shows its placeholder.
        if state.loading.model == nil { state.build() }
        // A visible view loads a new address, even after a cancellation.
        if new.source != old.source { state.loading.appearAgain() }
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
                following(placeholder ?? LoadingIndicator(loading).content, from: nil)
            }
        case .success(let image): Picture(image, contentFit: declaration.pictureFit).content
        case .failure(let error):
            widget(in: declaration.failure) ?? Widget.failure(error) { [weak self] in self?.retry() }
        }
    }

    /// The placeholder of the program, or `nil`.
    private var placeholder: Widget? {
        if let widget = widget(in: declaration.placeholder) { return widget }
        return declaration.placeholderIconName.map { Icon($0).content }
    }

    private func widget(in slot: ObjectSlot) -> Widget? {
        guard let given = Widget(of: slot.pointer) else { return nil }
        let parent = gtk_widget_get_parent(given.pointer)
        guard parent == nil || parent == widget, given.pointer != widget,
            gtk_widget_is_ancestor(widget, given.pointer) == 0, shim_is_a(given.pointer, gtk_root_get_type()) == 0
        else {
            shim_warning(
                "RemoteImageView: a widget for its placeholder or failure has another parent, or is around the view, "
                    + "and is not shown")
            return nil
        }
        return given
    }

    /// Makes content that is replaced when the load has a new preview.
    private func following(_ content: Widget, from shown: LoadedImage?) -> Widget {
        let binding: Widget.Binding = { [weak self] state in
            guard let self, let preview = state.preview, shown?.isSameImage(as: preview) != true else { return }
            self.state.show(self.state.image, pipeline: self.state.pipeline)
        }
        return content.adding(binding)
    }

    // MARK: Phases

    func phaseChanged() {
        guard !isDisposed else { return }
        phaseMayHaveChanged()
    }

    /// Reports the changes since the last call.
    private func phaseMayHaveChanged() {
        let (old, new) = (shown.phase, state.phase)
        shown.phase = new
        let isSame = new.hasSameContent(as: old)
        guard !isSame || new.kind == .loading else { return }
        var names = ["progress"]
        if !isSame {
            texture = nil
            if old.kind != new.kind {
                gtk_widget_remove_css_class(widget, old.kind.styleClass)
                gtk_widget_add_css_class(widget, new.kind.styleClass)
                names.append("phase")
            }
            if old.error != new.error { names.append("error") }
            if new.image != nil || old.image != nil { names += ["texture", "image-width", "image-height"] }
        }
        let end = isSame ? nil : end(of: new)
        // A handler may release the view or run the main loop.
        let view = ObjectReference(UnsafeMutableRawPointer(widget))
        MainLoop.callBack { [weak self] in
            withExtendedLifetime(view) { self?.tell(names, end, in: new.kind) }
        }
    }

    /// The result of a load.
    private enum End {
        case loaded
        case failed(ImageError)
    }

    /// The result of the load in a new phase; `nil` if it continues or was cancelled.
    private func end(of phase: NetworkImagePhase) -> End? {
        switch phase {
        case .empty: told = nil
        case .loading(let loading):
            if let told, loading.preview?.isSameImage(as: told) != true { self.told = nil }
        case .success(let image):
            let isNew = told?.isSameImage(as: image) != true
            told = image
            return isNew ? .loaded : state.loading.model?.refreshError.map { .failed($0) }
        case .failure(let error):
            told = nil
            return .failed(error)
        }
        return nil
    }

    private func tell(_ names: [String], _ end: End?, in kind: NetworkImagePhase.Kind) {
        guard !isDisposed else { return }
        g_object_freeze_notify(widget.object)
        for name in names { g_object_notify(widget.object, name) }
        g_object_thaw_notify(widget.object)
        // A notification handler may have requested another image.
        guard kind == shown.phase.kind else { return }
        switch end {
        case .loaded: shim_emit(widget, ViewSignals.ids.loaded)
        case .failed(let error):
            // The copy stays valid if a handler requests another image.
            guard let error = ImageErrorDomain.makeError(error) else { return }
            shim_emit_error(widget, ViewSignals.ids.failed, error)
            g_error_free(error)
        case nil: break
        }
    }

    /// The texture of the image. The view owns it until its phase changes.
    package var texturePointer: UnsafeMutableRawPointer? {
        if texture == nil, let image = shown.phase.image { texture = TextureStore.texture(of: image.pixels) }
        return texture?.pointer
    }

    /// The full size of the image in pixels; zero without an image.
    package var imageSize: PixelSize { shown.phase.image?.info.size ?? PixelSize(width: 0, height: 0) }

    package func reload() { if !isDisposed { state.model.reload() } }

    package func cancel() { if !isDisposed { state.loading.model?.cancel() } }

    private func retry() { if !isDisposed { state.model.retry() } }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The widget as a `GObject`.
    var object: UnsafeMutablePointer<GObject> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self) }
}

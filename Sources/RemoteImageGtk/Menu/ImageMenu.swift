import CRemoteImageGtk

/// The context menu and the drag source of a view. The menu can open, save and copy the image, and
/// copy its address. The view owns this object.
@MainActor
final class ImageMenu {
    private static let data = ObjectData<ImageMenu>("remote-image-menu")

    // Not owned: the view owns this object.
    private let view: UnsafeMutablePointer<GtkWidget>
    private lazy var menu = ContextMenu(
        on: view, menu: Self.makeMenu(), focusWidget: { [view] in ViewerZoom.around(view)?.window },
        willOpen: { [weak self] in self?.enableActions() })
    private var drag: OpaquePointer?
    private var saveDialog: SaveDialog?
    /// By their names. Each has a reference until ``end()``.
    private var actions: [String: OpaquePointer] = [:]

    static func exists(at view: RemoteImageView) -> Bool { data[view.pointer] != nil }

    static func add(to view: RemoteImageView) {
        guard data[view.pointer] == nil else { return }
        data[view.pointer] = ImageMenu(view)
    }

    /// Adds items of the program to the menu of a view that has one.
    static func set(_ items: @escaping ContextMenu.Items, on view: RemoteImageView) {
        data[view.pointer]?.menu.items = items
    }

    /// Sets a `GMenuModel` that follows the items of the menu; `nil` for none.
    static func setExtra(_ model: UnsafeMutableRawPointer?, on view: RemoteImageView) {
        data[view.pointer]?.menu.setExtra(model)
    }

    /// Also called before the view is disposed, since a popover must not outlive its parent.
    static func remove(from widget: UnsafeMutablePointer<GtkWidget>) {
        data[widget]?.end()
        data[widget] = nil
    }

    private init(_ view: RemoteImageView) {
        self.view = view.pointer
        menu.attach()
        addActions()
        enableActionsOfImage()
        RemoteImageViewState.of(self.view).focus.add(.menu)
        drag = ImageDrag.makeSource(of: self.view) { [weak self] in self?.address }
        EventControllers.add(drag, to: self.view)
    }

    // MARK: The menu

    private static func makeMenu() -> ObjectReference {
        let menu = ObjectReference(owned: UnsafeMutableRawPointer(g_menu_new()))
        let items = [
            (Localization.translated("Open"), "image.open"), (Localization.translated("Save As…"), "image.save"),
            (Localization.translated("Copy Image"), "image.copy"),
            (Localization.translated("Copy Address"), "image.copy-address"),
        ]
        for (label, action) in items { g_menu_append(OpaquePointer(menu.pointer), label, action) }
        return menu
    }

    private func addActions() {
        let group = g_simple_action_group_new()
        let actions: [(String, @MainActor (ImageMenu) -> Void)] = [
            ("open", { $0.open() }), ("save", { $0.save() }), ("copy", { $0.copyImage() }),
            ("copy-address", { $0.copyAddress() }),
        ]
        for (name, body) in actions {
            guard let action = g_simple_action_new(name, nil) else { continue }
            self.actions[name] = action
            EventControllers.connect("activate", action) { [weak self] in
                if let self { body(self) }
            }
            g_action_map_add_action(OpaquePointer(group), action)
        }
        gtk_widget_insert_action_group(view, "image", group.map { OpaquePointer($0) })
        g_object_unref(group)
    }

    /// Call when the phase of a view has changed. Its menu may be open, and its actions may have
    /// buttons in the view.
    static func phaseChanged(of widget: UnsafeMutablePointer<GtkWidget>) { data[widget]?.enableActions() }

    private func enableActions() {
        enableActionsOfImage()
        for action in ["open", "copy-address"] { enable(action, address != nil) }
    }

    private func enableActionsOfImage() {
        enable("save", model?.sourceToSave != nil)
        enable("copy", model?.image != nil)
    }

    private func enable(_ action: String, _ isEnabled: Bool) {
        if let action = actions[action] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
    }

    private func end() {
        menu.end()
        saveDialog?.close()
        saveDialog = nil
        gtk_widget_remove_controller(view, drag)
        RemoteImageViewState.of(view).focus.remove(.menu)
        for action in actions.values { g_object_unref(UnsafeMutableRawPointer(action)) }
        actions = [:]
        gtk_widget_insert_action_group(view, "image", nil)
    }

    // MARK: Actions

    /// `nil` for a view that was never in a window.
    private var model: NetworkImageModel? { RemoteImageViewState.of(view).loading.model }

    /// The address for the user: that of the loaded image, else that of the source.
    private var address: String? {
        let image = model?.image
        if let address = image?.info.address { return address.stringWithoutUserInfo }
        return (image?.source ?? RemoteImageView(of: view)?.source)?.address
    }

    private func open() {
        guard let address else { return }
        let window = gtk_widget_get_root(view).map { UnsafeMutablePointer<GtkWindow>($0) }
        Self.show(address, window)
    }

    /// Asks the desktop to open an address. Tests replace it.
    static var show: @MainActor (_ address: String, _ window: UnsafeMutablePointer<GtkWindow>?) -> Void = {
        shim_show_uri($1, $0)
    }

    private func copyAddress() {
        guard let address else { return }
        gdk_clipboard_set_text(gtk_widget_get_clipboard(view), address)
    }

    private func copyImage() {
        guard let model else { return }
        var providers: [UnsafeMutablePointer<GdkContentProvider>?] = OriginalContent.make(of: model)
        guard !providers.isEmpty else { return }
        // Takes over the references.
        let content = gdk_content_provider_new_union(&providers, gsize(providers.count))
        gdk_clipboard_set_content(gtk_widget_get_clipboard(view), content)
        g_object_unref(content)
    }

    /// Saves the image that is shown now, even if the view shows another one when the user has
    /// chosen a file.
    private func save() {
        // Only one dialog is open at a time.
        guard saveDialog == nil, let model, let source = model.sourceToSave else { return }
        let request = ImageRequest(source, options: model.options)
        let pipeline = model.pipeline
        let window = gtk_widget_get_root(view).map { UnsafeMutablePointer<GtkWindow>($0) }
        // If the largest of several sizes is saved, only its requested address is known.
        let savedAddress = source == (model.image?.source ?? model.source) ? address : source.address
        let name = ImageName.suggested(for: savedAddress, model.image?.info.format)
        // The view may be gone when saving fails, for example after scrolling.
        let asking = window.map { WeakObject(UnsafeMutableRawPointer($0)) }
        saveDialog = SaveDialog(over: window, name: name) { [weak self] file in
            self?.saveDialog = nil
            if let file { Task { await Self.write(request, from: pipeline, to: file, askedIn: asking) } }
        }
    }

    private static func write(
        _ request: ImageRequest, from pipeline: ImagePipeline, to file: ObjectReference, askedIn place: WeakObject?
    ) async {
        do throws(SaveFailure) {
            try await ImageFile.write(request, from: pipeline, to: file)
        } catch {
            error.show(in: place?.strong())
        }
    }
}

extension RemoteImageView {
    /// Whether the view has a context menu, which can open, save and copy the image and copy its
    /// address, and whether the image can be dragged into other programs. In a
    /// ``RemoteImageViewer``, dragging moves an image that is larger than the viewer instead.
    /// Default: `false`.
    public var hasContextMenu: Bool {
        get { ImageMenu.exists(at: self) }
        nonmutating set { shim_set_number(pointer, "context-menu", newValue ? 1 : 0) }
    }
}

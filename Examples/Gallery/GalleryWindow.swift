import CRemoteImageGtk
import RemoteImageGtk

/// The window: the grid, the large view of one image, and, if the gallery uses its own server, the
/// other pages and the panel.
@MainActor
final class GalleryWindow {
    let window: Widget
    private let addresses: [String]
    private let stack = Widget(gtk_stack_new())
    private let backButton = Widget(gtk_button_new_from_icon_name("go-previous-symbolic"))
    private let large = LargeImage()
    private var grid: ImageGrid?
    private var actions: [GSimpleActionName: OpaquePointer] = [:]
    private var position: Int?
    private var panel: Panel?
    private(set) var pages: GalleryPages?

    private enum GSimpleActionName: String, CaseIterable {
        case back, previous, next

        var keys: [String] {
            switch self {
            case .back: ["Escape", "BackSpace"]
            case .previous: ["Left", "Page_Up"]
            case .next: ["Right", "Page_Down"]
            }
        }
    }

    /// - Parameters:
    ///   - context: The context of the other pages; `nil` shows no other pages.
    ///   - size: In points.
    init(
        _ application: UnsafeMutablePointer<GtkApplication>, _ addresses: [String], _ context: GalleryContext?,
        size: (width: Int, height: Int)
    ) {
        self.addresses = addresses
        window = Widget(gtk_application_window_new(application))
        gtk_window_set_default_size(gtkWindow, Int32(size.width), Int32(size.height))
        gtk_window_set_title(gtkWindow, "\(addresses.count) images")
        let header = Widget(gtk_header_bar_new())
        gtk_header_bar_pack_start(header.opaque, backButton.pointer)
        gtk_widget_set_tooltip_text(backButton.pointer, "Back to all images")
        gtk_window_set_titlebar(gtkWindow, header.pointer)

        let grid = ImageGrid(addresses) { [weak self] position in self?.open(position) }
        self.grid = grid
        gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_stack_add_titled(stack.opaque, addresses.isEmpty ? Self.nothing : grid.widget.pointer, "grid", "Grid")
        gtk_stack_add_named(stack.opaque, large.widget.pointer, "large")
        gtk_widget_set_hexpand(stack.pointer, 1)
        if let context { addPages(context) } else { gtk_window_set_child(gtkWindow, stack.pointer) }
        addActions(to: application)
        Signals.connect("clicked", of: backButton.opaque) { [weak self] in self?.close() }
        updateControls()
    }

    /// Shows one image in the large view. An index out of range shows the grid.
    func open(_ position: Int) {
        guard addresses.indices.contains(position) else { return close() }
        self.position = position
        large.show(addresses[position])
        gtk_stack_set_visible_child_name(stack.opaque, "large")
        gtk_window_set_title(gtkWindow, "\(position + 1) of \(addresses.count)")
        updateControls()
    }

    func close() {
        position = nil
        gtk_stack_set_visible_child_name(stack.opaque, "grid")
        gtk_window_set_title(gtkWindow, "\(addresses.count) images")
        large.show(nil)
        updateControls()
    }

    /// Called when the user chooses another page.
    private func leaveLarge(for page: Page) {
        position = nil
        large.show(nil)
        gtk_window_set_title(gtkWindow, page.title)
        updateControls()
    }

    /// Whether all visible images are loaded or have failed.
    var isSettled: Bool {
        if addresses.isEmpty { return true }
        if let pages, pages.visible != nil { return pages.isSettled }
        return position == nil ? grid?.isSettled == true : large.isSettled
    }

    /// Scrolls the grid from end to end and returns a line with the measurements.
    func scrollThrough() async -> String {
        guard let grid else { return "There is nothing to scroll." }
        return await withCheckedContinuation { continuation in
            ScrollTrial(grid, step: 60).run { continuation.resume(returning: $0) }
        }
    }

    private var gtkWindow: UnsafeMutablePointer<GtkWindow> { window.cast(to: GtkWindow.self) }

    private static var nothing: UnsafeMutablePointer<GtkWidget> {
        Column(spacing: 12) {
            Icon("image-missing-symbolic")
            Label("No images.")
        }.align(vertical: .center).content.pointer
    }

    private func addPages(_ context: GalleryContext) {
        window.imagePipeline = context.pipeline
        pages = GalleryPages(in: stack, context) { [weak self] page in
            if let page { self?.leaveLarge(for: page) }
        }
        let sidebar = Widget(gtk_stack_sidebar_new())
        gtk_stack_sidebar_set_stack(sidebar.opaque, stack.opaque)
        let panel = Panel(context, root: window)
        self.panel = panel
        let box = Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
        for child in [sidebar, stack, panel.widget] { gtk_box_append(box.cast(to: GtkBox.self), child.pointer) }
        gtk_window_set_child(gtkWindow, box.pointer)
    }

    private func addActions(to application: UnsafeMutablePointer<GtkApplication>) {
        for name in GSimpleActionName.allCases {
            guard let action = g_simple_action_new(name.rawValue, nil) else { continue }
            Signals.connect("activate", of: action, object: { [weak self] _ in self?.perform(name) })
            g_action_map_add_action(window.opaque, action)
            actions[name] = action
            g_object_unref(UnsafeMutableRawPointer(action))
            var keys = name.keys.map { UnsafePointer(strdup($0)) } + [nil]
            defer { for key in keys { free(UnsafeMutablePointer(mutating: key)) } }
            gtk_application_set_accels_for_action(application, "win.\(name.rawValue)", &keys)
        }
    }

    private func perform(_ action: GSimpleActionName) {
        guard let position else { return }
        switch action {
        case .back: close()
        case .previous: open(max(0, position - 1))
        case .next: open(min(addresses.count - 1, position + 1))
        }
    }

    /// Enables the keys of the large image only while one is open, since the grid uses the same
    /// keys.
    private func updateControls() {
        let isOpen: gboolean = position == nil ? 0 : 1
        for action in actions.values { g_simple_action_set_enabled(action, isOpen) }
        gtk_widget_set_visible(backButton.pointer, isOpen)
    }
}

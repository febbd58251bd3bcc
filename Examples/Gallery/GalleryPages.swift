import CRemoteImageGtk
import RemoteImageGtk

/// The pages of the gallery other than the grid. Each page is created when it is first shown.
@MainActor
final class GalleryPages {
    private let stack: Widget
    private let context: GalleryContext
    private var holders: [String: Widget] = [:]
    private var made: Set<String> = []

    /// - Parameter shown: Called with each shown page; `nil` for the grid and the large view.
    init(in stack: Widget, _ context: GalleryContext, shown: @escaping @MainActor (Page?) -> Void) {
        self.stack = stack
        self.context = context
        for page in Page.all {
            let holder = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            holders[page.name] = holder
            gtk_stack_add_titled(stack.opaque, holder.pointer, page.name, page.title)
        }
        Signals.connect(
            "notify::visible-child", of: stack.opaque,
            object: { [weak self] _ in
                self?.makeVisible()
                shown(self?.visible)
            })
    }

    /// The shown page; `nil` for the grid and the large view.
    var visible: Page? {
        let name = gtk_stack_get_visible_child_name(stack.opaque).map { String(cString: $0) }
        return Page.all.first { $0.name == name }
    }

    func show(_ page: Page) {
        gtk_stack_set_visible_child_name(stack.opaque, page.name)
    }

    /// Whether all loads of the shown page have finished, except the endless ones.
    var isSettled: Bool {
        guard let page = visible, let holder = holders[page.name] else { return true }
        return Self.pendingCount(in: holder.pointer) <= page.endlessCount
    }

    private func makeVisible() {
        guard let page = visible, made.insert(page.name).inserted, let holder = holders[page.name] else { return }
        let content = page.make(context)
        gtk_widget_set_vexpand(content.pointer, 1)
        gtk_box_append(holder.cast(to: GtkBox.self), content.pointer)
    }

    private static func pendingCount(in widget: UnsafeMutablePointer<GtkWidget>) -> Int {
        guard gtk_widget_get_mapped(widget) != 0 else { return 0 }
        var count = isPending(widget) ? 1 : 0
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            count += pendingCount(in: child)
            next = gtk_widget_get_next_sibling(child)
        }
        return count
    }

    private static func isPending(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        if let view = RemoteImageView(of: widget) { return view.model.phase.kind == .loading }
        if PendingImage.isThere(in: widget) { return true }
        let name = String(cString: gtk_widget_get_css_name(widget))
        guard name == "picture" || name == "image" else { return false }
        let pointer = OpaquePointer(widget)
        let paintable = name == "picture" ? gtk_picture_get_paintable(pointer) : gtk_image_get_paintable(pointer)
        // The paintable has no size while it loads.
        return paintable.map { gdk_paintable_get_intrinsic_width($0) == 0 } ?? false
    }
}

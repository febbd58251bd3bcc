import CGtk
import RemoteImageGtk

/// The pages of the gallery beside its grid, each made when it is first shown.
@MainActor
final class GalleryPages {
    private let stack: Widget
    private let context: GalleryContext
    private var holders: [String: Widget] = [:]
    private var made: Set<String> = []

    /// - Parameter shown: Called with each page that is shown, nil for what is not one of them.
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

    /// The page that is shown; nil for the grid and a picture in large.
    var visible: Page? {
        let name = gtk_stack_get_visible_child_name(stack.opaque).map { String(cString: $0) }
        return Page.all.first { $0.name == name }
    }

    func show(_ page: Page) {
        gtk_stack_set_visible_child_name(stack.opaque, page.name)
    }

    /// Whether every view of the page that is shown has its picture, or none.
    var isSettled: Bool {
        guard let page = visible, let holder = holders[page.name] else { return true }
        let views = Self.views(in: holder.pointer)
        return views.allSatisfy { view in
            gtk_widget_get_mapped(view.pointer) == 0 || view.model.phase.kind != .loading
        }
    }

    private func makeVisible() {
        guard let page = visible, made.insert(page.name).inserted, let holder = holders[page.name] else { return }
        let content = page.make(context)
        gtk_widget_set_vexpand(content.pointer, 1)
        gtk_box_append(holder.cast(to: GtkBox.self), content.pointer)
    }

    private static func views(in widget: UnsafeMutablePointer<GtkWidget>) -> [RemoteImageView] {
        var views = [RemoteImageView(of: widget)].compactMap(\.self)
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            views += Self.views(in: child)
            next = gtk_widget_get_next_sibling(child)
        }
        return views
    }
}

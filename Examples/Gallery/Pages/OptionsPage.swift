import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let options = Page(name: "options", title: "Inherited options") { context in
        @MainActor func view(_ number: Int) -> (String, Widget) {
            (
                "Image \(number)",
                RemoteImageView(NetworkImage(context.address(.image(number)))).content
            )
        }
        let page = PageLayout.page(
            "Views inherit the options of the widgets around them. The switches set options on the page, not on its views.",
            (50..<56).map(view))
        @MainActor func toggle(
            _ name: String, _ change: @escaping @MainActor (inout ImageOptions, Bool) -> Void
        ) -> Widget {
            Controls.toggle(name, isOn: false) { isOn in
                var options = page.imageOptions ?? ImageOptions()
                change(&options, isOn)
                page.imageOptions = options
            }
        }
        let switches = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 6))
        gtk_widget_add_css_class(switches.pointer, "page")
        for child in [
            toggle("Grey") { $0.processors = $1 ? [.grayscale] : [] },
            toggle("Circles") { $0.processors = $1 ? [.circle()] : [] },
            toggle("At most 40 pixels") { $0.maxPixelSize = $1 ? 40 : nil },
        ] { gtk_box_append(switches.cast(to: GtkBox.self), child.pointer) }
        let column = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        gtk_widget_set_vexpand(page.pointer, 1)
        for child in [page, switches] { gtk_box_append(column.cast(to: GtkBox.self), child.pointer) }
        return column
    }
}

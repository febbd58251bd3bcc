import CRemoteImageGtk
import RemoteImageGtk

extension GtkFixture {
    /// A new widget in a window. It must be released when the test ends.
    @discardableResult
    func shown(_ declaration: some WidgetDeclaration) -> Widget {
        let widget = watch(declaration.content, "the widget")
        show(widget.pointer)
        return widget
    }

    /// A new widget in a window, whose views load over the fake network.
    @discardableResult
    func shownOverNetwork(_ declaration: some WidgetDeclaration) -> Widget {
        shown(declaration.imagePipeline(pipeline))
    }

    func focus(in widget: Widget) -> UnsafeMutablePointer<GtkWidget>? {
        gtk_root_get_focus(gtk_widget_get_root(widget.pointer))
    }
}

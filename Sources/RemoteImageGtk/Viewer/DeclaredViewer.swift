import CRemoteImageGtk

/// The declaration of a viewer, and the widget that is made for it when it is first requested.
@MainActor
final class DeclaredViewer {
    private let image: NetworkImage<Widget>
    private let pipeline: ImagePipeline?
    /// The widget that shows this declaration.
    private var shown: WeakObject?
    private var requested: Widget?

    init(_ image: NetworkImage<Widget>, pipeline: ImagePipeline?) {
        (self.image, self.pipeline) = (image, pipeline)
    }

    /// The widget that shows this declaration, which is made if there is none.
    var widget: Widget {
        if let requested { return requested }
        let widget = shown?.strong().flatMap { Widget(of: $0.pointer) } ?? WidgetNode.makeWidget(body)
        requested = widget
        return widget
    }

    var body: DeclaredWidget {
        if let requested { return requested.body }
        return DeclaredWidget("RemoteImageViewer") {
            let window = Widget(gtk_scrolled_window_new())
            gtk_widget_set_hexpand(window.pointer, 1)
            gtk_widget_set_vexpand(window.pointer, 1)
            let zoom = ViewerZoom(RemoteImageView(NetworkImage(nil)), in: window)
            ViewerZoom.data[window.pointer] = zoom
            ViewerInput.connect(zoom, to: window)
            return window
        }
        .setting { [self] node in
            shown = WeakObject(node.pointer)
            ViewerZoom.data[node.pointer]?.show(image, pipeline: pipeline)
        }
    }
}

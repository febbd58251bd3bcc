import CRemoteImageGtk

/// The declaration of a viewer, and the widget that is made for it when it is first requested.
@MainActor
final class DeclaredViewer {
    private let image: NetworkImage<Widget>
    private let pipeline: ImagePipeline?
    /// The widget that shows this declaration.
    private var shown: WeakObject?
    /// The widget once the program has requested it, which is then the only one.
    private var requested: Widget?

    init(_ image: NetworkImage<Widget>, _ pipeline: ImagePipeline?) {
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
        DeclaredWidget("RemoteImageViewer") { [self] in
            if let requested { return requested }
            let window = Widget(gtk_scrolled_window_new())
            let zoom = ViewerZoom(RemoteImageView(NetworkImage<Widget>(nil)), in: window)
            ViewerZoom.data[window.pointer] = zoom
            ViewerInput.connect(zoom, to: window)
            return window
        }
        .setting { [self] node in
            // The program may have changed the image of a viewer that it keeps.
            guard shown?.strong()?.pointer != UnsafeMutableRawPointer(node.pointer) else { return }
            shown = WeakObject(node.pointer)
            guard let zoom = ViewerZoom.data[node.pointer], let view = zoom.view else { return }
            if view.source != image.source { zoom.set(nil, around: nil) }
            view.state.show(image, pipeline: pipeline)
        }
    }
}

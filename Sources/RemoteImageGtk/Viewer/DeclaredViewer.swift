import CRemoteImageGtk

/// The declaration of a ``RemoteImageViewer``, and its widget once the program has requested it.
@MainActor
final class DeclaredViewer {
    let image: NetworkImage<Widget>
    let pipeline: ImagePipeline?
    private let zoom: Binding<Double?>?
    private var requested: Widget?

    init(_ image: NetworkImage<Widget>, _ pipeline: ImagePipeline?, zoom: Binding<Double?>? = nil) {
        (self.image, self.pipeline, self.zoom) = (image, pipeline, zoom)
    }

    /// The widget, which is made if there is none.
    var widget: Widget {
        if let requested { return requested }
        let widget = WidgetNode.makeWidget(declaration)
        requested = widget
        return widget
    }

    var body: DeclaredWidget {
        if let requested { return requested.body }
        return declaration
    }

    private var declaration: DeclaredWidget {
        let declared = DeclaredWidget("RemoteImageViewer") { [image, pipeline] in
            let window = Widget(gtk_scrolled_window_new())
            let zoom = ViewerZoom(RemoteImageView(image, pipeline: pipeline), in: window)
            ViewerZoom.data[window.pointer] = zoom
            ViewerInput.connect(zoom, to: window)
            return window
        }
        .setting { [image, pipeline] node in ViewerZoom.data[node.pointer]?.show(image, pipeline) }
        guard let zoom else { return declared }
        return declared.setting { node in
            ViewerZoom.data[node.pointer]?.zoomFollower = { zoom.change(to: $0) }
        }
        .observing({ zoom.value }) { node, factor in
            ViewerZoom.data[node.pointer]?.set(factor, around: nil)
        }
    }
}

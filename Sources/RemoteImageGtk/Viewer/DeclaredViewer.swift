import CRemoteImageGtk

/// The declaration of a viewer, and the widget that is made for it when it is first requested.
@MainActor
final class DeclaredViewer {
    struct Values {
        var image: NetworkImage
        var fit = RemoteImageViewer.Fit.whole
        var maxZoom = 8.0
        var zoom: Binding<Double?>?
    }

    let values: Values
    /// The widget that shows this declaration.
    private var shown: WeakObject?
    /// The widget once the program has requested it, which is then the only one.
    private var requested: Widget?

    init(_ values: Values) {
        self.values = values
    }

    /// The widget that shows this declaration, which is made if there is none.
    var widget: Widget {
        if let requested { return requested }
        let widget = shown?.strong().flatMap { Widget(of: $0.pointer) } ?? WidgetNode.makeWidget(body)
        requested = widget
        return widget
    }

    var body: DeclaredWidget {
        let zoom = values.zoom
        // Other modifiers of the image get a new view, since those of the old one cannot be undone.
        let declared = DeclaredWidget("RemoteImageViewer(\(values.image.body.key.kind))") { [self] in
            if let requested { return requested }
            return ViewerZoom.makeWindow(RemoteImageView(NetworkImage(nil)))
        }
        .setting { [self] node in
            // The program may have changed the image of a viewer that it keeps.
            guard let state = ViewerZoom.data[node.pointer], state.declared !== self else { return }
            state.declared = self
            shown = WeakObject(node.pointer)
            // A zoom factor that the program sets together with a new image or another maximum
            // applies to them.
            let isSet = zoom.map { $0.wrappedValue != state.zoom } ?? false
            state.zoomFollower = nil
            (state.fit, state.maxZoom) = (values.fit, values.maxZoom)
            state.show(values.image, keepsZoom: isSet)
            guard let zoom else { return }
            if !isSet { zoom.change(to: state.zoom) }
            state.zoomFollower = { zoom.change(to: $0) }
        }
        guard let zoom else { return declared }
        return declared.observing({ zoom.wrappedValue }) { node, factor in
            guard let state = ViewerZoom.data[node.pointer] else { return }
            state.set(factor, around: nil)
            // The factor may be out of range.
            zoom.change(to: state.zoom)
        }
    }
}

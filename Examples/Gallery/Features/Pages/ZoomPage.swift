import RemoteImageGtk

struct ZoomPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        Column(spacing: 12) {
            RemoteImageViewer(features.server.address(.map)).zoom(Binding(features, \.zoom)).expand()
            Row(spacing: 6) {
                Button("Fit") { features.zoom = nil }
                // Left to right in every language, since the bare numbers would be reordered.
                Button("\u{200E}1 : 1\u{200E}") { features.zoom = 1 }
                Button("\u{200E}4 : 1\u{200E}") { features.zoom = 4 }
            }
            .align(horizontal: .center)
            Label("Zoom with a pinch, Ctrl and the wheel, + and −, or a double click. Drag to move.")
                .cssClass("dim-label")
        }
        .padding(18)
    }
}

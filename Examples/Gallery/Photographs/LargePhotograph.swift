import RemoteImageGtk

/// One photograph with zoom, and the steps to its neighbours.
struct LargePhotograph: WidgetDeclaration {
    let model: GalleryModel
    private let viewer = WidgetReference()

    init(_ model: GalleryModel) {
        self.model = model
    }

    var body: DeclaredWidget {
        Column {
            if let photograph = model.opened {
                Row(spacing: 6) {
                    Button(icon: "go-previous-symbolic", label: "Back to all photographs") { model.close() }
                    Label(photograph.title).lineLimit(1).textAlignment(0).cssClass("heading")
                        .expand(vertical: false)
                    Button(icon: "go-up-symbolic", label: "Previous photograph") { model.step(-1) }
                        .enabled(model.neighbour(-1) != nil)
                    Button(icon: "go-down-symbolic", label: "Next photograph") { model.step(1) }
                        .enabled(model.neighbour(1) != nil)
                }
                .padding(horizontal: 12, vertical: 6)
                RemoteImageViewer(photograph.address)
                    .zoom(Binding(model, \.zoom))
                    .accessibleLabel(photograph.title)
                    .reference(viewer)
                    .onAppear { viewer.focus() }
                Label(caption(of: photograph)).lineLimit(1).cssClass("dim-label").padding(6)
            }
        }
        .onShortcut("Escape|BackSpace") { model.close() }
        .onShortcut("Left|Page_Up", whileFocused: true) { model.step(-1) }
        .onShortcut("Right|Page_Down", whileFocused: true) { model.step(1) }
    }

    private func caption(of photograph: Photograph) -> String {
        let found = model.found
        let position = "\((found.firstIndex(of: photograph) ?? 0) + 1) of \(found.count)"
        return photograph.photographer.isEmpty ? position : "\(photograph.photographer) · \(position)"
    }
}

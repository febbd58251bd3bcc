import CRemoteImageGtk

/// The declaration of a view, and the widget that is made for it when it is first requested.
@MainActor
final class DeclaredView {
    struct Values {
        var image: NetworkImage<Widget>
        var pipeline: ImagePipeline?
        /// How the standard content looks; `nil` if closures declare the content.
        var appearance: StandardAppearance?
        var modifiers: [(name: String, setting: DeclaredWidget.Setting)] = []

        /// The image with its content.
        @MainActor var declaredImage: NetworkImage<Widget> { appearance?.image(image) ?? image }
    }

    let values: Values
    /// The widget that shows this declaration.
    private var shown: WeakObject?
    private var requested: Widget?

    init(_ values: Values) {
        self.values = values
    }

    /// Whether the program has requested the widget, which is then the only one of the declaration.
    var isRequested: Bool { requested != nil }

    /// The widget that shows this declaration, which is made if there is none.
    var widget: Widget {
        if let requested { return requested }
        let widget = shown?.strong().flatMap { Widget(of: $0.pointer) } ?? WidgetNode.makeWidget(body)
        requested = widget
        return widget
    }

    var body: DeclaredWidget {
        let image = values.declaredImage
        let declared = DeclaredWidget("RemoteImageView") { [self] in requested ?? Widget(RemoteImageViewState.make()) }
            .setting { [self] node in
                // The program may have changed the image of a view that it keeps.
                guard node.declaredView !== self else { return }
                node.declaredView = self
                shown = WeakObject(node.pointer)
                RemoteImageViewState.of(node.pointer).show(
                    image, pipeline: values.pipeline, contentIdentity: values.appearance.map { AnyHashable($0) })
            }
            .showing(values)
        return values.modifiers.reduce(declared) { $0.modifier($1.name, $1.setting) }
    }
}

/// How a view without content closures shows its image.
@MainActor
struct StandardAppearance: Hashable {
    var contentFit = ContentFit.contain
    var cornerRadius = 0.0

    func image(_ declared: NetworkImage<Widget>) -> NetworkImage<Widget> {
        let isContained = contentFit == .contain || contentFit == .scaleDown
        return NetworkImage(
            source: declared.source, scale: declared.scale, options: declared.options,
            targetFit: isContained ? .contain : .cover
        ) { phase, retry in
            switch phase {
            case .empty: Widget.empty()
            case .loading(let state):
                LoadingIndicator(state, contentFit: contentFit, cornerRadius: cornerRadius).content
            case .success(let image): Picture(image, contentFit: contentFit).cornerRadius(cornerRadius).content
            case .failure(let error): Widget.failure(error, retry: retry)
            }
        }
    }
}

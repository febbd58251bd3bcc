import CRemoteImageGtk

/// The declaration of a view, and the widget that is made for it when it is first requested.
@MainActor
final class DeclaredView {
    struct Values {
        var image: NetworkImage<Widget>
        var pipeline: ImagePipeline?
        /// How the standard content looks; `nil` if closures declare the content.
        var appearance: StandardAppearance?
        var settings: [DeclaredWidget.Setting] = []
    }

    let values: Values
    private(set) var isMade = false

    init(_ values: Values) {
        self.values = values
    }

    private(set) lazy var widget: Widget = {
        isMade = true
        return WidgetNode.makeWidget(body)
    }()

    var body: DeclaredWidget {
        let image = values.appearance?.image(values.image) ?? values.image
        let declared = DeclaredWidget("RemoteImageView") { Widget(RemoteImageViewState.make()) }
            .setting { [values] node in RemoteImageViewState.of(node.pointer).show(image, pipeline: values.pipeline) }
        return values.settings.reduce(declared) { $0.setting($1) }
    }
}

/// How a view without content closures shows its image.
@MainActor
struct StandardAppearance {
    var contentFit = Picture.ContentFit.contain
    var cornerRadius = 0.0

    func image(_ declared: NetworkImage<Widget>) -> NetworkImage<Widget> {
        let isContained = contentFit == .contain || contentFit == .scaleDown
        return NetworkImage(
            source: declared.source, scale: declared.scale, options: declared.options,
            targetFit: isContained ? .contain : .cover
        ) { phase, retry in
            switch phase {
            case .empty: Widget.empty()
            case .loading(let state): LoadingIndicator(state, contentFit: contentFit).content
            case .success(let image): Picture(image, contentFit: contentFit).cornerRadius(cornerRadius).content
            case .failure(let error): Widget.failure(error, retry: retry)
            }
        }
    }
}

import CRemoteImageGtk

/// The declaration of a remote image, which is a declared widget as ``Label`` is.
///
/// ```swift
/// NetworkImage("https://example.org/cat.jpg") { image in
///     Picture(image).cornerRadius(12)
/// } placeholder: {
///     Spinner()
/// }
/// .frame(width: 320, height: 240)
/// ```
///
/// Its widget is a ``RemoteImageView``. An image that is declared again keeps its widget, with what
/// the widget shows. The standard content of the phases without closures is a ``LoadingIndicator``
/// while the image loads, a ``Picture``, and the error with a button that retries, in a small view
/// as an icon.
public typealias NetworkImage = RemoteImageCore.NetworkImage<Widget>

extension NetworkImage: WidgetDeclaration {
    public var body: DeclaredWidget {
        let view = DeclaredWidget("RemoteImageView") { Widget(RemoteImageViewState.make()) }.standing(for: self)
        // The modifiers come first: a cached image calls their handlers.
        return modifiers.reduce(view) { $1($0) }.setting { RemoteImageViewState.of($0.pointer).show(self) }
    }

    public func modified(_ change: @escaping @MainActor (DeclaredWidget) -> DeclaredWidget) -> NetworkImage {
        var copy = self
        copy.modifiers.append(change)
        return copy
    }
}

/// How an image without content closures looks.
@MainActor
struct StandardAppearance: Hashable {
    var contentFit = ContentFit.contain
    var cornerRadius = 0.0

    /// The appearance of an image; `nil` if closures declare its content.
    init?(of image: NetworkImage) {
        switch image.contentIdentity {
        case .standard: break
        case .values(let values):
            guard let appearance = values.base as? StandardAppearance else { return nil }
            self = appearance
        case .closures: return nil
        }
    }

    func content(for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void) -> Widget {
        switch phase {
        case .loading(let state): LoadingIndicator(state, contentFit: contentFit, cornerRadius: cornerRadius).content
        case .success(let image): Picture(image, contentFit: contentFit).cornerRadius(cornerRadius).content
        case .empty, .failure: .standard(for: phase, retry: retry)
        }
    }
}

extension NetworkImage {
    /// Changes the standard content. An image with content closures stays as it is.
    func styled(_ change: (inout StandardAppearance) -> Void) -> NetworkImage {
        guard var appearance = StandardAppearance(of: self) else { return self }
        change(&appearance)
        let isContained = appearance.contentFit == .contain || appearance.contentFit == .scaleDown
        var copy = self
        copy.show(appearance, targetFit: isContained ? .contain : .cover, build: appearance.content)
        return copy
    }
}

// The default content of phases that a declaration omits.

import CRemoteImageGtk

extension Widget: NetworkImageContent {
    /// Empty content.
    public static func empty() -> Widget {
        Widget(EmptyContent())
    }

    /// A preview if there is one; after a delay, a spinner or a progress bar.
    public static func loading(_ state: LoadingState) -> Widget {
        LoadingIndicator(state).content
    }

    /// An icon, the error message, and a retry button.
    public static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Widget {
        DeclaredWidget.alert(spacing: 6) {
            Icon("image-missing-symbolic")
            Label(error.localizedMessage).lineLimit(3)
            Button(Localization.translated("Try again"), action: retry)
        }
        .align(vertical: .center).content
    }

    public static func image(_ image: LoadedImage) -> Widget {
        Picture(image).content
    }

    /// A column of the parts, centred vertically.
    public static func group(_ parts: [Widget]) -> Widget {
        Column(spacing: 6) { for part in parts { part } }.align(vertical: .center).content
    }
}

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
        Box.alert(
            spacing: 6,
            [
                Icon("image-missing-symbolic").content, Label(error.localizedMessage).lineLimit(3).content,
                Button(Localization.translated("Try again"), action: retry).content,
            ]
        ).content
    }

    public static func image(_ image: LoadedImage) -> Widget {
        Picture(image).content
    }

    /// A vertical box of the parts.
    public static func group(_ parts: [Widget]) -> Widget {
        Box(spacing: 6, parts).content
    }
}

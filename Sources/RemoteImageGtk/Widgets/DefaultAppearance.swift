// What is shown where a declaration leaves a phase out.

import CGtk

extension Widget: NetworkImageContent {
    /// An empty place.
    public static func empty() -> Widget {
        Widget(EmptyContent())
    }

    /// A preview, or after a while a spinner or a bar.
    public static func loading(_ state: LoadingState) -> Widget {
        LoadingIndicator(state).content
    }

    /// An icon, the sentence of the error, and a button to try again.
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

    /// One below the other.
    public static func group(_ parts: [Widget]) -> Widget {
        Box(spacing: 6, parts).content
    }
}

// The default content of phases that a declaration omits.

import CRemoteImageGtk

extension Widget: NetworkImageContent {
    /// Declares a widget with its modifiers.
    public typealias Declaration = DeclaredWidget

    /// Empty content.
    public static func empty() -> Widget {
        Widget(PictureContent())
    }

    /// A preview if there is one; after a delay, a spinner or a progress bar.
    public static func loading(_ state: LoadingState) -> Widget {
        LoadingIndicator(state).content
    }

    /// An icon, the error message, and a retry button; in a small view a retry button with an icon,
    /// or the icon alone, with the message as the tooltip.
    public static func failure(_ error: ImageError, retry: @escaping @MainActor () -> Void) -> Widget {
        let (message, title) = (error.localizedDescription, Localization.translated("Try again"))
        return DeclaredWidget.alertThatFits {
            Column(spacing: 6) {
                Icon("image-missing-symbolic")
                Label(message).lineLimit(3)
                Button(title, action: retry)
            }
            .align(vertical: .center)
            Button(icon: "view-refresh-symbolic", label: title, action: retry)
                .tooltip(message).align(horizontal: .center, vertical: .center)
            Icon("image-missing-symbolic").tooltip(message).align(horizontal: .center, vertical: .center)
        }
        .content
    }

    public static func image(_ image: LoadedImage) -> Widget {
        Picture(image).content
    }

    /// A column of the parts, centered vertically.
    public static func group(_ parts: [Widget]) -> Widget {
        Column(spacing: 6) { for part in parts { part } }.align(vertical: .center).content
    }
}

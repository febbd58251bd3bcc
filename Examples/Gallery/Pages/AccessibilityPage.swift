import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let accessibility = Page(name: "accessibility", title: "Accessibility", endlessCount: 1) { context in
        @MainActor func view(_ address: String, text: String?) -> Widget {
            let view = RemoteImageView(NetworkImage(address))
            view.alternativeText = text
            view.isDecorative = text == nil
            return view.content
        }
        return PageLayout.page(
            "Each caption says how a screen reader presents the view above it.",
            [
                ("“The number 80, image”", view(context.address(.image(80)), text: "The number 80")),
                ("Nothing: a decorative image", view(context.address(.image(81)), text: nil)),
                ("“The number 82, image, busy”", view(context.address(.endless(82)), text: "The number 82")),
                ("The error and a button", view(context.address(.missing), text: "The number 83")),
            ])
    }
}

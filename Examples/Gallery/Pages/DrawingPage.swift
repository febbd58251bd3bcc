import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let drawing = Page(name: "drawing", title: "Drawing") { context in
        @MainActor func view(
            _ number: Int, scale: Double = 1, _ image: @escaping @MainActor (LoadedImage) -> Picture
        ) -> Widget {
            RemoteImageView(NetworkImage(context.address(.image(number)), scale: scale) { image($0) }).content
        }
        return PageLayout.page(
            "How an image is scaled and placed in its view. It is decoded at the size at which it is drawn.",
            [
                ("contain", view(5) { Picture($0) }),
                ("cover", view(5) { Picture($0, contentFit: .cover) }),
                ("fill", view(5) { Picture($0, contentFit: .fill) }),
                (
                    "scaleDown, small image",
                    RemoteImageView(
                        NetworkImage(context.address(.small(6))) { Picture($0, contentFit: .scaleDown) }
                    ).content
                ),
                ("position(x: 0, y: 0.5)", view(1) { Picture($0).position(x: 0, y: 0.5) }),
                ("position(x: 1, y: 0.5)", view(1) { Picture($0).position(x: 1, y: 0.5) }),
                ("cover, position(x: 0.5, y: 0)", view(1) { Picture($0, contentFit: .cover).position(x: 0.5, y: 0) }),
                ("cornerRadius(24)", view(7) { Picture($0, contentFit: .cover).cornerRadius(24) }),
                ("transparent image", view(11) { Picture($0) }),
                ("cropped to a circle", processed(context.address(.image(8)), [.circle()])),
                ("blurred", processed(context.address(.image(8)), [.gaussianBlur(sigma: 8)])),
                ("grey", processed(context.address(.image(8)), [.grayscale])),
            ])
    }

    private static func processed(_ address: String, _ processors: [any ImageProcessor]) -> Widget {
        var options = ImageOptions()
        options.processors = processors
        return RemoteImageView(NetworkImage(address, options: options) { Picture($0) }).content
    }
}

import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let phases = Page(name: "phases", title: "Phases", endlessCount: 3) { context in
        var hashed = ImageOptions()
        hashed.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        let kept = RemoteImageView(NetworkImage(context.address(.image(12))) { Picture($0, contentFit: .cover) })
        return PageLayout.page(
            "The phases of a view. A spinner appears after a short delay, and a progress bar if the length is known and "
                + "there is enough space. A failure shows the error and a button that tries again.",
            [
                ("No source", RemoteImageView(NetworkImage(nil as String?)).content),
                ("Loading", RemoteImageView(NetworkImage(context.address(.endless(3)))).content),
                (
                    "Preview from a BlurHash",
                    RemoteImageView(
                        NetworkImage(context.address(.endless(4)), options: hashed) { Picture($0) }
                    ).content
                ),
                (
                    "Custom placeholder",
                    RemoteImageView(
                        NetworkImage(context.address(.endless(5))) {
                            Picture($0)
                        } placeholder: {
                            Icon("image-x-generic-symbolic")
                        }
                    ).content
                ),
                (
                    "Image",
                    RemoteImageView(
                        NetworkImage(context.address(.image(6))) { Picture($0, contentFit: .cover) }
                    ).content
                ),
                ("Failure", RemoteImageView(NetworkImage(context.address(.missing))).content),
                (
                    "Custom failure",
                    RemoteImageView(
                        NetworkImage(context.address(.missing)) {
                            Picture($0)
                        } placeholder: {
                            Spinner()
                        } failure: { error, retry in
                            Icon("face-sad-symbolic")
                            Label(error.localizedMessage).lineLimit(2)
                            Button("Retry", action: retry)
                        }
                    ).content
                ),
                ("Kept if a refresh fails", kept.content),
            ],
            below: [Button("Refresh the last image") { kept.model.reload() }.content])
    }
}

import CGtk
import RemoteImageGtk

extension Page {
    static let phases = Page(name: "phases", title: "Phases", endlessCount: 3) { context in
        var hashed = ImageOptions()
        hashed.previewHash = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        let kept = RemoteImageView(NetworkImage(context.address(.image(12))) { Picture($0, contentFit: .cover) })
        return PageLayout.page(
            "What a view shows on the way to its image. A spinner comes only after a moment, a bar where the length is "
                + "known and there is room; a failure says what happened and can be tried again.",
            [
                ("Nothing yet", RemoteImageView(NetworkImage(nil as String?)).content),
                ("Loading", RemoteImageView(NetworkImage(context.address(.endless(3)))).content),
                (
                    "A preview of 28 characters",
                    RemoteImageView(
                        NetworkImage(context.address(.endless(4)), options: hashed) { Picture($0) }
                    ).content
                ),
                (
                    "A placeholder of one's own",
                    RemoteImageView(
                        NetworkImage(context.address(.endless(5))) {
                            Picture($0)
                        } placeholder: {
                            Icon("image-x-generic-symbolic")
                        }
                    ).content
                ),
                (
                    "An image",
                    RemoteImageView(
                        NetworkImage(context.address(.image(6))) { Picture($0, contentFit: .cover) }
                    ).content
                ),
                ("A failure", RemoteImageView(NetworkImage(context.address(.missing))).content),
                (
                    "A failure of one's own",
                    RemoteImageView(
                        NetworkImage(context.address(.missing)) {
                            Picture($0)
                        } placeholder: {
                            Spinner()
                        } failure: { error, retry in
                            Icon("face-sad-symbolic")
                            Label(error.localizedMessage).lineLimit(2)
                            Button("Once more", action: retry)
                        }
                    ).content
                ),
                ("Kept when a refresh fails", kept.content),
            ],
            below: [Button("Refresh the last one") { kept.model.reload() }.content])
    }
}

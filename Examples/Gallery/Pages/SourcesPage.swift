import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let sources = Page(name: "sources", title: "Sources") { context in
        @MainActor func view(_ source: ImageSource) -> Widget {
            RemoteImageView(NetworkImage(source) { Picture($0) }).content
        }
        let regular = context.address(.image(61))
        let candidates = [
            SourceCandidate(context.address(.small(62)), size: PixelSize(width: 150, height: 100)),
            SourceCandidate(context.address(.image(62)), size: PixelSize(width: 1600, height: 1200)),
        ]
        return PageLayout.page(
            "The kinds of sources that a view can load from.",
            [
                ("Address", view(ImageSource(regular))),
                (
                    "Adaptive: small image on metered networks",
                    view(
                        .adaptive(regular: regular, lowData: context.address(.small(61))))
                ),
                ("Candidates in several sizes", view(.candidates(candidates))),
                (
                    "Fallback for a missing image",
                    view(
                        .fallbacks([ImageSource(context.address(.missing)), ImageSource(context.address(.image(63)))])
                    )
                ),
                (
                    "Address resolved by a closure",
                    view(
                        .resolving(identity: "gallery-64") { [address = context.address(.image(64))] in
                            ImageSource(address)
                        })
                ),
                ("data: address", view(ImageSource(dataAddress))),
                ("Invalid address", view("not an address")),
            ])
    }

    /// A GIF with two pixels.
    private static let dataAddress =
        "data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAA/ywAAAAAAgABAAACAkQKADs="
}

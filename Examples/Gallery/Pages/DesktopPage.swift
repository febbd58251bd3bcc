import CGtk
import RemoteImageGtk

extension Page {
    static let desktop = Page(name: "desktop", title: "Desktop") { context in
        PageLayout.page(
            "What the desktop says holds for images: on a metered network adaptive sources take the smaller address and "
                + "nothing is prefetched, what failed for want of network is tried again when that returns, and caches "
                + "shrink when memory runs short. Try the switches beside this page.",
            (70..<76).map { number in
                (
                    "Adaptive \(number)",
                    RemoteImageView(
                        NetworkImage(
                            ImageSource.adaptive(
                                regular: context.address(.image(number)), lowData: context.address(.small(number)))
                        ) { Picture($0) }
                    ).content
                )
            })
    }
}

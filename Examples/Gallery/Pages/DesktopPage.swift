import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let desktop = Page(name: "desktop", title: "Desktop") { context in
        PageLayout.page(
            "Loading follows the state of the desktop. On a metered network, adaptive sources use the smaller image and "
                + "prefetching stops. Loads that failed without a network are retried when it returns. Memory caches "
                + "shrink when memory is low. Use the switches of the panel to simulate these states.",
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

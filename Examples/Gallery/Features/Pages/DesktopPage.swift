import RemoteImageGtk

struct DesktopPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells(
            "Loading follows the state of the desktop. On a metered network, adaptive sources use the smaller image and "
                + "prefetching stops. Loads that failed without a network are retried when it returns. Memory caches "
                + "shrink when memory is low. Use the switches of the panel to simulate these states."
        ) {
            for number in 70..<76 {
                FeatureCell("Adaptive \(number)") {
                    NetworkImage(
                        .adaptive(
                            regular: server.address(.image(number)), lowData: server.address(.small(number)))
                    )
                    .expand()
                }
            }
        }
    }
}

import RemoteImageGtk

struct SourcesPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        let regular = server.address(.image(61))
        FeatureCells("Some of the sources that a view can load from.") {
            cell("Address", ImageSource(regular))
            cell(
                "Adaptive to the network",
                .adaptive(regular: regular, lowData: server.address(.small(61))))
            cell(
                "Candidates in several sizes",
                .candidates([
                    SourceCandidate(server.address(.small(62)), size: PixelSize(width: 150, height: 100)),
                    SourceCandidate(server.address(.image(62)), size: PixelSize(width: 1600, height: 1200)),
                ]))
            cell(
                "Fallback for a missing image",
                .fallbacks([server.address(.missing), server.address(.image(63))]))
            cell(
                "Address resolved by a closure",
                .resolving(identity: "gallery-64") { [address = server.address(.image(64))] in ImageSource(address) })
            // A GIF with two pixels.
            cell("data: address", "data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAA/ywAAAAAAgABAAACAkQKADs=")
            cell("Invalid address", "not an address")
        }
    }

    private func cell(_ name: String, _ source: ImageSource) -> FeatureCell {
        FeatureCell(name) { NetworkImage(source).expand() }
    }
}

import RemoteImageGtk

/// A list of 10,000 images.
struct LongListPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        ImageList((0..<10_000).map { server.address(.image($0)) }, id: \.self) { address in
            RemoteImageView(address).contentFit(.cover).frame(height: 160)
        }
    }
}

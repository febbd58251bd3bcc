import RemoteImageGtk

/// A list of 10,000 images.
struct LongListPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        ImageList(Array(0..<10_000), id: \.self) { number in
            NetworkImage(server.address(.image(number)))
                .contentFit(.cover)
                .accessibleLabel("Image \(number)")
                .frame(height: 160)
        }
    }
}

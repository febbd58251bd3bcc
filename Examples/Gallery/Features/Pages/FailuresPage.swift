import GalleryServer
import RemoteImageGtk

/// A grid in which some images are slow and some fail.
struct FailuresPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        ImageGrid(Array(1...600), id: \.self, columns: 2...20) { number in
            NetworkImage(server.address(.exhibit(number))) { image in
                Picture(image, contentFit: .cover)
            } placeholder: {
                Spinner()
            } failure: { error, retry in
                Column(spacing: 4) {
                    Icon("image-missing-symbolic")
                    Label(error.localizedDescription).lineLimit(3)
                    Button("Try again", action: retry)
                }
                .align(vertical: .center)
            }
            .accessibleLabel("Image \(number)")
            .frame(width: 150, height: 138)
            .cssClass("tile").clipped()
        }
        .cssClass("photographs")
    }
}

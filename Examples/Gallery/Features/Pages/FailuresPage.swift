import GalleryServer
import RemoteImageGtk

/// A grid in which some images are slow and some fail.
struct FailuresPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        ImageGrid((1...600).map { server.address(.exhibit($0)) }, id: \.self, columns: 2...20) { address in
            RemoteImageView(address) { image in
                Picture(image, contentFit: .cover)
            } placeholder: {
                Spinner()
            } failure: { error, retry in
                Column(spacing: 4) {
                    Icon("image-missing-symbolic")
                    Label(error.localizedMessage).lineLimit(3)
                    Button("Try again", action: retry)
                }
                .align(vertical: .center)
            }
            .frame(width: 150, height: 138)
            .cssClass("tile").clipped()
        }
        .cssClass("photographs")
    }
}

import RemoteImageGtk

struct PhasesPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        FeatureCells(
            "The phases of a view. A spinner appears after a short delay, and a progress bar if the length is known and "
                + "there is enough space. A failure shows the error and a button that tries again."
        ) {
            FeatureCell("No source") { NetworkImage(nil).expand() }
            FeatureCell("Loading") { NetworkImage(features.server.address(.endless(3))).expand() }
            FeatureCell("Preview from a BlurHash") {
                NetworkImage(features.server.address(.endless(4)), options: ImageOptions(previewHash: blurHash))
                    .expand()
            }
            FeatureCell("Custom placeholder") {
                NetworkImage(features.server.address(.endless(5))) { image in
                    Picture(image)
                } placeholder: {
                    Icon("image-x-generic-symbolic")
                }
                .expand()
            }
            FeatureCell("Image") { NetworkImage(features.server.address(.image(6))).contentFit(.cover).expand() }
            FeatureCell("Failure") { NetworkImage(features.server.address(.missing)).expand() }
            FeatureCell("Custom failure") {
                NetworkImage(features.server.address(.missing)) { image in
                    Picture(image)
                } placeholder: {
                    Spinner()
                } failure: { error, retry in
                    Icon("face-sad-symbolic")
                    Label(error.localizedDescription).lineLimit(2)
                    Button("Try again", action: retry)
                }
                .expand()
            }
            FeatureCell("Kept if a refresh fails") { features.refreshed.content.expand() }
        } footer: {
            Button("Refresh the last image") { features.refreshed.model.reload() }.align(horizontal: .start)
        }
    }

    private let blurHash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
}

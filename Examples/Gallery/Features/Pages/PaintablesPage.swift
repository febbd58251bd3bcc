import RemoteImageGtk

struct PaintablesPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        let server = features.server
        FeatureCells("Remote images in place of icons, and behind other widgets.") {
            FeatureCell("Icon, 96 points") {
                Icon("avatar-default-symbolic", size: 96, image: server.address(.portrait(4))).expand()
            }
            FeatureCell("Icon, loading") {
                Icon("content-loading-symbolic", size: 96, image: server.address(.endless(16))).expand()
            }
            FeatureCell("Icon, failed") {
                Icon("image-missing-symbolic", size: 96, image: server.address(.missing)).expand()
            }
            FeatureCell("Icon of a button") {
                Button {
                } content: {
                    Icon("mail-send-symbolic", size: 64, image: server.address(.portrait(5)))
                }
                .accessibleLabel("Send")
                .align(vertical: .center).expand()
            }
            FeatureCell("Background") {
                Overlay {
                    features.background.picture(contentFit: .cover)
                } overlays: {
                    Label("A label over an image").cssClass("over").align(vertical: .end)
                }
                .expand()
            }
        }
    }
}

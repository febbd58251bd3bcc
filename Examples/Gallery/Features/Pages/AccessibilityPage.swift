import RemoteImageGtk

struct AccessibilityPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells("Each caption says how a screen reader presents the view above it.") {
            FeatureCell("“The number 80, image”") {
                RemoteImageView(server.address(.image(80))).alternativeText("The number 80").expand()
            }
            FeatureCell("Nothing: a decorative image") {
                RemoteImageView(server.address(.image(81))).decorative().expand()
            }
            FeatureCell("“The number 82, image, busy”") {
                RemoteImageView(server.address(.endless(82))).alternativeText("The number 82").expand()
            }
            FeatureCell("The error and a button") {
                RemoteImageView(server.address(.missing)).alternativeText("The number 83").expand()
            }
        }
    }
}

import RemoteImageGtk

struct AccessibilityPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells("Each caption says how a screen reader presents the view above it.") {
            FeatureCell("“The number 80, image”") {
                NetworkImage(server.address(.image(80))).accessibleLabel("The number 80").expand()
            }
            FeatureCell("Nothing: a decorative image") {
                NetworkImage(server.address(.image(81))).decorative().expand()
            }
            FeatureCell("“The number 82, image, busy”") {
                NetworkImage(server.address(.endless(82))).accessibleLabel("The number 82").expand()
            }
            FeatureCell("The error and a button") {
                NetworkImage(server.address(.missing)).accessibleLabel("The number 83").expand()
            }
        }
    }
}

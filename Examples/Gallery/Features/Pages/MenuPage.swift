import RemoteImageGtk

struct MenuPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells(
            "Right-click an image or press the menu key to open it, save the original file, copy it or copy its address. "
                + "Images can be dragged into other programs."
        ) {
            for number in 40..<43 {
                FeatureCell("Image \(number)") {
                    NetworkImage(server.address(.image(number))).contentFit(.cover).contextMenu().expand()
                }
            }
        }
    }
}

import RemoteImageGtk

struct AnimationsPage: WidgetDeclaration {
    let server: RunningServer

    var body: DeclaredWidget {
        FeatureCells(
            "Animations are decoded frame by frame and follow the frame clock. They pause while they are scrolled out of "
                + "sight or their window is hidden, and while the desktop disables animations or saves power."
        ) {
            for number in 0..<7 {
                FeatureCell("Playing") { NetworkImage(server.address(.moving(number))).expand() }
            }
            FeatureCell("playsAnimation: false") {
                NetworkImage(server.address(.moving(7)), options: ImageOptions(playsAnimation: false)).expand()
            }
        }
    }
}

import RemoteImageGtk

struct TransitionsPage: WidgetDeclaration {
    let features: FeatureState

    var body: DeclaredWidget {
        FeatureCells(
            "The transition to a new image. By default, cached images appear without a transition. There are no "
                + "transitions while the desktop disables animations or saves power."
        ) {
            cell("None", 0, .none)
            cell("Cross-fade", 1, .crossFade)
            cell("Slow cross-fade", 2, .crossFade(.seconds(2)))
            cell("Also for cached images", 3, .crossFade(.seconds(1), appliesToMemoryHits: true))
            cell("Drawn by a closure", 4, .crossFade(.seconds(1)), wipe)
        } footer: {
            Button("Show other images") { features.firstTransition = features.firstTransition == 20 ? 30 : 20 }
                .align(horizontal: .start)
        }
    }

    private func cell(
        _ name: String, _ index: Int, _ transition: ImageTransition, _ effect: TransitionEffect? = nil
    ) -> FeatureCell {
        var options = ImageOptions(transition: transition)
        options.transitionEffect = effect
        return FeatureCell(name) {
            NetworkImage(features.server.address(.image(features.firstTransition + index)), options: options)
                .contentFit(.cover).expand()
        }
    }

    private let wipe = TransitionEffect { frame in
        frame.drawOld()
        frame.drawNew(clippedTo: frame.width * frame.progress)
    }
}

import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let transitions = Page(name: "transitions", title: "Transitions") { context in
        let wipe = TransitionEffect { frame in
            frame.drawOld()
            frame.drawNew(clippedTo: frame.width * frame.progress)
        }
        let transitions: [(String, ImageTransition, TransitionEffect?)] = [
            ("None", .none, nil), ("Cross-fade", .crossFade, nil), ("Slow cross-fade", .crossFade(.seconds(2)), nil),
            ("Also for cached images", ImageTransition(.crossFade(.seconds(1)), appliesToMemoryHits: true), nil),
            ("Drawn by a closure", .crossFade(.seconds(1)), wipe),
        ]
        let views = transitions.enumerated().map { index, transition in
            var options = ImageOptions()
            options.transition = transition.1
            options.transitionEffect = transition.2
            return (
                transition.0,
                RemoteImageView(
                    NetworkImage(context.address(.image(20 + index)), options: options) {
                        Picture($0, contentFit: .cover)
                    })
            )
        }
        let again = Button("Show other images") {
            for (index, view) in views.enumerated() {
                let isFirst = view.1.source?.identity.hasSuffix("/image/\(20 + index)") == true
                view.1.source = ImageSource(context.address(.image((isFirst ? 30 : 20) + index)))
            }
        }
        return PageLayout.page(
            "The transition to a new image. By default, cached images appear without a transition. There are no "
                + "transitions while the desktop disables animations or saves power.",
            views.map { ($0.0, $0.1.content) }, below: [again.content])
    }
}

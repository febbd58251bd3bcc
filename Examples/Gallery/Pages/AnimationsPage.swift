import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let animations = Page(name: "animations", title: "Animations") { context in
        var still = ImageOptions()
        still.playsAnimation = false
        return PageLayout.page(
            "Animations are decoded frame by frame and follow the frame clock. They pause while they are scrolled out of "
                + "sight or their window is hidden, and while the desktop disables animations or saves power.",
            (0..<7).map { number in
                ("Playing", RemoteImageView(NetworkImage(context.address(.moving(number))) { Picture($0) }).content)
            } + [
                (
                    "playsAnimation = false",
                    RemoteImageView(
                        NetworkImage(context.address(.moving(7)), options: still) { Picture($0) }
                    ).content
                )
            ])
    }
}

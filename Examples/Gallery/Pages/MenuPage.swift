import CGtk
import RemoteImageGtk

extension Page {
    static let menu = Page(name: "menu", title: "Context menu") { context in
        PageLayout.page(
            "The second button of the mouse, or the menu key: open, save as it came, copy, copy the address. Images can "
                + "be dragged into other programs.",
            (0..<3).map { number in
                let view = RemoteImageView(
                    NetworkImage(context.address(.image(40 + number))) { Picture($0, contentFit: .cover) })
                view.hasContextMenu = true
                return ("Image \(40 + number)", view.content)
            })
    }
}

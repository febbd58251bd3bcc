import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let menu = Page(name: "menu", title: "Context menu") { context in
        PageLayout.page(
            "Right-click an image or press the menu key to open it, save the original file, copy it or copy its address. "
                + "Images can be dragged into other programs.",
            (0..<3).map { number in
                let view = RemoteImageView(
                    NetworkImage(context.address(.image(40 + number))) { Picture($0, contentFit: .cover) })
                view.hasContextMenu = true
                return ("Image \(40 + number)", view.content)
            })
    }
}

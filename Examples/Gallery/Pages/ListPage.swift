import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let list = Page(name: "list", title: "List") { context in
        let addresses = (0..<10_000).map { context.address(.image($0)) }
        let rows = ImageListFactory(items: addresses, source: \.self) {
            NetworkImage(nil as String?) { Picture($0, contentFit: .cover) }
        }
        rows.itemSize = (240, 160)
        let list = Widget(gtk_list_view_new(gtk_no_selection_new(rows.model), rows.factory))
        let window = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(window.opaque, list.pointer)
        gtk_widget_set_vexpand(window.pointer, 1)
        prefetcher = ScrollPrefetcher(of: window.opaque, count: addresses.count, pipeline: context.pipeline) { row in
            ImageRequest(addresses[row], target: .longestSide(960))
        }
        return window
    }

    /// Follows the scroll position as long as the program runs.
    private static var prefetcher: ScrollPrefetcher?
}

import CRemoteImageGtk
import RemoteImageGtk

/// A `GtkGridView` of images. Its rows are recycled while it scrolls: each row keeps its view and
/// gets another source.
@MainActor
final class ImageGrid {
    let widget: Widget
    private let addresses: [String]
    /// The bound views and their rows.
    private var rows: [UnsafeMutablePointer<GtkWidget>: Int] = [:]

    init(_ addresses: [String], activated: @escaping @MainActor (Int) -> Void) {
        self.addresses = addresses
        let factory = gtk_signal_list_item_factory_new()
        let selection = gtk_single_selection_new(Self.model(of: addresses))
        gtk_single_selection_set_autoselect(selection, 0)
        let grid = Widget(gtk_grid_view_new(selection, factory))
        gtk_grid_view_set_min_columns(grid.opaque, 2)
        gtk_grid_view_set_max_columns(grid.opaque, 12)
        gtk_grid_view_set_single_click_activate(grid.opaque, 1)
        let scrolled = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_child(scrolled.opaque, grid.pointer)
        widget = scrolled

        guard let factory else { return }
        Signals.connect("setup", of: factory, object: { [weak self] item in self?.setUp(item) })
        Signals.connect("bind", of: factory, object: { [weak self] item in self?.bind(item) })
        Signals.connect("unbind", of: factory, object: { [weak self] item in self?.unbind(item) })
        Signals.connect("activate", of: grid.opaque, number: activated)
    }

    /// Whether all visible images are loaded or have failed.
    var isSettled: Bool {
        let visible = rows.keys.filter { gtk_widget_get_mapped($0) != 0 }.compactMap { RemoteImageView(of: $0) }
        return !visible.isEmpty
            && visible.allSatisfy { $0.model.phase.kind == .success || $0.model.phase.kind == .failure }
    }

    /// Scrolls by a distance in points. Returns `false` at the end.
    func scroll(by distance: Double) -> Bool {
        let adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
        let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        let position = gtk_adjustment_get_value(adjustment)
        guard position < end else { return false }
        gtk_adjustment_set_value(adjustment, min(end, position + distance))
        return true
    }

    /// The number of shown images, and how many of them belong to another row.
    func countImages() -> (shown: Int, wrong: Int) {
        let shown = rows.filter { RemoteImageView(of: $0.key)?.model.phase.kind == .success }
        let wrong = shown.filter { tile, position in
            RemoteImageView(of: tile)?.model.image?.info.address?.string != addresses[position]
        }
        return (shown.count, wrong.count)
    }

    private static func model(of addresses: [String]) -> OpaquePointer? {
        let list = gtk_string_list_new(nil)
        for address in addresses { gtk_string_list_append(list, address) }
        return list
    }

    private func setUp(_ item: OpaquePointer?) {
        gtk_list_item_set_child(item, Tile.make().pointer)
    }

    private func bind(_ item: OpaquePointer?) {
        let position = Int(gtk_list_item_get_position(item))
        guard addresses.indices.contains(position), let tile = gtk_list_item_get_child(item) else { return }
        rows[tile] = position
        RemoteImageView(of: tile)?.source = ImageSource(addresses[position])
    }

    private func unbind(_ item: OpaquePointer?) {
        guard let tile = gtk_list_item_get_child(item) else { return }
        rows[tile] = nil
        RemoteImageView(of: tile)?.source = nil
    }
}

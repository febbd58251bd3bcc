import CRemoteImageGtk
import RemoteImageGtk

/// A grid of views that are reused for other rows, as in programs.
@MainActor
final class TestGrid {
    let widget: Widget
    private let adjustment: UnsafeMutablePointer<GtkAdjustment>?
    private let makeView: @MainActor () -> RemoteImageView
    private let source: @MainActor (Int) -> ImageSource
    /// The current row of each view.
    private(set) var rows: [UnsafeMutablePointer<GtkWidget>: Int] = [:]

    init(
        count: Int, makeView: @escaping @MainActor () -> RemoteImageView,
        source: @escaping @MainActor (Int) -> ImageSource
    ) {
        self.makeView = makeView
        self.source = source
        let names = gtk_string_list_new(nil)
        for row in 0..<count { gtk_string_list_append(names, String(row)) }
        let factory = gtk_signal_list_item_factory_new()
        widget = Widget(gtk_scrolled_window_new())
        let grid = gtk_grid_view_new(gtk_no_selection_new(names), factory)
        gtk_scrolled_window_set_child(widget.opaque, grid)
        adjustment = gtk_scrolled_window_get_vadjustment(widget.opaque)
        connect("setup", of: factory) { grid, item in gtk_list_item_set_child(item, grid.makeView().pointer) }
        connect("bind", of: factory) { grid, item in grid.bind(item) }
        connect("unbind", of: factory) { grid, item in grid.unbind(item) }
    }

    var maxPosition: Double { gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment) }

    func scroll(to position: Double) {
        gtk_adjustment_set_value(adjustment, position)
    }

    private func bind(_ item: OpaquePointer?) {
        guard let child = gtk_list_item_get_child(item) else { return }
        let row = Int(gtk_list_item_get_position(item))
        rows[child] = row
        RemoteImageView(of: child)?.source = source(row)
    }

    private func unbind(_ item: OpaquePointer?) {
        guard let child = gtk_list_item_get_child(item) else { return }
        rows[child] = nil
    }

    private final class Handler {
        weak var grid: TestGrid?
        let body: @MainActor (TestGrid, OpaquePointer?) -> Void

        init(_ grid: TestGrid, _ body: @escaping @MainActor (TestGrid, OpaquePointer?) -> Void) {
            self.grid = grid
            self.body = body
        }
    }

    private func connect(
        _ signal: String, of factory: OpaquePointer?, _ body: @escaping @MainActor (TestGrid, OpaquePointer?) -> Void
    ) {
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, item, data in
            guard let data else { return }
            nonisolated(unsafe) let item = item.map { OpaquePointer($0) }
            let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated {
                if let grid = handler.grid { handler.body(grid, item) }
            }
        }
        g_signal_connect_data(
            factory.map { UnsafeMutableRawPointer($0) }, signal, unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passRetained(Handler(self, body)).toOpaque(),
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }
}

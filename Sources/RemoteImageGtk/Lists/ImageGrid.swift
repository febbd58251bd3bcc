import CRemoteImageGtk

/// A scrolled `GtkGridView`: cells of equal width for the items of an array.
///
/// ```swift
/// ImageGrid(
///     model.photos, id: \.address, columns: 2...20, selection: Binding(model, \.selected)
/// ) { photo in
///     Column(spacing: 6) {
///         NetworkImage(photo.address).contentFit(.cover).frame(width: 160, height: 120)
///         Label(photo.title).lineLimit(1)
///     }
/// } onActivate: { photo in
///     model.shown = photo
/// }
/// ```
///
/// Only cells near the visible ones have widgets, which are recycled for other items. A change of
/// the items inserts and removes cells by identity, and keeps the selection, the focus and the
/// scroll position. The cell of a kept item runs its closure again if the grid was declared again,
/// or if the item is another object, or a value that is not equal or not `Equatable`. When an
/// observable value that a cell has read changes, only that cell is updated.
///
/// Images are loaded when their cells become visible. Those of the next page in the direction of
/// scrolling are prefetched while the grid is shown.
public struct ImageGrid: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - items: The items. It is evaluated again when an observable value that it reads has
    ///     changed.
    ///   - id: The identity of an item. Items with equal identities are told apart by their order.
    ///   - columns: The minimum and the maximum number of columns; as many as fit are shown. A
    ///     larger maximum makes GTK keep widgets for more cells: 30 lines of that many columns.
    ///     Default: 1 to 7.
    ///   - selection: The identity of the selected item; the list scrolls to an item that the
    ///     program selects, and its focus moves there. A click selects an item, and a click with
    ///     the Control key deselects it. The identity of a removed item stays until another one is
    ///     selected. Default: `nil`, no selection.
    ///   - prefetch: Returns the request to prefetch for an item ahead of the scroll position, or
    ///     `nil` for none. Default: `nil`, the images of the views in the cells ahead.
    ///   - content: Declares the cell of an item; several widgets are put in a column.
    ///   - onActivate: Called when an item is activated: with the Return key or a double click, or
    ///     with a single click if there is no selection. Default: `nil`.
    public init<Item, ID: Hashable>(
        _ items: @autoclosure @escaping @MainActor () -> [Item], id: KeyPath<Item, ID>,
        columns: ClosedRange<Int> = 1...7, selection: Binding<ID?>? = nil,
        prefetch: (@MainActor (Item) -> ImageRequest?)? = nil,
        @WidgetBuilder content: @escaping @MainActor (Item) -> [DeclaredWidget],
        onActivate: (@MainActor (Item) -> Void)? = nil
    ) {
        body = .list(
            "GtkGridView", items,
            .init(id: id, selection: selection, prefetch: prefetch, content: content, onActivate: onActivate)
        ) { model, factory in
            gtk_grid_view_new(model, factory)
        }
        .setting { node in
            guard let view = gtk_scrolled_window_get_child(node.opaque) else { return }
            ViewStyle.add(to: gtk_widget_get_display(view))
            gtk_widget_add_css_class(view, ViewStyle.gridClass)
            gtk_grid_view_set_min_columns(OpaquePointer(view), guint(clamping: max(1, columns.lowerBound)))
            gtk_grid_view_set_max_columns(OpaquePointer(view), guint(clamping: max(1, columns.upperBound)))
        }
    }

    /// Makes a grid of `Identifiable` items. The parameters are those of
    /// ``init(_:id:columns:selection:prefetch:content:onActivate:)``.
    public init<Item: Identifiable>(
        _ items: @autoclosure @escaping @MainActor () -> [Item], columns: ClosedRange<Int> = 1...7,
        selection: Binding<Item.ID?>? = nil,
        prefetch: (@MainActor (Item) -> ImageRequest?)? = nil,
        @WidgetBuilder content: @escaping @MainActor (Item) -> [DeclaredWidget],
        onActivate: (@MainActor (Item) -> Void)? = nil
    ) {
        self.init(
            items(), id: \.id, columns: columns, selection: selection, prefetch: prefetch, content: content,
            onActivate: onActivate)
    }
}

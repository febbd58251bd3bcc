import CRemoteImageGtk

/// A scrolled `GtkListView`: rows, one below the other, for the items of an array.
///
/// ```swift
/// ImageList(model.posts) { post in
///     Row(spacing: 12) {
///         NetworkImage(post.avatar).frame(width: 48, height: 48)
///         Label(post.text)
///     }
/// }
/// ```
///
/// Rows behave as the cells of an ``ImageGrid``: they are recycled, updated individually, and
/// inserted and removed by the identity of their items.
public struct ImageList: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - items: The items. It is evaluated again when an observable value that it reads has
    ///     changed.
    ///   - id: The identity of an item. Items with equal identities are told apart by their order.
    ///   - selection: The identity of the selected item; the list scrolls to an item that the
    ///     program selects, and its focus moves there. A click selects an item, and a click with
    ///     the Control key deselects it. The identity of a removed item stays until another one is
    ///     selected. Default: `nil`, no selection.
    ///   - prefetch: Returns the request to prefetch for an item ahead of the scroll position, or
    ///     `nil` for none. Default: `nil`, the images of the views in the rows ahead.
    ///   - content: Declares the row of an item; several widgets are put in a column.
    ///   - onActivate: Called when an item is activated: with the Return key or a double click, or
    ///     with a single click if there is no selection. Default: `nil`.
    public init<Item, ID: Hashable>(
        _ items: @autoclosure @escaping @MainActor () -> [Item], id: KeyPath<Item, ID>,
        selection: Binding<ID?>? = nil, prefetch: (@MainActor (Item) -> ImageRequest?)? = nil,
        @WidgetBuilder content: @escaping @MainActor (Item) -> [DeclaredWidget],
        onActivate: (@MainActor (Item) -> Void)? = nil
    ) {
        body = .list(
            "GtkListView", items,
            .init(id: id, selection: selection, prefetch: prefetch, content: content, onActivate: onActivate)
        ) { model, factory in
            gtk_list_view_new(model, factory)
        }
    }

    /// Makes a list of `Identifiable` items. The parameters are those of
    /// ``init(_:id:selection:prefetch:content:onActivate:)``.
    public init<Item: Identifiable>(
        _ items: @autoclosure @escaping @MainActor () -> [Item], selection: Binding<Item.ID?>? = nil,
        prefetch: (@MainActor (Item) -> ImageRequest?)? = nil,
        @WidgetBuilder content: @escaping @MainActor (Item) -> [DeclaredWidget],
        onActivate: (@MainActor (Item) -> Void)? = nil
    ) {
        self.init(
            items(), id: \.id, selection: selection, prefetch: prefetch, content: content, onActivate: onActivate)
    }
}

// A factory for the rows of lists and grids.

import CRemoteImageGtk

/// Makes the rows of a `GtkListView` or a `GtkGridView`. Each row has one view, which is recycled
/// for other rows and takes its source from the item of the row.
///
/// ```swift
/// let rows = ImageListFactory(items: photos, source: \.address) {
///     NetworkImage(nil) { Picture($0, contentFit: .cover) }
/// }
/// rows.itemSize = (160, 120)
/// let grid = gtk_grid_view_new(gtk_no_selection_new(rows.model), rows.factory)
/// ```
///
/// The list keeps the factory and the model: this object may be discarded.
@MainActor
public final class ImageListFactory<Item> {
    /// Returns the image source of an item.
    typealias Source = @MainActor (Item) -> ImageSource?

    private let rows: ListRows<Item, AnyHashable>
    private let size: RowSize
    private let source: Source
    private let factoryReference: ObjectReference

    /// A new reference to the factory, which `gtk_list_view_new` and `gtk_grid_view_new` take over.
    public var factory: OpaquePointer { OpaquePointer(g_object_ref(factoryReference.pointer)) }

    /// A new reference to a `GListModel` with one object for each item, which a selection model
    /// takes over.
    public var model: OpaquePointer { OpaquePointer(g_object_ref(rows.store.pointer)) }

    /// The minimum size of the view in each new row, in points: set it before the list is made.
    /// Default: `nil`, the size of the content.
    public var itemSize: (width: Int, height: Int)? {
        get { size.value }
        set { size.value = newValue }
    }

    /// The items of the list. A change keeps the rows of unchanged items, and with them the
    /// selection, as far as the order of the items allows; visible rows change at once.
    ///
    /// Items are compared by `id` if they are `Identifiable`, by value if they are `Hashable`, by
    /// identity if they are objects, else by their image source.
    public var items: [Item] {
        get { rows.newestItems }
        set { rows.replaceItems(with: newValue) }
    }

    /// - Parameters:
    ///   - items: The items of the list.
    ///   - source: The image of an item.
    ///   - pipeline: Default: `nil`, the pipeline of the nearest ancestor that has one, else
    ///     `ImagePipeline.shared`.
    ///   - image: Declares the view of a row; called once for each view, not for each row.
    public init(
        items: [Item], source: @escaping @MainActor (Item) -> ImageSource?, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage
    ) {
        let size = RowSize()
        rows = ListRows(
            key: { RowMatching.key(of: $0, source: source) }, keepsHiddenRows: true,
            actions: .init { row in
                let view = RemoteImageView(image(), pipeline: pipeline)
                if let (width, height) = size.value {
                    gtk_widget_set_size_request(view.pointer, Int32(clamping: width), Int32(clamping: height))
                }
                gtk_list_item_set_child(row, view.pointer)
            } show: { item, _, row in
                RemoteImageView(of: gtk_list_item_get_child(row))?.source = source(item)
            } clear: { row in
                // An unbound row shows and loads no image.
                RemoteImageView(of: gtk_list_item_get_child(row))?.source = nil
            })
        (self.size, self.source) = (size, source)
        factoryReference = rows.makeFactory()
        rows.replaceItems(with: items)
    }

    /// Makes a factory whose image source is a property of the items.
    public convenience init(
        items: [Item], source: KeyPath<Item, some ImageSourceConvertible>, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage
    ) {
        self.init(items: items, source: { $0[keyPath: source].imageSource }, pipeline: pipeline, image: image)
    }

    /// The source of a row; `nil` if the row does not exist or has no source.
    public func source(ofRow row: Int) -> ImageSource? {
        rows.items.indices.contains(row) ? source(rows.items[row]) : nil
    }

    /// The size of new views. The factory may outlive the `ImageListFactory`.
    @MainActor
    private final class RowSize {
        var value: (width: Int, height: Int)?
    }
}

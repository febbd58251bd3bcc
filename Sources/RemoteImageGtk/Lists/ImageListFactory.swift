// A factory for the rows of lists and grids.

import CRemoteImageGtk

/// Makes the rows of a `GtkListView` or a `GtkGridView`. Each row has one view, which is recycled
/// for other rows and takes its source from the item of the row.
///
/// ```swift
/// let rows = ImageListFactory(items: photos, source: \.address) {
///     NetworkImage(nil as String?) { Picture($0, contentFit: .cover) }
/// }
/// rows.itemSize = (160, 120)
/// let grid = gtk_grid_view_new(gtk_no_selection_new(rows.model), rows.factory)
/// ```
///
/// The list keeps the factory and the model: this object may be discarded.
@MainActor
public final class ImageListFactory<Item> {
    /// Makes the view of a row. Its source is set whenever the row is bound to an item.
    public typealias MakeView = @MainActor () -> RemoteImageView
    /// Returns the image source of an item.
    typealias Source = @MainActor (Item) -> ImageSource?

    private let state: State
    private let factoryReference: ObjectReference
    private let modelReference: ObjectReference

    /// A new reference to the factory, which `gtk_list_view_new` and `gtk_grid_view_new` take over.
    public var factory: OpaquePointer { OpaquePointer(g_object_ref(factoryReference.pointer)) }

    /// A new reference to a `GListModel` with one object for each item, which a selection model
    /// takes over.
    public var model: OpaquePointer { OpaquePointer(g_object_ref(modelReference.pointer)) }

    /// The minimum size of the view in each row, in points. Default: `nil`, the size of the
    /// content.
    public var itemSize: (width: Int, height: Int)? {
        get { state.itemSize }
        set { state.itemSize = newValue }
    }

    /// The items of the list. A change keeps the rows of unchanged items, and with them the
    /// selection, as far as the order of the items allows; visible rows change at once.
    ///
    /// Items are compared by `id` if they are `Identifiable`, by value if they are `Hashable`, by
    /// identity if they are objects, else by their image source.
    public var items: [Item] {
        get { state.newestItems }
        set { state.replaceItems(with: newValue, in: OpaquePointer(modelReference.pointer)) }
    }

    /// - Parameters:
    ///   - items: The items of the list.
    ///   - source: The image of an item.
    ///   - pipeline: Default: `nil`, the pipeline of the nearest ancestor that has one, else
    ///     `ImagePipeline.shared`.
    ///   - image: Declares the view of a row; called once for each view, not for each row.
    public init(
        items: [Item], source: @escaping @MainActor (Item) -> ImageSource?, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage<Widget>
    ) {
        state = State(source) { RemoteImageView(image(), pipeline: pipeline) }
        factoryReference = ObjectReference(owned: UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
        modelReference = ObjectReference(owned: UnsafeMutableRawPointer(g_list_store_new(g_object_get_type())))
        state.replaceItems(with: items, in: OpaquePointer(modelReference.pointer))
        Signal.connect(row: "setup", of: factoryReference) { [state] in state.setUp($0) }
        Signal.connect(row: "bind", of: factoryReference) { [state] in state.bind($0) }
        Signal.connect(row: "unbind", of: factoryReference) { [state] in state.unbind($0) }
        Signal.connect(row: "teardown", of: factoryReference) { [state] in state.tearDown($0) }
    }

    /// Makes a factory whose image source is a property of the items.
    public convenience init(
        items: [Item], source: KeyPath<Item, some ImageSourceConvertible>, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage<Widget>
    ) {
        self.init(items: items, source: { $0[keyPath: source].imageSource }, pipeline: pipeline, image: image)
    }

    /// The source of a row; `nil` if the row does not exist or has no source.
    public func source(ofRow row: Int) -> ImageSource? { state.source(ofRow: row) }

    /// The state that the signal handlers of the factory need. The handlers may outlive the
    /// `ImageListFactory`.
    @MainActor
    private final class State {
        private(set) var items: [Item] = []
        private var keys: [AnyHashable] = []
        /// The rows that are bound to an item.
        private var bound: Set<OpaquePointer> = []
        /// Rows that were unbound while items are replaced. GTK also unbinds a row to bind it again
        /// to its own item, whose load continues.
        private var unbound: Set<OpaquePointer> = []
        /// Whether the positions in the list do not match those of the items yet.
        private var isReplacing = false
        /// Whether ``replaceItems(with:in:)`` is running. Handlers that it triggers may set items,
        /// too.
        private var isUpdating = false
        /// The items that were set last, until they are in the list.
        private var pendingItems: [Item]?
        var newestItems: [Item] { pendingItems ?? items }
        var itemSize: (width: Int, height: Int)?
        private let makeView: MakeView
        private let source: Source

        init(_ source: @escaping Source, _ makeView: @escaping MakeView) {
            (self.source, self.makeView) = (source, makeView)
        }

        func replaceItems(with new: [Item], in store: OpaquePointer) {
            pendingItems = new
            guard !isUpdating else { return }
            isUpdating = true
            while let next = pendingItems {
                pendingItems = nil
                update(store, to: next)
            }
            isUpdating = false
        }

        /// Changes a `GListStore` only where the items differ.
        private func update(_ store: OpaquePointer, to new: [Item]) {
            let newKeys = new.map { RowMatching.key(of: $0, source: source) }
            let kept = RowMatching.keptRows(from: keys, to: newKeys)
            let oldCount = keys.count
            (items, keys) = (new, newKeys)
            isReplacing = true
            // From the end, so that rows before a change keep their positions.
            var (next, oldEnd) = (new.count, oldCount)
            for position in (-1..<new.count).reversed() {
                let row = position < 0 ? -1 : kept[position]
                guard let row else { continue }
                splice(store, at: row + 1, removing: oldEnd - row - 1, adding: next - position - 1)
                (next, oldEnd) = (position, row)
            }
            isReplacing = false
            // Updates rows that were bound during the changes, and kept items whose image has
            // changed. Their loads start in the order of the list. A handler may remove a row
            // during this loop.
            let rows = bound.sorted { gtk_list_item_get_position($0) < gtk_list_item_get_position($1) }
            for row in rows where bound.contains(row) { showSource(in: row) }
            while let row = unbound.popFirst() { clear(row) }
        }

        private func splice(_ store: OpaquePointer, at position: Int, removing removed: Int, adding added: Int) {
            guard removed > 0 || added > 0 else { return }
            // The objects are placeholders: items are looked up by position.
            var objects: [gpointer?] = (0..<added).map { _ in
                UnsafeMutableRawPointer(shim_object_new(g_object_get_type()))
            }
            g_list_store_splice(store, guint(position), guint(removed), &objects, guint(added))
            for object in objects { if let object { g_object_unref(object) } }
        }

        func source(ofRow row: Int) -> ImageSource? {
            items.indices.contains(row) ? source(items[row]) : nil
        }

        func setUp(_ row: OpaquePointer) {
            let view = makeView()
            if let itemSize {
                gtk_widget_set_size_request(
                    view.pointer, Int32(clamping: itemSize.width), Int32(clamping: itemSize.height))
            }
            gtk_list_item_set_child(row, view.pointer)
        }

        func bind(_ row: OpaquePointer) {
            bound.insert(row)
            unbound.remove(row)
            if !isReplacing { showSource(in: row) }
        }

        private func showSource(in row: OpaquePointer) {
            RemoteImageView(of: gtk_list_item_get_child(row))?.source =
                source(ofRow: Int(gtk_list_item_get_position(row)))
        }

        func unbind(_ row: OpaquePointer) {
            bound.remove(row)
            if isReplacing { unbound.insert(row) } else { clear(row) }
        }

        func tearDown(_ row: OpaquePointer) {
            unbound.remove(row)
            clear(row)
        }

        private func clear(_ row: OpaquePointer) {
            // An unbound row shows and loads no image.
            RemoteImageView(of: gtk_list_item_get_child(row))?.source = nil
        }
    }
}

// Rows of lists and grids, made of declarations.

import CGtk

/// Makes the rows of a `GtkListView` or a `GtkGridView`: one view each, used again for other rows, whose source is
/// taken from the row's item.
///
/// ```swift
/// let rows = ImageListFactory(items: photos, source: \.address) { address in
///     NetworkImage(address) { Picture($0, contentFit: .cover) }
/// }
/// rows.itemSize = (160, 120)
/// let grid = gtk_grid_view_new(gtk_no_selection_new(rows.model), rows.factory)
/// ```
///
/// The factory belongs to the list: this object may be thrown away.
@MainActor
public final class ImageListFactory<Item> {
    /// Makes the view of a row; the source is set for each row that it stands for.
    public typealias MakeView = @MainActor () -> RemoteImageView
    /// Finds the view among what a row contains.
    typealias Source = @MainActor (Item) -> ImageSource?

    private let state: State
    private let factoryReference: ObjectReference
    private let modelReference: ObjectReference

    /// For `gtk_list_view_new` and `gtk_grid_view_new`, which take a reference of their own with `g_object_ref`.
    public var factory: OpaquePointer { OpaquePointer(g_object_ref(factoryReference.pointer)) }

    /// A `GListModel` with one object for each item, for a selection model, which takes it over.
    public var model: OpaquePointer { OpaquePointer(g_object_ref(modelReference.pointer)) }

    /// The points that each row reserves for its image; nil, the default, leaves it to the content.
    public var itemSize: (width: Int, height: Int)? {
        get { state.itemSize }
        set { state.itemSize = newValue }
    }

    /// What the rows stand for. A row stays for its item, and with it the selection, as far as the order of the items allows;
    /// rows in sight change at once.
    ///
    /// Items are told apart by their `id` where they are `Identifiable`, by value where they are `Hashable`, objects by their
    /// identity, and others by their image.
    public var items: [Item] {
        get { state.newestItems }
        set { state.replaceItems(with: newValue, in: OpaquePointer(modelReference.pointer)) }
    }

    /// - Parameters:
    ///   - items: What the rows stand for.
    ///   - source: The image of an item.
    ///   - pipeline: nil, the default, is that of the widgets around.
    ///   - image: Declares the view of a row; called once for each view, not for each row.
    public init(
        items: [Item], source: @escaping @MainActor (Item) -> ImageSource?, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage<Widget>
    ) {
        state = State(source) { RemoteImageView(image(), pipeline: pipeline) }
        factoryReference = ObjectReference(owned: UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
        modelReference = ObjectReference(owned: UnsafeMutableRawPointer(g_list_store_new(g_object_get_type())))
        state.replaceItems(with: items, in: OpaquePointer(modelReference.pointer))
        RowSignal.connect("setup", of: factoryReference) { [state] in state.setUp($0) }
        RowSignal.connect("bind", of: factoryReference) { [state] in state.bind($0) }
        RowSignal.connect("unbind", of: factoryReference) { [state] in state.unbind($0) }
        RowSignal.connect("teardown", of: factoryReference) { [state] in state.tearDown($0) }
    }

    /// The source is a property of the items.
    public convenience init(
        items: [Item], source: KeyPath<Item, some ImageSourceConvertible>, pipeline: ImagePipeline? = nil,
        image: @escaping @MainActor () -> NetworkImage<Widget>
    ) {
        self.init(items: items, source: { $0[keyPath: source].imageSource }, pipeline: pipeline, image: image)
    }

    /// The source of a row; nil where there is no such row, or where it has none.
    public func source(ofRow row: Int) -> ImageSource? { state.source(ofRow: row) }

    /// What the signals of the factory need, which may outlive this object.
    @MainActor
    private final class State {
        private(set) var items: [Item] = []
        private var keys: [AnyHashable] = []
        /// Rows that stand for an item now, and their views.
        private var bound: Set<OpaquePointer> = []
        /// Rows that were unbound while items are replaced. GTK also unbinds a row to bind it again to its own item, whose load
        /// goes on.
        private var unbound: Set<OpaquePointer> = []
        /// Positions in the list are not those of the items yet.
        private var isReplacing = false
        /// Whether a call of ``replaceItems(with:in:)`` is running. Handlers that it calls may set items too.
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
            // From the end: what is before a change keeps its position.
            var (next, oldEnd) = (new.count, oldCount)
            for position in (-1..<new.count).reversed() {
                let row = position < 0 ? -1 : kept[position]
                guard let row else { continue }
                splice(store, at: row + 1, removing: oldEnd - row - 1, adding: next - position - 1)
                (next, oldEnd) = (position, row)
            }
            isReplacing = false
            // Rows that were bound between two changes, and items that stay with another image.
            // Their loads start in the order of the list. A handler may remove a row meanwhile.
            let rows = bound.sorted { gtk_list_item_get_position($0) < gtk_list_item_get_position($1) }
            for row in rows where bound.contains(row) { showSource(in: row) }
            while let row = unbound.popFirst() { clear(row) }
        }

        private func splice(_ store: OpaquePointer, at position: Int, removing removed: Int, adding added: Int) {
            guard removed > 0 || added > 0 else { return }
            // The objects say nothing: the position is what counts.
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
            // A row that stands for nothing shows nothing, and wants nothing.
            RemoteImageView(of: gtk_list_item_get_child(row))?.source = nil
        }
    }
}

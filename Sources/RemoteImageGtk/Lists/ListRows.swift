// The items of a list or a grid, its `GListStore`, and its rows.

import CRemoteImageGtk

/// Keeps a `GListStore` and the rows of a `GtkSignalListItemFactory` in step with items.
///
/// A change of the items changes the store only where the keys of the items differ, so that the
/// list keeps the selection, the focus and the scroll position. The factory owns this object.
@MainActor
final class ListRows<Item, Key: Hashable> {
    /// What a list does with a row, which is a `GtkListItem`.
    struct Actions {
        let setUp: @MainActor (_ row: OpaquePointer) -> Void
        /// Also called for rows that already show the item.
        let show: @MainActor (_ item: Item, _ key: Key, _ row: OpaquePointer) -> Void
        /// Called when a row no longer stands for an item.
        let clear: @MainActor (_ row: OpaquePointer) -> Void
        var tearDown: @MainActor (_ row: OpaquePointer) -> Void = { _ in }
    }

    /// Identifies an item. A change takes effect with the next items.
    var key: @MainActor (Item) -> Key
    private(set) var items: [Item] = []
    private(set) var keys: [Key] = []
    /// The `GListStore`, with one placeholder object for each item.
    let store = ObjectReference(owned: UnsafeMutableRawPointer(g_list_store_new(g_object_get_type())))
    /// The rows that are bound to an item.
    private var bound: Set<OpaquePointer> = []
    /// Rows that GTK unbound during a replacement of items and has not bound again. They are
    /// cleared at its end, since GTK may bind a row to the same item again, whose load must
    /// continue.
    private var unbound: Set<OpaquePointer> = []
    /// Whether the positions in the list do not match those of the items yet.
    private(set) var isReplacing = false
    /// Whether ``replaceItems(with:)`` is running. Handlers that it triggers may set items, too.
    private var isUpdating = false
    /// The items that were set last, until they are in the list.
    private var pendingItems: [Item]?
    var newestItems: [Item] { pendingItems ?? items }
    private let keepsHiddenRows: Bool
    private let actions: Actions

    /// - Parameter keepsHiddenRows: Whether unchanged items keep their objects in the store even if
    ///   more than 100 places change, as a selection model of the program needs. If not, only the
    ///   visible items keep them, since GTK takes a fraction of a millisecond for each place.
    init(key: @escaping @MainActor (Item) -> Key, keepsHiddenRows: Bool, actions: Actions) {
        (self.key, self.keepsHiddenRows, self.actions) = (key, keepsHiddenRows, actions)
    }

    /// A factory for the rows.
    func makeFactory() -> ObjectReference {
        let factory = ObjectReference(owned: UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
        Signal.connect(row: "setup", of: factory) { self.actions.setUp($0) }
        Signal.connect(row: "bind", of: factory) { self.bind($0) }
        Signal.connect(row: "unbind", of: factory) { self.unbind($0) }
        Signal.connect(row: "teardown", of: factory) { self.tearDown($0) }
        return factory
    }

    /// The bound row at a position.
    func row(at position: Int) -> OpaquePointer? {
        bound.first { Int(gtk_list_item_get_position($0)) == position && isInStore($0) }
    }

    /// Whether the item of a row is still there. GTK 4.18 unbinds some of the removed rows only
    /// when it draws the list again.
    private func isInStore(_ row: OpaquePointer) -> Bool {
        let item = g_list_model_get_item(OpaquePointer(store.pointer), gtk_list_item_get_position(row))
        guard let item else { return false }
        defer { g_object_unref(item) }
        return item == gtk_list_item_get_item(row)
    }

    // MARK: Items

    func replaceItems(with new: [Item]) {
        pendingItems = new
        guard !isUpdating else { return }
        isUpdating = true
        while let next = pendingItems {
            pendingItems = nil
            update(to: next)
        }
        isUpdating = false
    }

    private func update(to new: [Item]) {
        let newKeys = new.map(key)
        let kept = keptRows(to: newKeys)
        let oldCount = keys.count
        (items, keys) = (new, newKeys)
        isReplacing = true
        // From the end, so that rows before a change keep their positions.
        var (next, oldEnd) = (new.count, oldCount)
        for position in (-1..<new.count).reversed() {
            let row = position < 0 ? -1 : kept[position]
            guard let row else { continue }
            splice(at: row + 1, removing: oldEnd - row - 1, adding: next - position - 1)
            (next, oldEnd) = (position, row)
        }
        isReplacing = false
        // Updates rows that were bound during the changes, and kept items that have changed. Their
        // loads start in the order of the list. A handler may remove a row during this loop.
        let rows = bound.filter(isInStore).sorted {
            gtk_list_item_get_position($0) < gtk_list_item_get_position($1)
        }
        for row in rows where bound.contains(row) { show(in: row) }
        while let row = unbound.popFirst() { actions.clear(row) }
    }

    private func keptRows(to new: [Key]) -> [Int?] {
        guard new != keys else { return Array(keys.indices) }
        let kept = RowMatching.keptRows(from: keys, to: new)
        guard !keepsHiddenRows else { return kept }
        let changeCount = zip(kept, kept.dropFirst()).count { row, next in row.map { $0 + 1 } != next }
        guard changeCount > 100 else { return kept }
        // The focus and the scroll position are those of bound rows.
        let visible = Set(bound.map { Int(gtk_list_item_get_position($0)) })
        return kept.map { row in row.flatMap { visible.contains($0) ? $0 : nil } }
    }

    private func splice(at position: Int, removing removed: Int, adding added: Int) {
        guard removed > 0 || added > 0 else { return }
        // The objects are placeholders: items are looked up by position.
        var objects: [gpointer?] = (0..<added).map { _ in
            UnsafeMutableRawPointer(shim_object_new(g_object_get_type()))
        }
        g_list_store_splice(
            OpaquePointer(store.pointer), guint(position), guint(removed), &objects, guint(added))
        for object in objects { if let object { g_object_unref(object) } }
    }

    // MARK: Rows

    private func bind(_ row: OpaquePointer) {
        bound.insert(row)
        unbound.remove(row)
        if !isReplacing { show(in: row) }
    }

    private func show(in row: OpaquePointer) {
        let position = Int(gtk_list_item_get_position(row))
        guard items.indices.contains(position) else { return actions.clear(row) }
        actions.show(items[position], keys[position], row)
    }

    private func unbind(_ row: OpaquePointer) {
        bound.remove(row)
        if isReplacing { unbound.insert(row) } else { actions.clear(row) }
    }

    private func tearDown(_ row: OpaquePointer) {
        bound.remove(row)
        unbound.remove(row)
        actions.clear(row)
        actions.tearDown(row)
    }
}

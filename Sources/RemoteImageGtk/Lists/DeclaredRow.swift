import CRemoteImageGtk

/// A row of a list whose content is declared for an item. It keeps its widgets when it stands for
/// another item, and runs its closure again when an observable value that it read has changed.
@MainActor
final class DeclaredRow<Item, Key: Hashable> {
    typealias Content = @MainActor (Item) -> [DeclaredWidget]

    // Not owned: GTK owns the `GtkListItem`, and its list owns this object.
    private let row: OpaquePointer
    private let observer = ValueObserver()
    private var child = ChildList()
    private(set) var shown: (item: Item, key: Key, contentNumber: Int, states: ItemStates)?

    init(_ row: OpaquePointer) {
        self.row = row
    }

    /// The declared views of the row, in order.
    var views: [RemoteImageViewState] { child.views }

    var isMapped: Bool { child.widgets.first.map { gtk_widget_get_mapped($0.pointer) != 0 } ?? false }

    /// - Parameters:
    ///   - states: The states of the item.
    ///   - contentNumber: Identifies `content`, which runs only for a change.
    func show(_ item: Item, key: Key, _ states: ItemStates, contentNumber: Int, content: @escaping Content) {
        if let shown, shown.key == key, shown.contentNumber == contentNumber, Self.isUnchanged(shown.item, item) {
            return
        }
        if let shown, shown.key != key { pause() }
        shown = (item, key, contentNumber, states)
        observer.observe { [weak self] in
            let declared = content(item)
            return { self?.update(to: declared) }
        }
    }

    private func update(to declared: [DeclaredWidget]) {
        var list = child
        // The update may make this row give up a widget.
        child = ChildList()
        WidgetNode.within(nil, shown?.states) {
            list.update(toSingle: declared) { [row] in gtk_list_item_set_child(row, $0) }
        }
        child = list
        for (key, widget) in list.entries where key.pointer != nil {
            let pointer = widget.pointer
            // GTK keeps a row's child until it is told, even if another container has it.
            WidgetNode.of(widget)?.leaveRow = { [weak self] in self?.child.giveUp(pointer) }
        }
    }

    /// Ends the observation and the loads of the row. Its widgets stay, for another item.
    func clear() {
        guard shown != nil else { return }
        shown = nil
        pause()
        for view in views { view.setSource(nil) }
    }

    private func pause() {
        observer.pause()
        for widget in child.widgets { WidgetNode.pause(in: widget.pointer) }
    }

    /// Objects are observed, not compared.
    private static func isUnchanged(_ old: Item, _ new: Item) -> Bool {
        if Item.self is AnyObject.Type { return old as AnyObject === new as AnyObject }
        func isEqual<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
        return (old as? any Equatable).map { isEqual($0) } ?? false
    }
}

import CRemoteImageGtk

/// The state of an ``ImageGrid`` or an ``ImageList``: its rows, its selection and its prefetches.
///
/// The scrolled window owns this object.
@MainActor
final class ItemList<Item, ID: Hashable> {
    /// What a list is declared with, except for its items.
    struct Declaration {
        let id: KeyPath<Item, ID>
        var selection: Binding<ID?>?
        var prefetch: (@MainActor (Item) -> ImageRequest?)?
        let content: DeclaredRow<Item, ID>.Content
        var onActivate: (@MainActor (Item) -> Void)?
    }

    private static var data: ObjectData<ItemList> { ObjectData("remote-image-items") }

    // Not owned: the scrolled window owns this object, and the view the selection model.
    private let scrolledWindow: UnsafeMutablePointer<GtkWidget>
    private let selectionModel: OpaquePointer
    private var declaration: Declaration
    private let contents = DeclaredRows<Item, ID>()
    private let rows: ListRows<Item, ID>
    private var isSelecting = false
    /// Whether the program has selected a row that the focus has not reached yet.
    private var movesFocus = false
    /// Whether the program has selected an item that has not been there yet.
    private var awaitsItem = false
    /// Waits for the layout of the selected row.
    private var scrolling: FrameTicks?
    /// `nil` while the list is not mapped.
    private var prefetcher: ScrollPrefetcher?

    /// Makes a scrolled window with a view.
    ///
    /// - Parameter makeView: Makes a `GtkListView` or a `GtkGridView`, which takes over a selection
    ///   model and a factory.
    static func makeWidget(
        _ declaration: Declaration,
        makeView: (_ model: OpaquePointer?, _ factory: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>
    ) -> Widget {
        let scroller = Widget(gtk_scrolled_window_new())
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_hexpand(scroller.pointer, 1)
        gtk_widget_set_vexpand(scroller.pointer, 1)
        let list = ItemList(declaration, scroller.pointer)
        let factory = list.rows.makeFactory()
        let view = makeView(list.selectionModel, OpaquePointer(g_object_ref(factory.pointer)))
        gtk_scrolled_window_set_child(scroller.opaque, view)
        data[scroller.pointer] = list
        list.connect(view)
        return scroller
    }

    static func of(_ node: WidgetNode) -> ItemList? { data[node.pointer] }

    private init(_ declaration: Declaration, _ scrolledWindow: UnsafeMutablePointer<GtkWidget>) {
        (self.declaration, self.scrolledWindow) = (declaration, scrolledWindow)
        rows = ListRows(
            key: { [id = declaration.id] in $0[keyPath: id] }, keepsHiddenRows: false, actions: contents.actions)
        let store = OpaquePointer(g_object_ref(rows.store.pointer))
        if declaration.selection == nil {
            selectionModel = gtk_no_selection_new(store)
        } else {
            selectionModel = gtk_single_selection_new(store)
            gtk_single_selection_set_autoselect(selectionModel, 0)
            gtk_single_selection_set_can_unselect(selectionModel, 1)
        }
    }

    private func connect(_ view: UnsafeMutablePointer<GtkWidget>) {
        SignalClosure.connect("activate", of: view) { [weak self] (position: Int) in
            guard let self, rows.items.indices.contains(position) else { return }
            declaration.onActivate?(rows.items[position])
        }
        if declaration.selection != nil {
            Signal.connect(property: "selected", of: UnsafeMutableRawPointer(selectionModel)) { [weak self] in
                self?.selectionChanged()
            }
        }
        let focus = gtk_event_controller_focus_new()
        EventControllers.connect("enter", focus) { [weak self] in self?.moveFocusSoon() }
        EventControllers.add(focus, to: view)
        Signal.connect("map", of: scrolledWindow) { [weak self] in self?.startPrefetching() }
        Signal.connect("unmap", of: scrolledWindow) { [weak self] in self?.prefetcher = nil }
    }

    // MARK: Declaration

    /// Takes effect with the next items.
    func update(to declaration: Declaration) {
        self.declaration = declaration
        rows.key = { [id = declaration.id] in $0[keyPath: id] }
        contents.content = declaration.content
    }

    func setItems(_ items: [Item]) {
        rows.replaceItems(with: items)
        contents.keepStates(of: rows.keys)
        // A selected item may have moved, which GTK treats as its removal.
        select(currentID)
        if awaitsItem { showSelection() }
        prefetcher?.itemsChanged(count: items.count)
    }

    // MARK: Selection

    /// The identity that the user or the program has selected last, perhaps of an item that is not
    /// there.
    private var currentID: ID?

    private var selectedID: ID? {
        let position = Int(gtk_single_selection_get_selected(selectionModel))
        return rows.keys.indices.contains(position) ? rows.keys[position] : nil
    }

    /// Selects the first item with an identity that the program has set, and scrolls to it. Other
    /// items with the same identity stay selected. The focus of the list moves to the item, at once
    /// or when the list gets the focus. An item that is not there yet is awaited.
    func reveal(_ id: ID?) {
        guard declaration.selection != nil, id != currentID else { return }
        currentID = id
        select(id)
        awaitsItem = id != nil
        showSelection()
    }

    private func showSelection() {
        movesFocus = selectedID != nil
        guard movesFocus else { return }
        awaitsItem = false
        scrollToSelection()
        scrollAfterLayout()
        moveFocusSoon()
    }

    /// GTK scrolls only to rows that it has laid out, which it does after the update of a frame.
    private func scrollAfterLayout() {
        var isLaidOut = false
        scrolling?.stop()
        scrolling = FrameTicks(of: scrolledWindow) { [weak self] _ in
            defer { isLaidOut = true }
            if isLaidOut, let self, selectedID != nil { scrollToSelection() }
            return !isLaidOut
        }
    }

    private func scrollToSelection() {
        guard let view = gtk_scrolled_window_get_child(OpaquePointer(scrolledWindow)) else { return }
        let position = g_variant_ref_sink(g_variant_new_uint32(gtk_single_selection_get_selected(selectionModel)))
        defer { g_variant_unref(position) }
        gtk_widget_activate_action_variant(view, "list.scroll-to-item", position)
    }

    /// Deferred, since GTK is about to set the focus or the rows.
    private func moveFocusSoon() {
        if movesFocus { Task { @MainActor [weak self] in self?.moveFocus() } }
    }

    private func moveFocus() {
        guard movesFocus, selectedID != nil, scrolledWindow.containsFocus else { return }
        let position = Int(gtk_single_selection_get_selected(selectionModel))
        if rows.row(at: position) == nil { scrollToSelection() }
        // GTK wraps the content of a row in a widget that takes the focus.
        guard let row = rows.row(at: position), let content = gtk_list_item_get_child(row),
            let cell = gtk_widget_get_parent(content)
        else { return }
        movesFocus = false
        gtk_widget_grab_focus(cell)
    }

    private func select(_ id: ID?) {
        guard declaration.selection != nil, id != selectedID else { return }
        let position = id.flatMap { rows.keys.firstIndex(of: $0) }
        isSelecting = true
        gtk_single_selection_set_selected(selectionModel, position.map { guint($0) } ?? guint.max)
        isSelecting = false
    }

    private func selectionChanged() {
        // A replacement of items keeps the identity in the binding, also that of a removed item.
        guard !isSelecting, !rows.isReplacing else { return }
        (movesFocus, awaitsItem) = (false, false)
        scrolling?.stop()
        currentID = selectedID
        declaration.selection?.change(to: currentID)
    }

    // MARK: Prefetching

    private func startPrefetching() {
        prefetcher = ScrollPrefetcher(of: OpaquePointer(scrolledWindow), count: rows.items.count) { [weak self] in
            guard let self else { return nil }
            return contents.pipeline ?? WidgetEnvironment.effectivePipeline(at: scrolledWindow)
        } requests: { [weak self] position in
            self?.requests(ofRow: position) ?? []
        }
    }

    private func requests(ofRow position: Int) -> [ImageRequest] {
        guard rows.items.indices.contains(position) else { return [] }
        if let prefetch = declaration.prefetch { return prefetch(rows.items[position]).map { [$0] } ?? [] }
        if let row = rows.row(at: position) { return contents.requests(of: row) }
        return contents.requests(for: rows.items[position])
    }
}

extension DeclaredWidget {
    /// - Parameter kind: The class of the view.
    static func list<Item, ID: Hashable>(
        _ kind: String, _ items: @escaping @MainActor () -> [Item],
        _ declaration: ItemList<Item, ID>.Declaration,
        makeView:
            @escaping @MainActor (
                _ model: OpaquePointer?, _ factory: OpaquePointer?
            ) -> UnsafeMutablePointer<GtkWidget>
    ) -> DeclaredWidget {
        typealias List = ItemList<Item, ID>
        let selection = declaration.selection
        // A widget is kept for items of the same type only.
        let isSelectable = selection != nil
        return DeclaredWidget("\(kind)(\(ObjectIdentifier(List.self)), selectable: \(isSelectable))") {
            List.makeWidget(declaration, makeView: makeView)
        }
        .setting { node in
            guard let list = List.of(node), let view = gtk_scrolled_window_get_child(node.opaque) else { return }
            list.update(to: declaration)
            // A click selects if there is a selection.
            shim_set_number(view, "single-click-activate", declaration.onActivate != nil && !isSelectable ? 1 : 0)
        }
        .observing(items) { node, items in List.of(node)?.setItems(items) }
        .observing({ selection?.wrappedValue }) { node, id in List.of(node)?.reveal(id ?? nil) }
    }
}

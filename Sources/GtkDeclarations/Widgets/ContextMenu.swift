import CRemoteImageGtk

/// The context menu of a widget: a popover that the secondary button, a long press and the keyboard
/// open. The items of the program are made each time it opens. The widget owns this object.
@MainActor
package final class ContextMenu {
    package typealias Items = @MainActor () -> [DeclaredWidget]

    private static let data = ObjectData<ContextMenu>("remote-image-context-menu")

    // Not owned: the widget owns this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let menu: ObjectReference
    private let popover: Widget
    private var controllers: [OpaquePointer?] = []
    private let connections = SignalConnections()
    /// The row whose keys open the menu, too, or another widget with the focus.
    private var row: (object: WeakObject, controller: OpaquePointer?)?
    private let focusWidget: @MainActor () -> UnsafeMutablePointer<GtkWidget>?
    private let willOpen: @MainActor () -> Void
    /// The section of the items of the program, once there are any.
    private var section: OpaquePointer?

    /// The place of the extra section among the items of the menu.
    private var extraPlace: gint?

    /// Sets a `GMenuModel` whose items follow the others; `nil` for none.
    package func setExtra(_ model: UnsafeMutableRawPointer?) {
        let menu = OpaquePointer(menu.pointer)
        if let extraPlace { g_menu_remove(menu, extraPlace) }
        extraPlace = nil
        guard let model else { return }
        extraPlace = g_menu_model_get_n_items(Self.model(self.menu.pointer))
        g_menu_append_section(menu, nil, Self.model(model))
    }

    /// Declares the items of the program.
    package var items: Items? {
        didSet {
            guard section == nil, let new = g_menu_new() else { return }
            section = new
            g_menu_append_section(OpaquePointer(menu.pointer), nil, Self.model(UnsafeMutableRawPointer(new)))
            // The menu has a reference.
            g_object_unref(UnsafeMutableRawPointer(new))
        }
    }

    /// Gives a widget a menu with the items of the program alone.
    static func set(_ items: @escaping Items, on widget: UnsafeMutablePointer<GtkWidget>) {
        if data[widget] == nil {
            let menu = ContextMenu(on: widget)
            data[widget] = menu
            menu.connections.connect("destroy", of: widget) { [weak menu] in menu?.end() }
            // A container should have no other child while the menu is closed. The chosen action
            // runs after this signal.
            menu.connections.connect("closed", of: menu.popover.pointer) { [weak menu] in
                Task { menu?.detach() }
            }
        }
        data[widget]?.items = items
    }

    /// - Parameters:
    ///   - menu: A `GMenu` with items that come before those of the program.
    ///   - focusWidget: The widget around this one that has the focus in its place; `nil` for the
    ///     row of a list. Called when the widget is mapped.
    ///   - willOpen: Called before the menu opens.
    package init(
        on widget: UnsafeMutablePointer<GtkWidget>,
        menu: ObjectReference = ObjectReference(owned: UnsafeMutableRawPointer(g_menu_new())),
        focusWidget: @escaping @MainActor () -> UnsafeMutablePointer<GtkWidget>? = { nil },
        willOpen: @escaping @MainActor () -> Void = {}
    ) {
        (self.widget, self.menu, self.focusWidget, self.willOpen) = (widget, menu, focusWidget, willOpen)
        popover = Widget(gtk_popover_menu_new_from_model(Self.model(menu.pointer)))
        gtk_popover_set_has_arrow(typedPopover, 0)
        gtk_widget_set_halign(popover.pointer, GTK_ALIGN_START)
        connectInput()
    }

    private static func model(_ menu: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GMenuModel> {
        menu.assumingMemoryBound(to: GMenuModel.self)
    }

    private var typedPopover: UnsafeMutablePointer<GtkPopover> {
        UnsafeMutableRawPointer(popover.pointer).assumingMemoryBound(to: GtkPopover.self)
    }

    private func connectInput() {
        let click = gtk_gesture_click_new()
        gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
        EventControllers.connect("pressed", click) { [weak self] (_: Int, x: Double, y: Double) -> Void in
            guard let self, updateItems() else { return }
            // A widget around this one may have a menu, too.
            gtk_gesture_set_state(click, GTK_EVENT_SEQUENCE_CLAIMED)
            show(at: (x, y))
        }
        let touch = gtk_gesture_long_press_new()
        // The mouse has a button for the menu, and drags.
        gtk_gesture_single_set_touch_only(touch, 1)
        EventControllers.connect("pressed", touch) { [weak self] (x: Double, y: Double) -> Void in
            guard let self, updateItems() else { return }
            gtk_gesture_set_state(touch, GTK_EVENT_SEQUENCE_CLAIMED)
            show(at: (x, y))
        }
        let keys = makeKeyController()
        for controller in [click, touch, keys] {
            EventControllers.add(controller, to: widget)
            controllers.append(controller)
        }
        connections.connect("map", of: widget) { [weak self] in self?.connectRow() }
        connections.connect("unmap", of: widget) { [weak self] in self?.close() }
        if gtk_widget_get_mapped(widget) != 0 { connectRow() }
    }

    private func makeKeyController() -> OpaquePointer? {
        let keys = gtk_event_controller_key_new()
        EventControllers.connect("key-pressed", keys) { [weak self] (key: Int, _: Int, state: Int) -> Bool in
            // Shift+F10, for keyboards without a menu key.
            let isShifted = key == Int(GDK_KEY_F10) && state & Int(GDK_SHIFT_MASK.rawValue) != 0
            guard let self, key == Int(GDK_KEY_Menu) || isShifted, updateItems() else { return false }
            show(at: placeForKeys)
            return true
        }
        return keys
    }

    /// The start of the widget, or the middle of what is visible of it in a widget that scrolls it.
    private var placeForKeys: (x: Double, y: Double) {
        guard let around = focusWidget() else { return (0, 0) }
        var place = graphene_point_t()
        var middle = graphene_point_t(
            x: Float(gtk_widget_get_width(around)) / 2, y: Float(gtk_widget_get_height(around)) / 2)
        _ = gtk_widget_compute_point(around, widget, &middle, &place)
        return (Double(place.x), Double(place.y))
    }

    /// In a list the row has the focus, not the widget in it.
    private func connectRow() {
        let around = sequence(first: widget) { gtk_widget_get_parent($0) }
        let listRow = around.first(where: { gtk_widget_get_parent($0).map(Viewport.isList) ?? false })
        let row = focusWidget() ?? listRow
        guard self.row?.object.strong()?.pointer != row.map({ UnsafeMutableRawPointer($0) }) else { return }
        leaveRow()
        guard let row else { return }
        let keys = makeKeyController()
        EventControllers.add(keys, to: row)
        self.row = (WeakObject(row), keys)
    }

    private func leaveRow() {
        if let (object, controller) = row, let widget = object.strong().flatMap({ Widget(of: $0.pointer) }) {
            gtk_widget_remove_controller(widget.pointer, controller)
        }
        row = nil
    }

    // MARK: The popover

    /// Makes the popover a child of the widget.
    package func attach() {
        if gtk_widget_get_parent(popover.pointer) == nil { gtk_widget_set_parent(popover.pointer, widget) }
    }

    private func detach() {
        guard gtk_widget_get_visible(popover.pointer) == 0, gtk_widget_get_parent(popover.pointer) == widget else {
            return
        }
        gtk_widget_unparent(popover.pointer)
    }

    /// Returns `false` if the menu has no items now.
    private func updateItems() -> Bool {
        willOpen()
        addItems()
        let count = g_menu_model_get_n_items(Self.model(menu.pointer))
        // The section of the program counts as an item even if it is empty.
        let isSectionEmpty = section.map { g_menu_model_get_n_items(Self.model(UnsafeMutableRawPointer($0))) == 0 }
        return count > (isSectionEmpty == true ? 1 : 0)
    }

    private func show(at point: (x: Double, y: Double)) {
        attach()
        var place = GdkRectangle(x: Int32(saturating: point.x), y: Int32(saturating: point.y), width: 1, height: 1)
        gtk_popover_set_pointing_to(typedPopover, &place)
        gtk_popover_popup(typedPopover)
    }

    /// Closes the popover before its parent is removed. Otherwise GTK 4.8 keeps its grab, and the
    /// program receives no pointer and keyboard events any more.
    package func close() {
        // `gtk_popover_popdown` would also close the menus that contain this one.
        gtk_widget_set_visible(popover.pointer, 0)
    }

    /// Also called before the widget is disposed, since a popover must not outlive its parent.
    package func end() {
        close()
        connections.end()
        for controller in controllers { gtk_widget_remove_controller(widget, controller) }
        controllers = []
        leaveRow()
        gtk_widget_insert_action_group(widget, Self.group, nil)
        detach()
    }

    // MARK: Items of the program

    /// The prefix of their actions.
    private static let group = "program"

    private func addItems() {
        guard let section, let items else { return }
        g_menu_remove_all(section)
        let actions = g_simple_action_group_new()
        for (index, declared) in items().enumerated() {
            guard let item = declared.menuItem, let action = g_simple_action_new("\(index)", nil) else {
                shim_warning("RemoteImage: a context menu takes only buttons with a text or a label")
                continue
            }
            g_simple_action_set_enabled(action, item.isEnabled ? 1 : 0)
            EventControllers.connect("activate", action, item.action)
            g_action_map_add_action(OpaquePointer(actions), action)
            g_object_unref(UnsafeMutableRawPointer(action))
            // An underscore marks a key in a title of a menu, but not in that of a `GtkButton`.
            let title = item.title().reduce(into: "") { $0 += $1 == "_" ? "__" : String($1) }
            g_menu_append(section, title, "\(Self.group).\(index)")
        }
        gtk_widget_insert_action_group(widget, Self.group, actions.map { OpaquePointer($0) })
        g_object_unref(actions)
    }
}

extension WidgetDeclaration {
    /// Gives the widget a context menu, which opens with the secondary button, a long press, and,
    /// while the focus is in the widget or on its row, with the menu key. On a ``NetworkImage``
    /// the items follow those with which the image can be opened, saved and copied.
    ///
    /// ```swift
    /// Label(photo.title).contextMenu {
    ///     Button("Mark as read") { model.selected = nil }
    ///     Button("Show") { model.shown = photo }.enabled(model.shown == nil)
    /// }
    /// ```
    ///
    /// - Parameter items: A ``Button`` with a text or a label for each item. It runs each time the
    ///   menu opens.
    public func contextMenu(
        @WidgetBuilder _ items: @escaping @MainActor () -> [DeclaredWidget]
    ) -> Modified {
        modifier("program-menu") { node in
            node.setHandler("program-menu", items) { call, _ in node.menuItems.append(call) }
            let newest = { @MainActor [weak node] in
                node?.menuItems.reversed().lazy.compactMap { $0() }.first ?? []
            }
            guard let own = CustomWidgets.at(node.pointer) else { return ContextMenu.set(newest, on: node.pointer) }
            own.setMenuItems(newest)
        }
    }
}

import CRemoteImageGtk

extension WidgetDeclaration {
    /// Calls `action` when the lower end of a ``ScrollView``, an ``ImageGrid`` or an ``ImageList``
    /// is near, for example to load more items. No effect on other widgets.
    ///
    /// ```swift
    /// ImageList(model.posts) { post in Label(post.text) }
    ///     .onEndReached { print("load older posts") }
    /// ```
    ///
    /// It is also called for content that is too short to scroll, and again while the end is near
    /// after items have been added there, or after the user has scrolled away and back. It is not
    /// called for a list without items, nor while the widget is not visible. A list inside another
    /// scrolled widget has its full height, so that its end is always near.
    ///
    /// - Parameters:
    ///   - pages: The distance from the end, in heights of the visible area, 0 for the end itself.
    ///     Default: 1.
    ///   - action: Called after the layout, perhaps while the program still loads because of the
    ///     last call.
    public func onEndReached(
        within pages: Double = 1, _ action: @escaping @MainActor () -> Void
    ) -> Modified {
        modifier("end-reached") { node in
            let handler = { @MainActor (end: ScrollEnd) in if end.isReached(within: pages) { action() } }
            node.setHandler("end-reached", handler) { call, _ in
                ScrollEnd.watch(node) { _ = call($0) }
            }
        }
    }
}

/// Tells when the end of scrolled content is near.
@MainActor
private final class ScrollEnd {
    private weak var node: WidgetNode?
    private let look: @MainActor (ScrollEnd) -> Void
    private var isLooking = false
    private let layout = MainLoopTimer()
    /// Whether the end was reported since it last came near or items were added.
    private var isReported = false
    /// The height of the content when its end was reported.
    private var height = 0.0

    private init(_ node: WidgetNode, _ look: @escaping @MainActor (ScrollEnd) -> Void) {
        (self.node, self.look) = (node, look)
    }

    /// Calls `look` after each change of the position or the content.
    static func watch(_ node: WidgetNode, _ look: @escaping @MainActor (ScrollEnd) -> Void) {
        guard let adjustment = node.verticalAdjustment else { return }
        // The signals own this object.
        let end = ScrollEnd(node, look)
        for signal in ["value-changed", "changed"] {
            Signal.connect(signal, of: UnsafeMutableRawPointer(adjustment)) { end.checkSoon() }
        }
        SignalClosure.connect("map", of: UnsafeMutableRawPointer(node.pointer)) { end.checkSoon() }
        // Items that still fit into the visible area do not change the adjustment.
        if let items = node.scrolledItems {
            SignalClosure.connect("items-changed", of: UnsafeMutableRawPointer(items)) {
                (position: Int, _: Int, added: Int) in
                let isAtEnd = position + added == Int(g_list_model_get_n_items(items))
                if added > 0, isAtEnd { end.isReported = false }
                end.checkSoon()
            }
        }
        end.checkSoon()
    }

    /// Looks after the layout of the next frame: until then, the adjustment is that of the old
    /// content.
    private func checkSoon() {
        guard !isLooking, let node, gtk_widget_get_mapped(node.pointer) != 0 else { return }
        isLooking = true
        _ = FrameTicks(of: node.pointer) {
            [weak self] in
            self?.isLooking = false
        } _: { [weak self] _ in
            // GTK lays out after this callback, in the same turn of the main loop.
            self?.layout.start(after: .zero, priority: G_PRIORITY_DEFAULT) { [weak self] in
                guard let self, let node = self.node, gtk_widget_get_mapped(node.pointer) != 0 else { return }
                look(self)
            }
            return false
        }
    }

    /// Whether the end is within a number of pages, and was not reported yet.
    func isReached(within pages: Double) -> Bool {
        guard let node, let adjustment = node.verticalAdjustment else { return false }
        let (page, upper) = (gtk_adjustment_get_page_size(adjustment), gtk_adjustment_get_upper(adjustment))
        guard page > 0, upper - gtk_adjustment_get_value(adjustment) - page <= max(0, pages) * page else {
            isReported = false
            return false
        }
        if let items = node.scrolledItems {
            guard g_list_model_get_n_items(items) > 0 else { return false }
        } else if upper > height, upper > page {
            // The content has grown. This does not hold for lists, whose height is an estimate, nor
            // for content that is shorter than the page, whose height is that of the page.
            isReported = false
        }
        defer { (isReported, height) = (true, upper) }
        return !isReported
    }
}

extension WidgetNode {
    /// The `GListModel` of a scrolled list or grid; `nil` for other widgets.
    fileprivate var scrolledItems: OpaquePointer? {
        guard let child = gtk_scrolled_window_get_child(opaque) else { return nil }
        if shim_is_a(child, gtk_list_view_get_type()) != 0 { return gtk_list_view_get_model(OpaquePointer(child)) }
        if shim_is_a(child, gtk_grid_view_get_type()) != 0 { return gtk_grid_view_get_model(OpaquePointer(child)) }
        return nil
    }
}

import CRemoteImageGtk

extension WidgetDeclaration {
    /// Calls `action` when the end of a ``ScrollView``, an ``ImageGrid`` or an ``ImageList`` is
    /// near, for example to load more items. No effect on other widgets.
    ///
    /// ```swift
    /// ImageList(model.posts) { post in Label(post.text) }
    ///     .onEndReached { print("load older posts") }
    /// ```
    ///
    /// It is also called for content that is too short to scroll, and again after the content has
    /// grown or the user has scrolled away and back. It is not called for a list without items.
    ///
    /// - Parameters:
    ///   - pages: The distance from the end, in heights of the visible area, 0 for the end itself.
    ///     Default: 1.
    ///   - action: Called after the layout, while the program may still be busy with the last call.
    public func onEndReached(
        within pages: Double = 1, _ action: @escaping @MainActor () -> Void
    ) -> DeclaredWidget {
        body.modifier("end-reached") { node in
            let handler = { @MainActor (end: ScrollEnd) in if end.isReached(within: pages) { action() } }
            node.setHandler("end-reached", handler) { call in
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
    private let timer = MainLoopTimer()
    /// The extent for which the end was reported; `nil` while it is out of reach.
    private var reported: Extent?

    /// What grows with the content. The height of a list is an estimate, and no measure.
    private enum Extent: Equatable {
        case items(Int)
        case points(Double)
    }

    private init(_ node: WidgetNode, _ look: @escaping @MainActor (ScrollEnd) -> Void) {
        (self.node, self.look) = (node, look)
    }

    /// Calls `look` after each change of the position or the content.
    static func watch(_ node: WidgetNode, _ look: @escaping @MainActor (ScrollEnd) -> Void) {
        guard let adjustment = node.verticalAdjustment else { return }
        // The signals own this object.
        let end = ScrollEnd(node, look)
        for signal in ["value-changed", "changed"] {
            Signal.connect(signal, of: UnsafeMutableRawPointer(adjustment)) { end.lookSoon() }
        }
        // Items that still fit into the visible area do not change the adjustment.
        if let items = node.scrolledItems {
            SignalClosure.connect("items-changed", of: UnsafeMutableRawPointer(items)) { end.lookSoon() }
        }
        end.lookSoon()
    }

    private func lookSoon() {
        guard !timer.isRunning else { return }
        // After the layout of the next frame.
        timer.start(after: .milliseconds(16)) { [weak self] in
            if let self { look(self) }
        }
    }

    /// Whether the end is within a number of pages, and was not reported for the present content.
    func isReached(within pages: Double) -> Bool {
        guard let node, let adjustment = node.verticalAdjustment else { return false }
        let page = gtk_adjustment_get_page_size(adjustment)
        let extent =
            node.scrolledItems.map { .items(Int(g_list_model_get_n_items($0))) }
            ?? Extent.points(gtk_adjustment_get_upper(adjustment))
        guard page > 0, extent != .items(0) else { return false }
        let rest = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_value(adjustment) - page
        guard rest <= max(0, pages) * page else {
            reported = nil
            return false
        }
        defer { reported = extent }
        return extent != reported
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

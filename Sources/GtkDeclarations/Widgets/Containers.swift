// Containers that place their children over each other.

import CRemoteImageGtk

/// A `GtkOverlay`: widgets on top of another one.
///
/// ```swift
/// Overlay {
///     NetworkImage(photo.address).frame(width: 160, height: 120)
/// } overlays: {
///     Label("new").cssClass("badge").align(horizontal: .end, vertical: .start)
/// }
/// ```
public struct Overlay: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - content: The main widget, which determines the size.
    ///   - overlays: The widgets on top of it. Their alignment places them; without one, they fill
    ///     the main widget.
    public init(
        @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget],
        @WidgetBuilder overlays: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = DeclaredWidget("GtkOverlay") { Widget(gtk_overlay_new()) }
            .containing(content).containing(overlays)
            .observing(content) { node, content in
                let overlay = node.opaque
                node.mainChild.update(toSingle: content) { gtk_overlay_set_child(overlay, $0) }
            }
            .observing(overlays) { node, overlays in
                let (overlay, pointer) = (node.opaque, node.pointer)
                node.updateChildren(to: overlays) { widget, previous in
                    if gtk_widget_get_parent(widget.pointer) == nil {
                        gtk_overlay_add_overlay(overlay, widget.pointer)
                    }
                    // A later overlay is drawn above an earlier one.
                    let below = previous?.pointer ?? gtk_overlay_get_child(overlay)
                    if gtk_widget_get_prev_sibling(widget.pointer) != below {
                        gtk_widget_insert_after(widget.pointer, pointer, below)
                    }
                } remove: { widget in
                    gtk_overlay_remove_overlay(overlay, widget.pointer)
                }
            }
    }
}

/// A `GtkScrolledWindow`.
public struct ScrollView: WidgetDeclaration {
    /// The directions in which content may be larger than the view.
    public enum Direction: Hashable, Sendable {
        case horizontal, vertical, both
    }

    public let body: DeclaredWidget

    /// - Parameters:
    ///   - direction: The direction in which the content may be larger. Default: `.vertical`.
    ///   - content: The scrolled widget.
    public init(
        _ direction: Direction = .vertical, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = DeclaredWidget("GtkScrolledWindow") {
            let scroller = Widget(gtk_scrolled_window_new())
            gtk_widget_set_hexpand(scroller.pointer, 1)
            gtk_widget_set_vexpand(scroller.pointer, 1)
            return scroller
        }
        .setting { node in
            gtk_scrolled_window_set_policy(
                node.opaque, direction == .vertical ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC,
                direction == .horizontal ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC)
        }
        .containing(content)
        .observing(content) { node, content in
            let scroller = node.opaque
            node.setChild(content) { gtk_scrolled_window_set_child(scroller, $0) }
        }
    }
}

/// A `GtkStack`: one of several pages is visible.
///
/// ```swift
/// Stack(selection: model.page) {
///     Stack.Page("photo") { RemoteImageViewer(photo.address) }
///     Stack.Page("about") { Label(photo.title) }
/// }
/// ```
///
/// All pages have their widgets, which are kept while another page is visible. Their views load
/// when the page becomes visible.
public struct Stack: WidgetDeclaration {
    /// A page of a stack.
    @MainActor
    public struct Page {
        /// Identified by the name.
        let content: DeclaredWidget

        /// - Parameters:
        ///   - name: The name by which the page is selected, unique in its stack.
        ///   - content: The widgets of the page, in a column.
        public init(_ name: String, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]) {
            self.content = Column(content: content).body.id(name)
        }
    }

    public let body: DeclaredWidget

    /// - Parameters:
    ///   - selection: The name of the visible page. It is evaluated again when an observable value
    ///     that it reads has changed.
    ///   - pages: The pages.
    public init(selection: @autoclosure @escaping @MainActor () -> String, pages: [Page]) {
        self.init(selection: selection()) { for page in pages { page } }
    }

    /// - Parameters:
    ///   - selection: The name of the visible page. It is evaluated again when an observable value
    ///     that it reads has changed.
    ///   - pages: The pages. It runs again when an observable value that it read has changed.
    public init(
        selection: @autoclosure @escaping @MainActor () -> String,
        @DeclarationBuilder<Page> pages: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = DeclaredWidget("GtkStack") {
            let stack = Widget(gtk_stack_new())
            gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
            return stack
        }
        .observing(pages) { node, pages in
            let stack = node.opaque
            var names = pages.map { $0.key.id?.base as? String }[...]
            node.updateChildren(to: pages) { widget, _ in
                let name = names.popFirst() ?? nil
                guard gtk_widget_get_parent(widget.pointer) == nil else { return }
                gtk_stack_add_named(stack, widget.pointer, name)
            } remove: { widget in
                gtk_stack_remove(stack, widget.pointer)
            }
            // The selected page may be a new one.
            Self.select(selection(), in: stack)
        }
        .observing(selection) { node, name in
            if !Self.select(name, in: node.opaque) { shim_warning("a stack has no page \"\(name)\"") }
        }
    }

    @discardableResult
    private static func select(_ name: String, in stack: OpaquePointer) -> Bool {
        guard gtk_stack_get_child_by_name(stack, name) != nil else { return false }
        gtk_stack_set_visible_child_name(stack, name)
        return true
    }
}

/// A `GtkHeaderBar`: widgets on both sides of the title of a window. See
/// ``Window/headerBar(start:end:)``.
public struct HeaderBar: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - start: The widgets before the title, in a row. It runs again when an observable value
    ///     that it read has changed.
    ///   - end: The widgets after the title, in a row.
    public init(
        @WidgetBuilder start: @escaping @MainActor () -> [DeclaredWidget],
        @WidgetBuilder end: @escaping @MainActor () -> [DeclaredWidget] = { [] }
    ) {
        body = DeclaredWidget("GtkHeaderBar") { Widget(gtk_header_bar_new()) }
            .containing(start).containing(end)
            .setting { node in
                let bar = node.opaque
                node.mainChild.update(toSingle: [Row(spacing: 6, content: start).body]) {
                    if let row = $0 { gtk_header_bar_pack_start(bar, row) }
                }
                node.children.update(toSingle: [Row(spacing: 6, content: end).body]) {
                    if let row = $0 { gtk_header_bar_pack_end(bar, row) }
                }
            }
    }
}

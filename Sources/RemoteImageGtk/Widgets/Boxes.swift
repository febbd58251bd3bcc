// Containers that lay out their children in a line.

import CRemoteImageGtk

/// A horizontal `GtkBox`: its children stand side by side.
public struct Row: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - spacing: The space between the children, in points. Default: 0.
    ///   - homogeneous: Whether all children have the same width. Default: `false`.
    ///   - content: The children, in order. It runs again when an observable value that it read has
    ///     changed.
    public init(
        spacing: Int = 0, homogeneous: Bool = false, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = DeclaredWidget.box("Row", spacing, content) { Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)) }
            .setting { node in gtk_box_set_homogeneous(node.typed(), homogeneous ? 1 : 0) }
    }
}

/// A vertical `GtkBox`: its children stand one below the other.
public struct Column: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - spacing: The space between the children, in points. Default: 0.
    ///   - content: The children, in order. It runs again when an observable value that it read has
    ///     changed.
    public init(spacing: Int = 0, @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]) {
        body = .box("Column", spacing, content) { Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }
    }
}

/// A `GtkFlowBox`: its children stand in lines, in aligned columns. For many children use a
/// list, which makes only the visible ones.
public struct FlowBox: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - columns: The minimum and the maximum number of children in a line, at least 1. Default:
    ///     1 to 7.
    ///   - spacing: The space between the children, in points. Default: 0.
    ///   - content: The children, in order. It runs again when an observable value that it read has
    ///     changed.
    public init(
        columns: ClosedRange<Int> = 1...7, spacing: Int = 0,
        @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        body = DeclaredWidget("GtkFlowBox") {
            let box = Widget(gtk_flow_box_new())
            gtk_flow_box_set_selection_mode(box.opaque, GTK_SELECTION_NONE)
            gtk_widget_set_valign(box.pointer, GTK_ALIGN_START)
            return box
        }
        .setting { node in
            gtk_flow_box_set_min_children_per_line(node.opaque, guint(clamping: max(1, columns.lowerBound)))
            gtk_flow_box_set_max_children_per_line(node.opaque, guint(clamping: max(1, columns.upperBound)))
            gtk_flow_box_set_row_spacing(node.opaque, guint(clamping: spacing))
            gtk_flow_box_set_column_spacing(node.opaque, guint(clamping: spacing))
        }
        .containing(content)
        .observing(content) { node, content in
            let box = node.opaque
            var position: Int32 = 0
            node.updateChildren(to: content) { widget, _ in
                defer { position += 1 }
                // The box wraps each child in a widget of its own.
                if let wrapper = gtk_widget_get_parent(widget.pointer) {
                    let child = UnsafeMutableRawPointer(wrapper).assumingMemoryBound(to: GtkFlowBoxChild.self)
                    guard gtk_flow_box_child_get_index(child) != position else { return }
                    gtk_flow_box_remove(box, widget.pointer)
                }
                gtk_flow_box_insert(box, widget.pointer, position)
            } remove: { widget in
                gtk_flow_box_remove(box, widget.pointer)
            }
        }
    }
}

/// Empty space in a ``Row`` or a ``Column``, which takes what the other widgets leave.
public struct Spacer: WidgetDeclaration {
    /// Creates a spacer.
    public init() {}

    public var body: DeclaredWidget {
        return DeclaredWidget("Spacer") {
            let space = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let pointer = space.pointer
            Signal.connect(property: "parent", of: pointer) {
                guard let parent = gtk_widget_get_parent(pointer) else { return }
                let isInColumn =
                    shim_is_a(parent, gtk_orientable_get_type()) != 0
                    && gtk_orientable_get_orientation(OpaquePointer(parent)) == GTK_ORIENTATION_VERTICAL
                gtk_widget_set_hexpand(pointer, isInColumn ? 0 : 1)
                gtk_widget_set_vexpand(pointer, isInColumn ? 1 : 0)
            }
            return space
        }
    }
}

extension Column {
    /// A column of widgets that are declared already. They keep their identities.
    init(_ declared: [DeclaredWidget]) {
        body = .box("Column", 0, { declared }) { Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }
    }
}

extension DeclaredWidget {
    fileprivate static func box(
        _ kind: String, _ spacing: Int, _ content: @escaping @MainActor () -> [DeclaredWidget],
        make: @escaping @MainActor () -> Widget
    ) -> DeclaredWidget {
        DeclaredWidget(kind, make: make)
            .setting { gtk_box_set_spacing($0.typed(), Int32(clamping: max(0, spacing))) }
            .containing(content)
            .observing(content) { node, content in
                let box = node.typed(GtkBox.self)
                node.updateChildren(to: content) { widget, previous in
                    if gtk_widget_get_parent(widget.pointer) == nil {
                        gtk_box_insert_child_after(box, widget.pointer, previous?.pointer)
                    } else if gtk_widget_get_prev_sibling(widget.pointer) != previous?.pointer {
                        gtk_box_reorder_child_after(box, widget.pointer, previous?.pointer)
                    }
                } remove: { widget in
                    gtk_box_remove(box, widget.pointer)
                }
            }
    }
}

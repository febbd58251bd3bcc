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
        body = .box("Row", content) { Widget(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)) }
            .spaced(spacing)
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
        body = .box("Column", content) { Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }.spaced(spacing)
    }
}

extension Column {
    /// A column of widgets that are declared already. They keep their identities.
    init(_ declared: [DeclaredWidget]) {
        body = .box("Column", { declared }) { Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)) }
    }
}

extension DeclaredWidget {
    fileprivate func spaced(_ spacing: Int) -> DeclaredWidget {
        setting { gtk_box_set_spacing($0.typed(), Int32(clamping: max(0, spacing))) }
    }

    /// A `GtkBox` with any layout.
    static func box(
        _ kind: String, _ content: @escaping @MainActor () -> [DeclaredWidget],
        make: @escaping @MainActor () -> Widget
    ) -> DeclaredWidget {
        DeclaredWidget(kind, make: make)
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

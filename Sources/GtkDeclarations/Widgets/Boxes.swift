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

/// Empty space in a ``Row`` or a ``Column``, which takes what the other widgets leave.
public struct Spacer: WidgetDeclaration {
    /// Creates a spacer.
    public init() {}

    public var body: DeclaredWidget {
        return DeclaredWidget("Spacer") {
            let space = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let pointer = space.pointer
            Signal.connect(property: "parent", of: pointer) {
                // A flow box is a `GtkBox` with another layout.
                guard let parent = gtk_widget_get_parent(pointer),
                    shim_is_a(gtk_widget_get_layout_manager(parent), gtk_box_layout_get_type()) != 0
                else { return }
                let isInColumn = gtk_orientable_get_orientation(OpaquePointer(parent)) == GTK_ORIENTATION_VERTICAL
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

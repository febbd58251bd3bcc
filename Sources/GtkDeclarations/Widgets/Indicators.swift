// Widgets that show a state: an icon, work in progress.

import CRemoteImageGtk

/// A spinning `GtkSpinner`.
public struct Spinner: WidgetDeclaration {
    /// Creates a spinner that spins while it is mapped.
    public init() {}

    public var body: DeclaredWidget {
        return DeclaredWidget("GtkSpinner") {
            let spinner = Widget(gtk_spinner_new())
            gtk_spinner_start(spinner.opaque)
            gtk_widget_set_halign(spinner.pointer, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(spinner.pointer, GTK_ALIGN_CENTER)
            return spinner
        }
    }
}

/// A `GtkProgressBar`.
public struct ProgressBar: WidgetDeclaration {
    public let body: DeclaredWidget

    package init(declared body: DeclaredWidget) { self.body = body }

    /// Creates a bar.
    ///
    /// - Parameter fraction: From 0 to 1. It is evaluated again when an observable value that it
    ///   reads has changed.
    public init(fraction: @autoclosure @escaping @MainActor () -> Double) {
        body = Self.declaration("GtkProgressBar").observing(fraction) { node, fraction in
            gtk_progress_bar_set_fraction(node.opaque, min(1, max(0, fraction)))
        }
    }

    package static func declaration(_ kind: String) -> DeclaredWidget {
        DeclaredWidget(kind) {
            let bar = Widget(gtk_progress_bar_new())
            gtk_widget_set_valign(bar.pointer, GTK_ALIGN_CENTER)
            return bar
        }
    }
}

/// A `GtkImage` with a themed icon, or with a remote image in its place. Screen readers ignore it:
/// put a text beside it.
public struct Icon: WidgetDeclaration {
    public let body: DeclaredWidget

    package init(declared body: DeclaredWidget) { self.body = body }

    /// - Parameters:
    ///   - name: The name of a themed icon. It is evaluated again when an observable value that it
    ///     reads has changed.
    ///   - size: The width and height, in points, at least 1. Default: `nil`, the normal size of
    ///     the theme.
    public init(_ name: @autoclosure @escaping @MainActor () -> String, size: Int? = nil) {
        body = Self.declaration("GtkImage", size).observing(name) { gtk_image_set_from_icon_name($0.opaque, $1) }
    }

    package static func declaration(_ kind: String, _ size: Int?) -> DeclaredWidget {
        DeclaredWidget(kind) {
            let icon = Widget(gtk_image_new())
            // Not the state `hidden`, which GTK changes whenever it shows the widget.
            shim_set_number(icon.pointer, "accessible-role", Int32(GTK_ACCESSIBLE_ROLE_NONE.rawValue))
            // GTK scales an image to the allocation, unlike a themed icon.
            gtk_widget_set_halign(icon.pointer, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(icon.pointer, GTK_ALIGN_CENTER)
            return icon
        }
        .setting { gtk_image_set_pixel_size($0.opaque, size.map { Int32(clamping: max(1, $0)) } ?? -1) }
    }
}

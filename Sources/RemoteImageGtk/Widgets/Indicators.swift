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

    /// Creates a bar that follows a load. It shows the fraction if the length is known; otherwise
    /// it pulses with each received chunk.
    ///
    /// - Parameter state: The state of the load.
    public init(_ state: LoadingState) {
        body = Self.declaration("GtkProgressBar of a load").observing({ state.progress }) { node, progress in
            if let fraction = progress.fraction {
                gtk_progress_bar_set_fraction(node.opaque, fraction)
            } else if progress.completedByteCount > 0 {
                gtk_progress_bar_pulse(node.opaque)
            }
        }
    }

    /// Creates a bar.
    ///
    /// - Parameter fraction: From 0 to 1. It is evaluated again when an observable value that it
    ///   reads has changed.
    public init(fraction: @autoclosure @escaping @MainActor () -> Double) {
        body = Self.declaration("GtkProgressBar").observing(fraction) { node, fraction in
            gtk_progress_bar_set_fraction(node.opaque, min(1, max(0, fraction)))
        }
    }

    private static func declaration(_ kind: String) -> DeclaredWidget {
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

    /// - Parameters:
    ///   - name: The name of a themed icon. It is evaluated again when an observable value that it
    ///     reads has changed.
    ///   - size: The width and height, in points, at least 1. Default: `nil`, the normal size of
    ///     the theme.
    public init(_ name: @autoclosure @escaping @MainActor () -> String, size: Int? = nil) {
        body = Self.declaration("GtkImage", size).observing(name) { gtk_image_set_from_icon_name($0.opaque, $1) }
    }

    /// Creates an icon that a remote image replaces once it is loaded.
    ///
    /// - Parameters:
    ///   - name: The name of a themed icon, shown until the image is loaded and after a failure.
    ///   - size: The width and height, in points, at least 1. Default: `nil`, the normal size of
    ///     the theme.
    ///   - source: The image. It is evaluated again when an observable value that it reads has
    ///     changed.
    public init(
        _ name: String, size: Int? = nil,
        image source: @autoclosure @escaping @MainActor () -> (some ImageSourceConvertible)?
    ) {
        body = Self.declaration("GtkImage of \(name)", size).observing({ source()?.imageSource }) { node, source in
            let shown = Self.shown[node.pointer]
            guard shown == nil || shown?.source != source else { return }
            Self.shown[node.pointer] = ShownSource(source)
            node.opaque.setImage(source, placeholder: .iconName(name))
        }
    }

    /// The remote image of an icon.
    private final class ShownSource {
        let source: ImageSource?

        init(_ source: ImageSource?) { self.source = source }
    }

    private static let shown = ObjectData<ShownSource>("remote-image-icon-source")

    private static func declaration(_ kind: String, _ size: Int?) -> DeclaredWidget {
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

// The built-in widgets for placeholders and failures. Programs pass other widgets as pointers.

import CRemoteImageGtk

/// A `GtkLabel` whose text wraps.
public struct Label: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameter text: The text, without markup.
    public init(_ text: String) {
        self.init(text, bindings: { _ in [] })
    }

    /// Creates a label whose text follows the progress of a load.
    ///
    /// ```swift
    /// Label(state) { state in "\(state.progress.completedByteCount) bytes" }
    /// ```
    public init(_ state: LoadingState, text: @escaping @MainActor (LoadingState) -> String) {
        self.init(text(state)) { label in [{ gtk_label_set_text(label.opaque, text($0)) }] }
    }

    private init(_ text: String, bindings: (Widget) -> [Widget.Binding]) {
        let widget = Widget(gtk_label_new(text))
        gtk_label_set_wrap(widget.opaque, 1)
        gtk_label_set_wrap_mode(widget.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(widget.opaque, GTK_JUSTIFY_CENTER)
        // Keeps the minimum and natural width small: the text may be long and the view small.
        gtk_label_set_width_chars(widget.opaque, 1)
        gtk_label_set_max_width_chars(widget.opaque, 40)
        content = Widget(widget.pointer, bindings: bindings(widget))
    }

    /// Limits the text to this many lines, at least 1, and ends longer text with an ellipsis.
    public func lineLimit(_ count: Int) -> Label {
        gtk_label_set_lines(content.opaque, Int32(clamping: max(1, count)))
        gtk_label_set_ellipsize(content.opaque, PANGO_ELLIPSIZE_END)
        return self
    }
}

/// A spinning `GtkSpinner`.
public struct Spinner: NetworkImageContentConvertible {
    public let content: Widget

    /// Creates a spinner that spins while it is mapped.
    public init() {
        content = Widget(gtk_spinner_new())
        gtk_spinner_start(content.opaque)
        gtk_widget_set_halign(content.pointer, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(content.pointer, GTK_ALIGN_CENTER)
    }
}

/// A `GtkProgressBar` that follows a load. It shows the fraction if the length is known; otherwise
/// it pulses with each received chunk.
public struct ProgressBar: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameter state: The initial state of the load that the bar follows.
    public init(_ state: LoadingState) {
        let bar = Widget(gtk_progress_bar_new())
        gtk_widget_set_valign(bar.pointer, GTK_ALIGN_CENTER)
        // Keeps a reference to the bar, which the program may remove from the content before the
        // load ends.
        let show: Widget.Binding = { state in
            if let fraction = state.progress.fraction {
                gtk_progress_bar_set_fraction(bar.opaque, fraction)
            } else if state.progress.completedByteCount > 0 {
                gtk_progress_bar_pulse(bar.opaque)
            }
        }
        show(state)
        content = Widget(bar.pointer, bindings: [show])
    }
}

/// A `GtkButton` with a label.
public struct Button: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameters:
    ///   - title: The text of the button.
    ///   - action: Called for each click.
    public init(_ title: String, action: @escaping @MainActor () -> Void) {
        content = Widget(gtk_button_new_with_label(title))
        gtk_widget_set_halign(content.pointer, GTK_ALIGN_CENTER)
        Signal.connect("clicked", of: content.pointer, action)
    }
}

/// A `GtkImage` with a themed icon of the normal size. Screen readers ignore it: put a text beside
/// it.
public struct Icon: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameter name: The name of a themed icon.
    public init(_ name: String) {
        content = Widget(gtk_image_new_from_icon_name(name))
        shim_update_hidden(content.pointer, 1)
    }
}

/// A `GtkBox`, centred vertically.
public struct Box: NetworkImageContentConvertible {
    /// The direction in which children are laid out.
    public enum Orientation: Hashable, Sendable {
        case horizontal, vertical
    }

    public let content: Widget

    /// - Parameters:
    ///   - orientation: The direction in which children are laid out. Default: `.vertical`.
    ///   - spacing: The space between the children, in points. Default: 0.
    ///   - children: The children, in order.
    public init(
        _ orientation: Orientation = .vertical, spacing: Int = 0, @ContentBuilder<Widget> children: () -> [Widget]
    ) {
        self.init(orientation, spacing: spacing, children())
    }

    init(_ orientation: Orientation = .vertical, spacing: Int, _ children: [Widget]) {
        self.init(
            gtk_box_new(
                orientation == .vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL,
                Int32(clamping: spacing)), children)
    }

    /// Makes a vertical box with the accessible role of an alert, which screen readers announce at
    /// once.
    static func alert(spacing: Int, _ children: [Widget]) -> Box {
        Box(shim_alert_box_new(Int32(clamping: spacing)), children)
    }

    private init(_ pointer: UnsafeMutablePointer<GtkWidget>, _ children: [Widget]) {
        let box = Widget(pointer)
        gtk_widget_set_valign(box.pointer, GTK_ALIGN_CENTER)
        for child in children {
            gtk_box_append(box.pointer.withMemoryRebound(to: GtkBox.self, capacity: 1) { $0 }, child.pointer)
        }
        content = Widget(box.pointer, bindings: children.flatMap(\.bindings))
    }
}

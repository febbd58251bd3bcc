import CRemoteImageGtk

/// A `GtkLabel` whose text wraps.
public struct Label: WidgetDeclaration {
    public private(set) var body: DeclaredWidget

    /// - Parameter text: The text, without markup. It is evaluated again when an observable value
    ///   that it reads has changed.
    public init(_ text: @autoclosure @escaping @MainActor () -> String) {
        body = Self.declaration.observing(text) { Self.set($1, in: $0.opaque) }
    }

    private static var declaration: DeclaredWidget {
        DeclaredWidget("GtkLabel") {
            let label = Widget(gtk_label_new(nil))
            gtk_label_set_wrap(label.opaque, 1)
            gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
            // Keeps the natural width small: the text may be long and the view small.
            gtk_label_set_max_width_chars(label.opaque, 40)
            // Otherwise, in a row, the text would wrap until it is as high as the other widgets.
            gtk_label_set_natural_wrap_mode(label.opaque, GTK_NATURAL_WRAP_NONE)
            return label
        }
    }

    private static func set(_ text: String, in label: OpaquePointer) {
        // Keeps the minimum width small. GTK warns of an empty label with a minimum width.
        gtk_label_set_width_chars(label, text.isEmpty ? -1 : 1)
        gtk_label_set_text(label, text)
    }

    /// Limits the text to this many lines, at least 1, and ends longer text with an ellipsis.
    public func lineLimit(_ count: Int) -> Label {
        var label = self
        label.body = body.modifier("lines") { node in
            gtk_label_set_lines(node.opaque, Int32(clamping: max(1, count)))
            gtk_label_set_ellipsize(node.opaque, PANGO_ELLIPSIZE_END)
        }
        return label
    }

    /// Sets the alignment of the text: 0 for the start of the line, 1 for its end. Default: 0.5,
    /// centered.
    public func textAlignment(_ alignment: Double) -> Label {
        var label = self
        label.body = body.modifier("alignment") { node in
            gtk_label_set_xalign(node.opaque, Float(alignment))
            gtk_label_set_justify(
                node.opaque,
                alignment < 0.5 ? GTK_JUSTIFY_LEFT : alignment > 0.5 ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_CENTER)
        }
        return label
    }
}

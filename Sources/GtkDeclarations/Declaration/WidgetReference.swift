import CRemoteImageGtk

/// Refers to a declared widget, to focus or render it.
///
/// ```swift
/// let field = WidgetReference()
///
/// Column {
///     SearchField(text: Binding(library, \.query)).reference(field)
///     Button("Search") { field.focus() }
/// }
/// ```
@MainActor
public final class WidgetReference {
    private var object: WeakObject?

    /// Refers to no widget yet.
    public init() {}

    /// The widget; `nil` before it is made and after it is destroyed.
    public var widget: Widget? { object?.strong().flatMap { Widget(of: $0.pointer) } }

    /// Gives the widget the keyboard focus. Returns whether it, or a widget in it, took the focus.
    @discardableResult
    public func focus() -> Bool { widget.map { gtk_widget_grab_focus($0.pointer) != 0 } ?? false }

    fileprivate func refer(to widget: UnsafeMutablePointer<GtkWidget>) {
        object = WeakObject(widget)
    }
}

extension WidgetDeclaration {
    /// Makes `reference` refer to the widget of this declaration.
    public func reference(_ reference: WidgetReference) -> Modified {
        modifier("reference") { reference.refer(to: $0.pointer) }
    }
}

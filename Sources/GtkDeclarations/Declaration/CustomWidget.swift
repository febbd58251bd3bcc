import CRemoteImageGtk

/// A widget of a class of another module, which applies some modifiers in its own way.
@MainActor
package protocol CustomWidget: AnyObject {
    /// Builds the content of the widget. It pauses with the widgets around it.
    var builder: ValueObserver { get }
    /// The lengths that a frame sets, in points; `nil` for those of the content.
    var fixedSize: (width: Int?, height: Int?) { get set }

    /// Sets the text that screen readers read for the widget.
    func setAccessibleLabel(_ text: String)
    /// Sets the items that the program adds to the context menu of the widget.
    func setMenuItems(_ items: @escaping ContextMenu.Items)
}

/// The custom widgets, by their pointers.
@MainActor
package enum CustomWidgets {
    private static let data = ObjectData<AnyObject>("remote-image-custom-widget")

    /// Call once for each widget, which retains `custom`.
    package static func add(_ custom: some CustomWidget, at widget: UnsafeMutablePointer<GtkWidget>) {
        data[widget] = custom
    }

    static func at(_ widget: UnsafeMutablePointer<GtkWidget>) -> (any CustomWidget)? {
        data[widget] as? any CustomWidget
    }
}

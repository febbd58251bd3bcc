import CRemoteImageGtk
import RemoteImageGtk
import XCTest

@MainActor
func children(of widget: UnsafeMutablePointer<GtkWidget>?) -> [UnsafeMutablePointer<GtkWidget>] {
    guard let first = gtk_widget_get_first_child(widget) else { return [] }
    return Array(sequence(first: first) { gtk_widget_get_next_sibling($0) })
}

/// The widget and its descendants, in order.
@MainActor
func descendants(of widget: UnsafeMutablePointer<GtkWidget>?) -> [UnsafeMutablePointer<GtkWidget>] {
    guard let widget else { return [] }
    return [widget] + children(of: widget).flatMap(descendants)
}

/// The first widget of a class at or below `widget`.
@MainActor
func first(_ type: GType, in widget: UnsafeMutablePointer<GtkWidget>?) -> OpaquePointer? {
    descendants(of: widget).first { g_type_check_instance_is_a(instance($0), type) != 0 }.map { OpaquePointer($0) }
}

/// The text of the first label at or below `widget`.
@MainActor
func text(in widget: UnsafeMutablePointer<GtkWidget>?) -> String? {
    first(gtk_label_get_type(), in: widget).map { String(cString: gtk_label_get_text($0)) }
}

/// The texts of the labels at or below `widget`, in order, without empty ones.
@MainActor
func texts(in widget: UnsafeMutablePointer<GtkWidget>?) -> [String] {
    descendants(of: widget).filter { shim_is_a($0, gtk_label_get_type()) != 0 }
        .map { String(cString: gtk_label_get_text(OpaquePointer($0))) }.filter { !$0.isEmpty }
}

/// The visible page of the loading indicator in `view`; `nil` during the delay in which it shows
/// nothing.
@MainActor
func indicatorPage(in view: RemoteImageView) -> String? {
    first(gtk_stack_get_type(), in: view.pointer)
        .flatMap { gtk_stack_get_visible_child_name($0) }.map { String(cString: $0) }
}

/// The existing windows of a class, shown or not.
@MainActor
func toplevels(of type: GType) -> [UnsafeMutablePointer<GtkWidget>] {
    let windows = gtk_window_get_toplevels()
    return (0..<g_list_model_get_n_items(windows)).compactMap { index in
        guard let window = g_list_model_get_item(windows, index) else { return nil }
        // GTK keeps a reference to its toplevels.
        g_object_unref(window)
        return shim_is_a(window, type) != 0 ? window.assumingMemoryBound(to: GtkWidget.self) : nil
    }
}

/// Waits for a window of a class, which must be the only one, until it is drawn.
@MainActor
func openedToplevel(
    of type: GType, _ test: GtkFixture, file: StaticString, line: UInt
) throws -> UnsafeMutablePointer<GtkWidget> {
    test.turn(file: file, line: line) { toplevels(of: type).contains { gtk_widget_get_mapped($0) != 0 } }
    XCTAssertEqual(toplevels(of: type).count, 1, file: file, line: line)
    let window = try XCTUnwrap(toplevels(of: type).first, file: file, line: line)
    test.draw(window)
    return window
}

private func instance(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GTypeInstance> {
    UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self)
}

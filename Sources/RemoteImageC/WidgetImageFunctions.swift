// The C functions of images in existing widgets. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_widget_image_get_type() -> GType { WidgetImageObject.type }

/// Calls `body` with a widget on the main actor.
private func withWidget(
    _ widget: UnsafeMutablePointer<GtkWidget>?, function: StaticString = #function,
    _ body: @MainActor (UnsafeMutablePointer<GtkWidget>) -> UnsafeMutableRawPointer?
) -> OpaquePointer? {
    guard MainLoop.isUsable(in: function.functionName) else { return nil }
    guard let widget, shim_is_a(widget, gtk_widget_get_type()) != 0 else {
        shim_critical("\(function.functionName): widget is no GtkWidget")
        return nil
    }
    // Neither leaves this call, which is on the main thread.
    nonisolated(unsafe) let given = widget
    nonisolated(unsafe) var result: UnsafeMutableRawPointer?
    MainActor.assumeIsolated { result = body(given) }
    return result.map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_widget_image_new(
    _ widget: UnsafeMutablePointer<GtkWidget>?, _ property_name: UnsafePointer<CChar>?
) -> OpaquePointer? {
    let property = property_name.map { String(cString: $0) }
    return withWidget(widget) {
        WidgetImageObject.make(for: $0, property: property, in: "remote_image_widget_image_new")
    }
}

@c @implementation
public func remote_image_set_image(
    _ widget: UnsafeMutablePointer<GtkWidget>?, _ uri: UnsafePointer<CChar>?
) -> OpaquePointer? {
    setImage(of: widget, uri: uri, source: nil)
}

@c @implementation
public func remote_image_set_image_source(
    _ widget: UnsafeMutablePointer<GtkWidget>?, _ source: OpaquePointer?
) -> OpaquePointer? {
    setImage(of: widget, uri: nil, source: source)
}

private func setImage(
    of widget: UnsafeMutablePointer<GtkWidget>?, uri: UnsafePointer<CChar>?, source: OpaquePointer?,
    function: StaticString = #function
) -> OpaquePointer? {
    let image = withWidget(widget, function: function) { widget in
        if let existing = WidgetImageObject.existing(of: widget) { return existing }
        let new = WidgetImageObject.make(for: widget, in: function.functionName)
        // The widget owns it.
        if let new { g_object_unref(new) }
        return new
    }
    if let image { shim_set_image(UnsafeMutableRawPointer(image), uri, source.map { UnsafeMutableRawPointer($0) }) }
    return image
}

@c @implementation
public func remote_image_widget_image_reload(_ self: OpaquePointer?) {
    WidgetImageObject.with(self, default: ()) { $0.reload() }
}

@c @implementation
public func remote_image_widget_image_cancel(_ self: OpaquePointer?) {
    WidgetImageObject.with(self, default: ()) { $0.cancel() }
}

@c @implementation
public func remote_image_widget_image_get_metrics(_ self: OpaquePointer?) -> OpaquePointer? {
    WidgetImageObject.with(self, default: nil) { $0.metrics.map { OpaquePointer($0) } }
}

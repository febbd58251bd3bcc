// The C functions for notifications, local files, and widgets with placeholders of their own. The
// names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

// MARK: Notifications

@c @implementation
public func remote_image_pipeline_load_icon_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ size: Int32, _ fit: GtkContentFit,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(Int(size), "size") else { return }
    let (request, fit) = (request(uri), ContentFit(fit))
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.icon(for: request, side: Int(size), fit: fit)
    }
}

@c @implementation
public func remote_image_pipeline_load_source_icon_async(
    _ self: OpaquePointer?, _ source: OpaquePointer?, _ size: Int32, _ fit: GtkContentFit,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard !isNegative(Int(size), "size"), let source = SourceArguments.source(source) else { return }
    let (request, fit) = (ImageRequest(source), ContentFit(fit))
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.icon(for: request, side: Int(size), fit: fit)
    }
}

extension ContentFit {
    fileprivate init(_ fit: GtkContentFit) {
        self =
            switch fit {
            case GTK_CONTENT_FIT_FILL: .stretch
            case GTK_CONTENT_FIT_COVER: .cover
            default: .contain
            }
    }
}

// MARK: Local files

@c @implementation
public func remote_image_file_get_type() -> GType { FileObject.type }

@c @implementation
public func remote_image_pipeline_load_file_async(
    _ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    let request = request(uri)
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.file(for: request)
    }
}

@c @implementation
public func remote_image_pipeline_load_source_file_async(
    _ self: OpaquePointer?, _ source: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?,
    _ callback: GAsyncReadyCallback?, _ user_data: gpointer?
) {
    guard let source = SourceArguments.source(source) else { return }
    start(self, cancellable, callback, user_data) {
        pipeline async throws(ImageError) in try await pipeline.file(for: ImageRequest(source))
    }
}

// MARK: Widgets with placeholders of their own

/// Calls `body` with a widget and the name of one of its properties.
private func withProperty(
    _ widget: UnsafeMutablePointer<GtkWidget>?, _ name: UnsafePointer<CChar>?, function: StaticString = #function,
    _ body: (UnsafeMutablePointer<GtkWidget>, String) -> Void
) {
    guard let widget, shim_is_a(widget, gtk_widget_get_type()) != 0 else {
        return shim_critical("\(function.functionName): widget is no GtkWidget")
    }
    guard let name else { return shim_critical("\(function.functionName): property_name is NULL") }
    body(widget, String(cString: name))
}

@c @implementation
public func remote_image_paintable_bind_widget(
    _ self: OpaquePointer?, _ widget: UnsafeMutablePointer<GtkWidget>?, _ property_name: UnsafePointer<CChar>?
) {
    // Neither leaves this call, which is on the main thread.
    nonisolated(unsafe) let (widget, property_name) = (widget, property_name)
    PaintableObject.with(self, default: ()) { paintable in
        withProperty(widget, property_name, function: "remote_image_paintable_bind_widget") { widget, name in
            guard !PaintableBinding.bind(paintable.object, to: widget, name) else { return }
            shim_critical(
                "remote_image_paintable_bind_widget: the widget has no writable property \(name) of type GdkPaintable")
        }
    }
}

@c @implementation
public func remote_image_paintable_unbind_widget(
    _ self: OpaquePointer?, _ widget: UnsafeMutablePointer<GtkWidget>?, _ property_name: UnsafePointer<CChar>?
) {
    // Neither leaves this call, which is on the main thread.
    nonisolated(unsafe) let (widget, property_name) = (widget, property_name)
    PaintableObject.with(self, default: ()) { paintable in
        withProperty(widget, property_name, function: "remote_image_paintable_unbind_widget") { widget, name in
            PaintableBinding.unbind(paintable.object, from: widget, name)
        }
    }
}

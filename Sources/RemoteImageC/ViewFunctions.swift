// The C functions of the view and the viewer. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_type() -> GType {
    RemoteImageViewState.type
}

@c @implementation
public func remote_image_view_new(_ uri: UnsafePointer<CChar>?) -> UnsafeMutablePointer<GtkWidget>? {
    guard MainLoop.isUsable(in: "remote_image_view_new") else { return nil }
    guard let view = shim_object_new(RemoteImageViewState.type) else { return nil }
    remote_image_view_set_uri(OpaquePointer(view), uri)
    return view.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_load(_ self: OpaquePointer?) {
    View.with(self, default: ()) { $0.load() }
}

@c @implementation
public func remote_image_view_reload(_ self: OpaquePointer?) {
    View.with(self, default: ()) { $0.reload() }
}

@c @implementation
public func remote_image_view_cancel(_ self: OpaquePointer?) {
    View.with(self, default: ()) { $0.cancel() }
}

@c @implementation
public func remote_image_view_get_error(_ self: OpaquePointer?) -> UnsafePointer<GError>? {
    View.with(self, default: nil) { $0.error.map { UnsafePointer($0) } }
}

// MARK: The viewer

@c @implementation
public func remote_image_viewer_fit_get_type() -> GType { Enumerations.viewerFit }

@c @implementation
public func remote_image_viewer_get_type() -> GType { ViewerObject.type }

@c @implementation
public func remote_image_viewer_new(_ uri: UnsafePointer<CChar>?) -> UnsafeMutablePointer<GtkWidget>? {
    guard MainLoop.isUsable(in: "remote_image_viewer_new") else { return nil }
    guard let viewer = shim_object_new(ViewerObject.type) else { return nil }
    remote_image_view_set_uri(remote_image_viewer_get_view(OpaquePointer(viewer)), uri)
    return viewer.assumingMemoryBound(to: GtkWidget.self)
}

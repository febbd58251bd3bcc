// The C functions of the widget: creation, actions, and the state of its image. The names are those
// of C.
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
    shim_set_pointer(view, "uri", uri)
    return view.assumingMemoryBound(to: GtkWidget.self)
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
public func remote_image_view_get_phase(_ self: OpaquePointer?) -> RemoteImagePhase {
    RemoteImagePhase(
        rawValue: UInt32(View.with(self, default: 0) { $0.phaseNumber }))
}

@c @implementation
public func remote_image_view_get_progress(_ self: OpaquePointer?) -> Double {
    View.with(self, default: 0) { $0.progress }
}

@c @implementation
public func remote_image_view_get_error(_ self: OpaquePointer?) -> UnsafePointer<GError>? {
    View.with(self, default: nil) { $0.error.map { UnsafePointer($0) } }
}

@c @implementation
public func remote_image_view_get_texture(_ self: OpaquePointer?) -> OpaquePointer? {
    View.with(self, default: nil) { $0.texturePointer.map { OpaquePointer($0) } }
}

@c @implementation
public func remote_image_view_get_image_width(_ self: OpaquePointer?) -> Int32 {
    View.with(self, default: 0) { Int32(clamping: $0.imageSize.width) }
}

@c @implementation
public func remote_image_view_get_image_height(_ self: OpaquePointer?) -> Int32 {
    View.with(self, default: 0) { Int32(clamping: $0.imageSize.height) }
}

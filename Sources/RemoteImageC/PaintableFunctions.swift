// The C functions of the paintable. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_paintable_get_type() -> GType { PaintableObject.type }

@c @implementation
public func remote_image_paintable_new(_ uri: UnsafePointer<CChar>?) -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_paintable_new") else { return nil }
    let paintable = shim_object_new(PaintableObject.type).map { OpaquePointer($0) }
    remote_image_paintable_set_uri(paintable, uri)
    return paintable
}

@c @implementation
public func remote_image_paintable_reload(_ self: OpaquePointer?) {
    PaintableObject.with(self, default: ()) { $0.reload() }
}

@c @implementation
public func remote_image_paintable_cancel(_ self: OpaquePointer?) {
    PaintableObject.with(self, default: ()) { $0.cancel() }
}

@c @implementation
public func remote_image_paintable_get_error(_ self: OpaquePointer?) -> UnsafePointer<GError>? {
    PaintableObject.with(self, default: nil) { $0.error.map { UnsafePointer($0) } }
}

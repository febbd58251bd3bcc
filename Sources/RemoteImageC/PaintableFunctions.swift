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
public func remote_image_paintable_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    PaintableObject.string(self, "uri", \.uri)
}

@c @implementation
public func remote_image_paintable_set_uri(_ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?) {
    PaintableObject.set(self, "uri", uri)
}

@c @implementation
public func remote_image_paintable_get_source(_ self: OpaquePointer?) -> OpaquePointer? {
    PaintableObject.object(self, \.sourceObject).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_paintable_set_source(_ self: OpaquePointer?, _ source: OpaquePointer?) {
    PaintableObject.set(self, "source", source.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_paintable_get_pipeline(_ self: OpaquePointer?) -> OpaquePointer? {
    PaintableObject.object(self, \.pipeline).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_paintable_set_pipeline(_ self: OpaquePointer?, _ pipeline: OpaquePointer?) {
    PaintableObject.set(self, "pipeline", pipeline.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_paintable_get_phase(_ self: OpaquePointer?) -> RemoteImagePhase {
    RemoteImagePhase(rawValue: UInt32(PaintableObject.with(self, default: 0) { $0.phaseNumber }))
}

@c @implementation
public func remote_image_paintable_get_progress(_ self: OpaquePointer?) -> Double {
    PaintableObject.with(self, default: 0) { $0.progress }
}

@c @implementation
public func remote_image_paintable_get_error(_ self: OpaquePointer?) -> UnsafePointer<GError>? {
    PaintableObject.with(self, default: nil) { $0.error.map { UnsafePointer($0) } }
}

@c @implementation
public func remote_image_paintable_get_texture(_ self: OpaquePointer?) -> OpaquePointer? {
    PaintableObject.with(self, default: nil) { $0.texturePointer.map { OpaquePointer($0) } }
}

@c @implementation
public func remote_image_paintable_get_image_width(_ self: OpaquePointer?) -> Int32 {
    PaintableObject.with(self, default: 0) { Int32(clamping: $0.imageSize.width) }
}

@c @implementation
public func remote_image_paintable_get_image_height(_ self: OpaquePointer?) -> Int32 {
    PaintableObject.with(self, default: 0) { Int32(clamping: $0.imageSize.height) }
}

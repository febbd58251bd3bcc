// The C functions of the paintable. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGtk
import CRemoteImage
import RemoteImageGtk

private func with<Result>(
    _ pointer: OpaquePointer?, _ function: StaticString, default fallback: Result,
    _ body: @MainActor (PaintableObject) -> Result
) -> Result {
    guard let pointer = Instance.check(pointer, PaintableObject.type, "\(function)") else { return fallback }
    return Instance.onMain(pointer) { body(PaintableObject.of($0)) }
}

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
    with(self, "remote_image_paintable_reload", default: ()) { paintable in paintable.reload() }
}

@c @implementation
public func remote_image_paintable_cancel(_ self: OpaquePointer?) {
    with(self, "remote_image_paintable_cancel", default: ()) { paintable in paintable.cancel() }
}

@c @implementation
public func remote_image_paintable_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    with(self, "remote_image_paintable_get_uri", default: nil) { paintable in
        Instance.keep(paintable.properties.uri, as: "uri", in: paintable.object)
    }
}

@c @implementation
public func remote_image_paintable_set_uri(_ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?) {
    guard let paintable = Instance.check(self, PaintableObject.type, "remote_image_paintable_set_uri") else { return }
    shim_set_pointer(paintable, "uri", uri)
}

@c @implementation
public func remote_image_paintable_get_pipeline(_ self: OpaquePointer?) -> OpaquePointer? {
    with(self, "remote_image_paintable_get_pipeline", default: nil) { paintable in
        paintable.properties.pipeline.pointer.map { OpaquePointer($0) }
    }
}

@c @implementation
public func remote_image_paintable_set_pipeline(_ self: OpaquePointer?, _ pipeline: OpaquePointer?) {
    guard let paintable = Instance.check(self, PaintableObject.type, "remote_image_paintable_set_pipeline") else {
        return
    }
    shim_set_pointer(paintable, "pipeline", pipeline.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_paintable_get_phase(_ self: OpaquePointer?) -> RemoteImagePhase {
    let phase = with(self, "remote_image_paintable_get_phase", default: 0) { paintable in paintable.phaseNumber }
    return RemoteImagePhase(rawValue: UInt32(phase))
}

@c @implementation
public func remote_image_paintable_get_progress(_ self: OpaquePointer?) -> Double {
    with(self, "remote_image_paintable_get_progress", default: 0) { paintable in paintable.progress }
}

@c @implementation
public func remote_image_paintable_get_error(_ self: OpaquePointer?) -> UnsafePointer<GError>? {
    with(self, "remote_image_paintable_get_error", default: nil) { paintable in
        paintable.error.map { UnsafePointer($0) }
    }
}

@c @implementation
public func remote_image_paintable_get_texture(_ self: OpaquePointer?) -> OpaquePointer? {
    with(self, "remote_image_paintable_get_texture", default: nil) { paintable in
        paintable.texturePointer.map { OpaquePointer($0) }
    }
}

@c @implementation
public func remote_image_paintable_get_image_width(_ self: OpaquePointer?) -> Int32 {
    with(self, "remote_image_paintable_get_image_width", default: 0) { paintable in
        Int32(clamping: paintable.imageSize.width)
    }
}

@c @implementation
public func remote_image_paintable_get_image_height(_ self: OpaquePointer?) -> Int32 {
    with(self, "remote_image_paintable_get_image_height", default: 0) { paintable in
        Int32(clamping: paintable.imageSize.height)
    }
}

// The C functions of the widget: the processing and the display of its image. The names are
// those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_processor(_ self: OpaquePointer?) -> OpaquePointer? {
    View.object(self, \.display.processor).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_view_set_processor(_ self: OpaquePointer?, _ processor: OpaquePointer?) {
    View.set(self, "processor", processor.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_view_get_image_scale(_ self: OpaquePointer?) -> Double {
    View.value(self, \.display.scale, default: 1)
}

@c @implementation
public func remote_image_view_set_image_scale(_ self: OpaquePointer?, _ image_scale: Double) {
    View.set(self, "image-scale", double: image_scale)
}

@c @implementation
public func remote_image_view_get_xalign(_ self: OpaquePointer?) -> Double {
    View.value(self, \.display.xAlign, default: 0.5)
}

@c @implementation
public func remote_image_view_set_xalign(_ self: OpaquePointer?, _ xalign: Double) {
    View.set(self, "xalign", double: xalign)
}

@c @implementation
public func remote_image_view_get_yalign(_ self: OpaquePointer?) -> Double {
    View.value(self, \.display.yAlign, default: 0.5)
}

@c @implementation
public func remote_image_view_set_yalign(_ self: OpaquePointer?, _ yalign: Double) {
    View.set(self, "yalign", double: yalign)
}

@c @implementation
public func remote_image_view_get_playing(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.display.isPlaying, default: true) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_playing(_ self: OpaquePointer?, _ playing: gboolean) {
    View.set(self, "playing", number: playing)
}

@c @implementation
public func remote_image_view_get_context_menu(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.display.hasContextMenu, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_context_menu(_ self: OpaquePointer?, _ context_menu: gboolean) {
    View.set(self, "context-menu", number: context_menu)
}

@c @implementation
public func remote_image_view_get_animated(_ self: OpaquePointer?) -> gboolean {
    View.with(self, default: 0) { $0.isAnimated ? 1 : 0 }
}

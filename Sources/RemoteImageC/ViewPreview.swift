// The C functions of the widget: what it shows until the image is loaded. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_blur_hash(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "blur-hash", \.display.blurHash)
}

@c @implementation
public func remote_image_view_set_blur_hash(_ self: OpaquePointer?, _ blur_hash: UnsafePointer<CChar>?) {
    View.set(self, "blur-hash", blur_hash)
}

@c @implementation
public func remote_image_view_get_previews(_ self: OpaquePointer?) -> RemoteImagePreviewOptions {
    RemoteImagePreviewOptions(rawValue: View.value(self, \.loading.previews, default: 0))
}

@c @implementation
public func remote_image_view_set_previews(_ self: OpaquePointer?, _ previews: RemoteImagePreviewOptions) {
    View.set(self, "previews", number: Int32(bitPattern: previews.rawValue))
}

@c @implementation
public func remote_image_view_get_aspect_ratio(_ self: OpaquePointer?) -> Double {
    View.value(self, \.display.aspectRatio, default: 0)
}

@c @implementation
public func remote_image_view_set_aspect_ratio(_ self: OpaquePointer?, _ aspect_ratio: Double) {
    View.set(self, "aspect-ratio", double: aspect_ratio)
}

@c @implementation
public func remote_image_view_get_reserved_width(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.display.reservedWidth, default: 0)
}

@c @implementation
public func remote_image_view_set_reserved_width(_ self: OpaquePointer?, _ reserved_width: Int32) {
    View.set(self, "reserved-width", number: reserved_width)
}

@c @implementation
public func remote_image_view_get_reserved_height(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.display.reservedHeight, default: 0)
}

@c @implementation
public func remote_image_view_set_reserved_height(_ self: OpaquePointer?, _ reserved_height: Int32) {
    View.set(self, "reserved-height", number: reserved_height)
}

@c @implementation
public func remote_image_view_get_transition_cached(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.display.transitionsCached, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_transition_cached(_ self: OpaquePointer?, _ transition_cached: gboolean) {
    View.set(self, "transition-cached", number: transition_cached)
}

@c @implementation
public func remote_image_preview_options_get_type() -> GType { Enumerations.previewOptions }

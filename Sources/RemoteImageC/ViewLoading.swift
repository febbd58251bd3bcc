// The C functions of the widget: loading. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_load_options(_ self: OpaquePointer?) -> RemoteImageLoadOptions {
    RemoteImageLoadOptions(rawValue: View.value(self, \.loadOptions, default: 0))
}

@c @implementation
public func remote_image_view_set_load_options(_ self: OpaquePointer?, _ load_options: RemoteImageLoadOptions) {
    View.set(
        self, "load-options", number: Int32(bitPattern: load_options.rawValue))
}

@c @implementation
public func remote_image_view_get_cache_policy(_ self: OpaquePointer?) -> RemoteImageCachePolicy {
    RemoteImageCachePolicy(
        rawValue: UInt32(bitPattern: View.value(self, \.cachePolicy, default: 0)))
}

@c @implementation
public func remote_image_view_set_cache_policy(_ self: OpaquePointer?, _ cache_policy: RemoteImageCachePolicy) {
    View.set(
        self, "cache-policy", number: Int32(bitPattern: cache_policy.rawValue))
}

@c @implementation
public func remote_image_view_get_stored_sizes(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.storedSizes, default: true) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_stored_sizes(_ self: OpaquePointer?, _ stored_sizes: gboolean) {
    View.set(self, "stored-sizes", number: stored_sizes)
}

@c @implementation
public func remote_image_view_get_priority(_ self: OpaquePointer?) -> RemoteImagePriority {
    RemoteImagePriority(rawValue: View.value(self, \.priority, default: 0))
}

@c @implementation
public func remote_image_view_set_priority(_ self: OpaquePointer?, _ priority: RemoteImagePriority) {
    View.set(self, "priority", number: priority.rawValue)
}

@c @implementation
public func remote_image_view_get_max_pixel_size(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.maxPixelSize, default: 0)
}

@c @implementation
public func remote_image_view_set_max_pixel_size(_ self: OpaquePointer?, _ max_pixel_size: Int32) {
    View.set(self, "max-pixel-size", number: max_pixel_size)
}

@c @implementation
public func remote_image_view_get_keep_while_loading(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.keepWhileLoading, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_keep_while_loading(_ self: OpaquePointer?, _ keep_while_loading: gboolean) {
    View.set(self, "keep-while-loading", number: keep_while_loading)
}

@c @implementation
public func remote_image_view_get_transition_duration(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.transitionDuration, default: 0)
}

@c @implementation
public func remote_image_view_set_transition_duration(_ self: OpaquePointer?, _ transition_duration: Int32) {
    View.set(self, "transition-duration", number: transition_duration)
}

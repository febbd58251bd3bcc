// The C functions of the widget: when it requests its image, and the limits of the load. The names
// are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_load(_ self: OpaquePointer?) {
    View.with(self, default: ()) { $0.load() }
}

@c @implementation
public func remote_image_view_get_delay(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.delay, default: 0)
}

@c @implementation
public func remote_image_view_set_delay(_ self: OpaquePointer?, _ delay: Int32) {
    View.set(self, "delay", number: delay)
}

@c @implementation
public func remote_image_view_get_viewport_margin(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.viewportMargin, default: 200)
}

@c @implementation
public func remote_image_view_set_viewport_margin(_ self: OpaquePointer?, _ viewport_margin: Int32) {
    View.set(self, "viewport-margin", number: viewport_margin)
}

@c @implementation
public func remote_image_view_get_disappear_delay(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.disappearDelay, default: 300)
}

@c @implementation
public func remote_image_view_set_disappear_delay(_ self: OpaquePointer?, _ disappear_delay: Int32) {
    View.set(self, "disappear-delay", number: disappear_delay)
}

@c @implementation
public func remote_image_view_get_release_delay(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.releaseDelay, default: 5_000)
}

@c @implementation
public func remote_image_view_set_release_delay(_ self: OpaquePointer?, _ release_delay: Int32) {
    View.set(self, "release-delay", number: release_delay)
}

@c @implementation
public func remote_image_view_get_expiry(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.expiry, default: -1)
}

@c @implementation
public func remote_image_view_set_expiry(_ self: OpaquePointer?, _ expiry: Int32) {
    View.set(self, "expiry", number: expiry)
}

@c @implementation
public func remote_image_view_get_show_stored_while_loading(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.loading.showsStored, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_show_stored_while_loading(
    _ self: OpaquePointer?, _ show_stored_while_loading: gboolean
) {
    View.set(self, "show-stored-while-loading", number: show_stored_while_loading)
}

@c @implementation
public func remote_image_view_get_timeout(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.timeout, default: 0)
}

@c @implementation
public func remote_image_view_set_timeout(_ self: OpaquePointer?, _ timeout: Int32) {
    View.set(self, "timeout", number: timeout)
}

@c @implementation
public func remote_image_view_get_max_retries(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.loading.maxRetries, default: -1)
}

@c @implementation
public func remote_image_view_set_max_retries(_ self: OpaquePointer?, _ max_retries: Int32) {
    View.set(self, "max-retries", number: max_retries)
}

@c @implementation
public func remote_image_view_get_wait_for_network(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.loading.waitsForNetwork, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_wait_for_network(_ self: OpaquePointer?, _ wait_for_network: gboolean) {
    View.set(self, "wait-for-network", number: wait_for_network)
}

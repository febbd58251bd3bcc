// The C functions of the widget: appearance. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGtk
import CRemoteImage
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_content_fit(_ self: OpaquePointer?) -> RemoteImageContentFit {
    RemoteImageContentFit(
        rawValue: UInt32(bitPattern: View.value(self, "remote_image_view_get_content_fit", \.contentFit, default: 0)))
}

@c @implementation
public func remote_image_view_set_content_fit(_ self: OpaquePointer?, _ content_fit: RemoteImageContentFit) {
    View.set(self, "remote_image_view_set_content_fit", "content-fit", number: Int32(bitPattern: content_fit.rawValue))
}

@c @implementation
public func remote_image_view_get_corner_radius(_ self: OpaquePointer?) -> Int32 {
    View.value(self, "remote_image_view_get_corner_radius", \.cornerRadius, default: 0)
}

@c @implementation
public func remote_image_view_set_corner_radius(_ self: OpaquePointer?, _ corner_radius: Int32) {
    View.set(self, "remote_image_view_set_corner_radius", "corner-radius", number: corner_radius)
}

@c @implementation
public func remote_image_view_get_alternative_text(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "remote_image_view_get_alternative_text", "alternative-text", \.alternativeText)
}

@c @implementation
public func remote_image_view_set_alternative_text(_ self: OpaquePointer?, _ alternative_text: UnsafePointer<CChar>?) {
    View.set(self, "remote_image_view_set_alternative_text", "alternative-text", alternative_text)
}

@c @implementation
public func remote_image_view_get_decorative(_ self: OpaquePointer?) -> gboolean {
    View.value(self, "remote_image_view_get_decorative", \.decorative, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_decorative(_ self: OpaquePointer?, _ decorative: gboolean) {
    View.set(self, "remote_image_view_set_decorative", "decorative", number: decorative)
}

@c @implementation
public func remote_image_view_get_placeholder(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, "remote_image_view_get_placeholder", \.placeholder)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_placeholder(_ self: OpaquePointer?, _ placeholder: UnsafeMutablePointer<GtkWidget>?) {
    View.set(self, "remote_image_view_set_placeholder", "placeholder", placeholder)
}

@c @implementation
public func remote_image_view_get_failure(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, "remote_image_view_get_failure", \.failure)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_failure(_ self: OpaquePointer?, _ failure: UnsafeMutablePointer<GtkWidget>?) {
    View.set(self, "remote_image_view_set_failure", "failure", failure)
}

@c @implementation
public func remote_image_view_get_placeholder_icon_name(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "remote_image_view_get_placeholder_icon_name", "placeholder-icon-name", \.placeholderIconName)
}

@c @implementation
public func remote_image_view_set_placeholder_icon_name(
    _ self: OpaquePointer?, _ placeholder_icon_name: UnsafePointer<CChar>?
) {
    View.set(self, "remote_image_view_set_placeholder_icon_name", "placeholder-icon-name", placeholder_icon_name)
}

@c @implementation
public func remote_image_view_get_thumb_hash(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "remote_image_view_get_thumb_hash", "thumb-hash", \.thumbHash)
}

@c @implementation
public func remote_image_view_set_thumb_hash(_ self: OpaquePointer?, _ thumb_hash: UnsafePointer<CChar>?) {
    View.set(self, "remote_image_view_set_thumb_hash", "thumb-hash", thumb_hash)
}

// The C functions of the widget: appearance. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_content_fit(_ self: OpaquePointer?) -> RemoteImageContentFit {
    RemoteImageContentFit(
        rawValue: UInt32(bitPattern: View.value(self, \.contentFit, default: 0)))
}

@c @implementation
public func remote_image_view_set_content_fit(_ self: OpaquePointer?, _ content_fit: RemoteImageContentFit) {
    View.set(self, "content-fit", number: Int32(bitPattern: content_fit.rawValue))
}

@c @implementation
public func remote_image_view_get_corner_radius(_ self: OpaquePointer?) -> Int32 {
    View.value(self, \.cornerRadius, default: 0)
}

@c @implementation
public func remote_image_view_set_corner_radius(_ self: OpaquePointer?, _ corner_radius: Int32) {
    View.set(self, "corner-radius", number: corner_radius)
}

@c @implementation
public func remote_image_view_get_alternative_text(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "alternative-text", \.alternativeText)
}

@c @implementation
public func remote_image_view_set_alternative_text(_ self: OpaquePointer?, _ alternative_text: UnsafePointer<CChar>?) {
    View.set(self, "alternative-text", alternative_text)
}

@c @implementation
public func remote_image_view_get_decorative(_ self: OpaquePointer?) -> gboolean {
    View.value(self, \.decorative, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_decorative(_ self: OpaquePointer?, _ decorative: gboolean) {
    View.set(self, "decorative", number: decorative)
}

@c @implementation
public func remote_image_view_get_placeholder(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, \.placeholder)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_placeholder(_ self: OpaquePointer?, _ placeholder: UnsafeMutablePointer<GtkWidget>?) {
    View.set(self, "placeholder", placeholder)
}

@c @implementation
public func remote_image_view_get_failure(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, \.failure)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_failure(_ self: OpaquePointer?, _ failure: UnsafeMutablePointer<GtkWidget>?) {
    View.set(self, "failure", failure)
}

@c @implementation
public func remote_image_view_get_placeholder_icon_name(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "placeholder-icon-name", \.placeholderIconName)
}

@c @implementation
public func remote_image_view_set_placeholder_icon_name(
    _ self: OpaquePointer?, _ placeholder_icon_name: UnsafePointer<CChar>?
) {
    View.set(self, "placeholder-icon-name", placeholder_icon_name)
}

@c @implementation
public func remote_image_view_get_thumb_hash(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "thumb-hash", \.thumbHash)
}

@c @implementation
public func remote_image_view_set_thumb_hash(_ self: OpaquePointer?, _ thumb_hash: UnsafePointer<CChar>?) {
    View.set(self, "thumb-hash", thumb_hash)
}

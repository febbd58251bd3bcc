// The widget in C: how it looks.
// The names are those of C.
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
    View.change(self, "remote_image_view_set_content_fit", "content-fit") {
        $0.contentFit = Int32(bitPattern: content_fit.rawValue)
    }
}

@c @implementation
public func remote_image_view_get_corner_radius(_ self: OpaquePointer?) -> Int32 {
    View.value(self, "remote_image_view_get_corner_radius", \.cornerRadius, default: 0)
}

@c @implementation
public func remote_image_view_set_corner_radius(_ self: OpaquePointer?, _ corner_radius: Int32) {
    View.change(self, "remote_image_view_set_corner_radius", "corner-radius") { $0.cornerRadius = corner_radius }
}

@c @implementation
public func remote_image_view_get_alternative_text(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "remote_image_view_get_alternative_text", "alternative-text", \.alternativeText)
}

@c @implementation
public func remote_image_view_set_alternative_text(_ self: OpaquePointer?, _ alternative_text: UnsafePointer<CChar>?) {
    View.change(self, "remote_image_view_set_alternative_text", "alternative-text") {
        $0.alternativeText = alternative_text.map { String(cString: $0) }
    }
}

@c @implementation
public func remote_image_view_get_decorative(_ self: OpaquePointer?) -> gboolean {
    View.value(self, "remote_image_view_get_decorative", \.decorative, default: false) ? 1 : 0
}

@c @implementation
public func remote_image_view_set_decorative(_ self: OpaquePointer?, _ decorative: gboolean) {
    View.change(self, "remote_image_view_set_decorative", "decorative") { $0.decorative = decorative != 0 }
}

@c @implementation
public func remote_image_view_get_placeholder(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, "remote_image_view_get_placeholder", \.placeholder)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_placeholder(_ self: OpaquePointer?, _ placeholder: UnsafeMutablePointer<GtkWidget>?) {
    View.change(self, "remote_image_view_set_placeholder", "placeholder") { $0.placeholder = ObjectSlot(placeholder) }
}

@c @implementation
public func remote_image_view_get_failure(_ self: OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>? {
    View.object(self, "remote_image_view_get_failure", \.failure)?.assumingMemoryBound(to: GtkWidget.self)
}

@c @implementation
public func remote_image_view_set_failure(_ self: OpaquePointer?, _ failure: UnsafeMutablePointer<GtkWidget>?) {
    View.change(self, "remote_image_view_set_failure", "failure") { $0.failure = ObjectSlot(failure) }
}

@c @implementation
public func remote_image_view_get_placeholder_icon_name(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "remote_image_view_get_placeholder_icon_name", "placeholder-icon-name", \.placeholderIconName)
}

@c @implementation
public func remote_image_view_set_placeholder_icon_name(
    _ self: OpaquePointer?, _ placeholder_icon_name: UnsafePointer<CChar>?
) {
    View.change(self, "remote_image_view_set_placeholder_icon_name", "placeholder-icon-name") {
        $0.placeholderIconName = placeholder_icon_name.map { String(cString: $0) }
    }
}

// The C functions of the widget: the source of its image. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

@c @implementation
public func remote_image_view_get_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "uri", \.uri)
}

@c @implementation
public func remote_image_view_set_uri(_ self: OpaquePointer?, _ uri: UnsafePointer<CChar>?) {
    View.set(self, "uri", uri)
}

@c @implementation
public func remote_image_view_get_source(_ self: OpaquePointer?) -> OpaquePointer? {
    View.object(self, \.sourceObject).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_view_set_source(_ self: OpaquePointer?, _ source: OpaquePointer?) {
    View.set(self, "source", source.map { UnsafeRawPointer($0) })
}

@c @implementation
public func remote_image_view_get_low_data_uri(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "low-data-uri", \.lowDataURI)
}

@c @implementation
public func remote_image_view_set_low_data_uri(_ self: OpaquePointer?, _ low_data_uri: UnsafePointer<CChar>?) {
    View.set(self, "low-data-uri", low_data_uri)
}

@c @implementation
public func remote_image_view_get_fallback_uris(_ self: OpaquePointer?) -> UnsafePointer<UnsafePointer<CChar>?>? {
    View.strings(self, "fallback-uris", \.fallbackURIs)
}

@c @implementation
public func remote_image_view_set_fallback_uris(
    _ self: OpaquePointer?, _ fallback_uris: UnsafePointer<UnsafePointer<CChar>?>?
) {
    View.set(self, "fallback-uris", fallback_uris)
}

@c @implementation
public func remote_image_view_get_identity(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    View.string(self, "identity", \.identity)
}

@c @implementation
public func remote_image_view_set_identity(_ self: OpaquePointer?, _ identity: UnsafePointer<CChar>?) {
    View.set(self, "identity", identity)
}

@c @implementation
public func remote_image_view_get_headers(_ self: OpaquePointer?) -> UnsafePointer<UnsafePointer<CChar>?>? {
    View.strings(self, "headers", \.headers)
}

@c @implementation
public func remote_image_view_set_headers(_ self: OpaquePointer?, _ headers: UnsafePointer<UnsafePointer<CChar>?>?) {
    View.set(self, "headers", headers)
}

@c @implementation
public func remote_image_view_get_pipeline(_ self: OpaquePointer?) -> OpaquePointer? {
    View.object(self, \.pipeline).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_view_set_pipeline(_ self: OpaquePointer?, _ pipeline: OpaquePointer?) {
    View.set(self, "pipeline", pipeline.map { UnsafeRawPointer($0) })
}

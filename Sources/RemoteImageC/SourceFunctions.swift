// The C functions of sources. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

private typealias Arguments = SourceArguments

@c @implementation
public func remote_image_source_get_type() -> GType { SourceObject.type }

@c @implementation
public func remote_image_source_new_for_uri(
    _ uri: UnsafePointer<CChar>?, _ identity: UnsafePointer<CChar>?
) -> OpaquePointer? {
    let source = ImageSource(Arguments.text(uri))
    return Arguments.make(Arguments.optional(identity).map { source.identified(by: $0) } ?? source)
}

@c @implementation
public func remote_image_source_new_for_file(_ file: OpaquePointer?) -> OpaquePointer? {
    guard shim_is_a(file.map { UnsafeMutableRawPointer($0) }, g_file_get_type()) != 0 else {
        shim_critical("remote_image_source_new_for_file: file is no GFile")
        return nil
    }
    if let path = g_file_get_path(file) {
        defer { g_free(path) }
        return Arguments.make(.file(FilePath(cString: path)))
    }
    let name = g_file_get_uri(file)
    defer { g_free(name) }
    let identity = Arguments.text(name)
    return Arguments.make(
        ImageSource.bytes(identity: identity) {
            throw ImageError(.forbiddenScheme, "\(identity): the file has no local path")
        })
}

@c @implementation
public func remote_image_source_new_for_bytes(
    _ identity: UnsafePointer<CChar>?, _ bytes: OpaquePointer?
) -> OpaquePointer? {
    guard let identity = Arguments.identity(identity), let bytes = Arguments.bytes(bytes) else { return nil }
    return Arguments.make(.bytes(bytes, identity: identity))
}

@c @implementation
public func remote_image_source_new_for_stream(
    _ identity: UnsafePointer<CChar>?, _ func: RemoteImageByteFunc?, _ user_data: gpointer?, _ destroy: GDestroyNotify?
) -> OpaquePointer? {
    // Owned from here on, so that it is also released if no source is made.
    let data = CallbackData(user_data, destroy)
    guard let identity = Arguments.identity(identity) else { return nil }
    guard let function = `func` else {
        shim_critical("remote_image_source_new_for_stream: func is NULL")
        return nil
    }
    return Arguments.make(
        ByteRequestObject.source(identity: identity) { request in function(OpaquePointer(request), data.pointer) })
}

@c @implementation
public func remote_image_source_new_fallbacks(
    _ sources: UnsafePointer<OpaquePointer?>?, _ n_sources: gsize
) -> OpaquePointer? {
    Arguments.make(Arguments.sources(sources, n_sources).map { ImageSource.fallbacks($0) })
}

@c @implementation
public func remote_image_source_new_adaptive(_ regular: OpaquePointer?, _ low_data: OpaquePointer?) -> OpaquePointer? {
    guard let regular = Arguments.source(regular, as: "regular"),
        let lowData = Arguments.source(low_data, as: "low_data")
    else { return nil }
    return Arguments.make(.adaptive(regular: regular, lowData: lowData))
}

@c @implementation
public func remote_image_source_ignoring_query_items(
    _ self: OpaquePointer?, _ names: UnsafePointer<UnsafePointer<CChar>?>?
) -> OpaquePointer? {
    let names = Set(StringVector.strings(names))
    return Arguments.make(Arguments.source(self, as: "self")?.ignoringQueryItems(names))
}

@c @implementation
public func remote_image_source_get_identity(_ self: OpaquePointer?) -> UnsafePointer<CChar>? {
    SourceObject.string(self, "identity") { $0.source.identity }
}

@c @implementation
public func remote_image_source_to_string(_ self: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    SourceObject.with(self, default: nil) { g_strdup($0.source.description) }
}

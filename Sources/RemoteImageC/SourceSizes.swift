// The C functions of sources of several sizes. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

private typealias Arguments = SourceArguments

@c @implementation
public func remote_image_size_options_get_type() -> GType { SizeOptionsObject.type }

@c @implementation
public func remote_image_size_options_new() -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_size_options_new") else { return nil }
    return shim_object_new(SizeOptionsObject.type).map { OpaquePointer($0) }
}

@c @implementation
public func remote_image_source_new_sized(
    _ identity: UnsafePointer<CChar>?, _ options: OpaquePointer?, _ func: RemoteImageSizedFunc?, _ user_data: gpointer?
) -> OpaquePointer? {
    guard MainLoop.isUsable(in: "remote_image_source_new_sized"), let identity = Arguments.identity(identity),
        let options = Arguments.options(options)
    else { return nil }
    guard let function = `func` else {
        shim_critical("remote_image_source_new_sized: func is NULL")
        return nil
    }
    // Sources are used on any thread, where functions of other languages may not be called.
    let sources = ImageSource.sizeSteps(upTo: options.largest()).map { pixels in
        let address = function(Int32(pixels), user_data)
        defer { g_free(address) }
        return (pixels, Arguments.optional(address).map { ImageSource($0) })
    }
    let steps = Dictionary(uniqueKeysWithValues: sources)
    return Arguments.make(
        .sized(identity: identity, aspectRatio: options.aspectRatio, largest: options.largest()) { pixels in
            (steps[pixels] ?? nil)
                ?? ImageSource.bytes(identity: identity) {
                    throw ImageError(.source, "\(identity): no address for \(pixels) pixels")
                }
        })
}

@c @implementation
public func remote_image_source_new_template(
    _ uri_template: UnsafePointer<CChar>?, _ identity: UnsafePointer<CChar>?, _ options: OpaquePointer?
) -> OpaquePointer? {
    guard let options = Arguments.options(options) else { return nil }
    return Arguments.make(
        .sized(
            template: Arguments.text(uri_template), identity: Arguments.optional(identity),
            aspectRatio: options.aspectRatio, dpr: Int(options.dpr), largest: options.largest()))
}

@c @implementation
public func remote_image_source_new_thumbor(
    _ server: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?,
    _ options: OpaquePointer?
) -> OpaquePointer? {
    guard let options = Arguments.options(options) else { return nil }
    let server = ThumborServer(Arguments.text(server), key: Arguments.optional(key))
    return Arguments.make(
        server.image(
            Arguments.text(path), crop: options.crop, aspectRatio: options.aspectRatio, filters: options.filters,
            largest: options.largest()))
}

@c @implementation
public func remote_image_source_new_imgproxy(
    _ server: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?, _ salt: UnsafePointer<CChar>?,
    _ uri: UnsafePointer<CChar>?, _ options: OpaquePointer?
) -> OpaquePointer? {
    guard let options = Arguments.options(options) else { return nil }
    let server = ImgproxyServer(Arguments.text(server), key: Arguments.text(key), salt: Arguments.text(salt))
    return Arguments.make(
        server.image(
            Arguments.text(uri), crop: options.crop, aspectRatio: options.aspectRatio, format: options.format,
            dpr: Int(options.dpr), encodesAddress: !options.plainAddress, largest: options.largest()))
}

@c @implementation
public func remote_image_source_new_iiif(_ uri: UnsafePointer<CChar>?, _ options: OpaquePointer?) -> OpaquePointer? {
    guard let options = Arguments.options(options) else { return nil }
    return Arguments.make(
        IIIFImage(Arguments.text(uri)).source(
            aspectRatio: options.aspectRatio, quality: options.quality ?? "default", format: options.format ?? "jpg",
            largest: options.largest()))
}

@c @implementation
public func remote_image_source_new_matrix(
    _ server: UnsafePointer<CChar>?, _ uri: UnsafePointer<CChar>?, _ options: OpaquePointer?
) -> OpaquePointer? {
    guard let options = Arguments.options(options) else { return nil }
    return Arguments.make(
        MatrixServer(Arguments.text(server)).thumbnail(
            Arguments.text(uri), crop: options.crop, aspectRatio: options.aspectRatio,
            largest: options.largest(or: 1_641)))
}

@c @implementation
public func remote_image_source_new_matrix_original(
    _ server: UnsafePointer<CChar>?, _ uri: UnsafePointer<CChar>?
) -> OpaquePointer? {
    Arguments.make(MatrixServer(Arguments.text(server)).download(Arguments.text(uri)))
}

// MARK: Fixed sizes

@c @implementation
public func remote_image_source_new_candidates(
    _ uris: UnsafePointer<UnsafePointer<CChar>?>?, _ widths: UnsafePointer<Int32>?, _ n_widths: gsize,
    _ aspect_ratio: Double
) -> OpaquePointer? {
    let addresses = StringVector.strings(uris)
    let widths = UnsafeBufferPointer(start: widths, count: widths == nil ? 0 : Int(clamping: n_widths))
    guard addresses.count == widths.count, widths.allSatisfy({ $0 > 0 }) else {
        shim_critical("remote_image_source_new_candidates: each address needs a width of at least 1")
        return nil
    }
    let ratio = (0.001...1_000).contains(aspect_ratio) ? aspect_ratio : 1.5
    let candidates = zip(addresses, widths).map { address, width in
        let height = max(1, Int((Double(width) / ratio).rounded()))
        return SourceCandidate(address, size: PixelSize(width: Int(width), height: height))
    }
    return Arguments.make(.candidates(candidates))
}

@c @implementation
public func remote_image_source_new_srcset(
    _ srcset: UnsafePointer<CChar>?, _ src: UnsafePointer<CChar>?, _ base_uri: UnsafePointer<CChar>?,
    _ layout_width: Double, _ aspect_ratio: Double
) -> OpaquePointer? {
    let set = SourceSet(Arguments.text(srcset), src: Arguments.optional(src))
    let base = Arguments.optional(base_uri).flatMap { try? WebAddress($0) }
    return Arguments.make(
        set.imageSource(
            relativeTo: base, layoutWidth: layout_width > 0 ? layout_width : 320, aspectRatio: aspect_ratio))
}

@c @implementation
public func remote_image_source_get_sizes_width(
    _ sizes: UnsafePointer<CChar>?, _ viewport_width: Double, _ viewport_height: Double
) -> Double {
    SourceSizes(SourceArguments.text(sizes)).width(inViewportOfWidth: viewport_width, height: viewport_height)
}

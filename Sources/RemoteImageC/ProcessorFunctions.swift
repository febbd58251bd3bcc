// The C functions of processors. The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

/// The longest side in pixels to which an image can be enlarged.
private let maxSide: Int32 = 32_767

/// Makes an object that the caller owns; `nil` on another thread than the main one.
private func make(_ processors: [ImageProcessor], function: StaticString = #function) -> OpaquePointer? {
    guard MainLoop.isUsable(in: function.functionName) else { return nil }
    nonisolated(unsafe) var object: OpaquePointer?  // Never leaves this call, which is on the main thread.
    MainActor.assumeIsolated { object = ProcessorObject.make(processors).map { OpaquePointer($0) } }
    return object
}

/// Returns `isValid`; if it is `false`, logs a critical message.
private func isValid(_ isValid: Bool, _ reason: StaticString, function: StaticString = #function) -> Bool {
    if !isValid { shim_critical("\(function.functionName): \(reason)") }
    return isValid
}

/// Whether a length is a number and not negative.
private func isLength(_ length: Double) -> Bool { length >= 0 && length.isFinite }

extension ImageColor {
    /// The nearest color with 8 bits per channel.
    fileprivate init(_ color: GdkRGBA) {
        func byte(_ part: Float) -> UInt8 { part > 0 ? UInt8((min(1, part) * 255).rounded()) : 0 }
        self.init(red: byte(color.red), green: byte(color.green), blue: byte(color.blue), alpha: byte(color.alpha))
    }
}

/// The border of a caller; `nil` if it is invalid, which is logged.
private func border(_ width: Double, _ color: UnsafePointer<GdkRGBA>?, function: StaticString) -> ImageBorder? {
    guard isValid(isLength(width), "width is negative or not a number", function: function),
        isValid(color != nil, "color is NULL", function: function), let color
    else { return nil }
    return ImageBorder(width: width, color: ImageColor(color.pointee))
}

@c @implementation
public func remote_image_processor_get_type() -> GType { ProcessorObject.type }

@c @implementation
public func remote_image_processor_new_resize(
    _ width: Int32, _ height: Int32, _ fit: GtkContentFit, _ enlarge: gboolean
) -> OpaquePointer? {
    let sides = 1...maxSide
    guard isValid(sides.contains(width) && sides.contains(height), "a side is not from 1 to 32,767") else {
        return nil
    }
    guard isValid(fit.rawValue <= GTK_CONTENT_FIT_SCALE_DOWN.rawValue, "fit is not a GtkContentFit") else {
        return nil
    }
    let size = PixelSize(width: Int(width), height: Int(height))
    return make([.resize(to: size, fit: ContentFit(fit), enlarges: enlarge != 0)])
}

@c @implementation
public func remote_image_processor_new_crop(
    _ width: Int32, _ height: Int32, _ gravity: GdkGravity
) -> OpaquePointer? {
    guard isValid(width > 0 && height > 0, "width or height is less than 1") else { return nil }
    let anchors: [GdkGravity.RawValue: ImageProcessor.Anchor] = [
        GDK_GRAVITY_NORTH_WEST.rawValue: .topLeft, GDK_GRAVITY_NORTH.rawValue: .top,
        GDK_GRAVITY_NORTH_EAST.rawValue: .topRight, GDK_GRAVITY_WEST.rawValue: .left,
        GDK_GRAVITY_CENTER.rawValue: .center, GDK_GRAVITY_EAST.rawValue: .right,
        GDK_GRAVITY_SOUTH_WEST.rawValue: .bottomLeft, GDK_GRAVITY_SOUTH.rawValue: .bottom,
        GDK_GRAVITY_SOUTH_EAST.rawValue: .bottomRight,
    ]
    guard isValid(anchors[gravity.rawValue] != nil, "gravity is not the name of a part"),
        let anchor = anchors[gravity.rawValue]
    else { return nil }
    return make([.crop(to: PixelSize(width: Int(width), height: Int(height)), anchor: anchor)])
}

@c @implementation
public func remote_image_processor_new_crop_area(_ area: UnsafePointer<GdkRectangle>?) -> OpaquePointer? {
    guard isValid(area != nil, "area is NULL"), let area = area?.pointee,
        isValid(area.width > 0 && area.height > 0, "width or height is less than 1")
    else { return nil }
    let size = PixelSize(width: Int(area.width), height: Int(area.height))
    return make([.crop(x: Int(area.x), y: Int(area.y), size: size)])
}

@c @implementation
public func remote_image_processor_new_circle() -> OpaquePointer? { make([.circle()]) }

@c @implementation
public func remote_image_processor_new_circle_with_border(
    _ width: Double, _ color: UnsafePointer<GdkRGBA>?
) -> OpaquePointer? {
    border(width, color, function: #function).flatMap { make([.circle(border: $0)], function: #function) }
}

@c @implementation
public func remote_image_processor_new_rounded(_ radius: Double) -> OpaquePointer? {
    guard isValid(isLength(radius), "radius is negative or not a number") else { return nil }
    return make([.roundedCorners(radius: radius)])
}

@c @implementation
public func remote_image_processor_new_rounded_with_border(
    _ radius: Double, _ width: Double, _ color: UnsafePointer<GdkRGBA>?
) -> OpaquePointer? {
    guard isValid(isLength(radius), "radius is negative or not a number"),
        let border = border(width, color, function: #function)
    else { return nil }
    return make([.roundedCorners(radius: radius, border: border)])
}

@c @implementation
public func remote_image_processor_new_blur(_ sigma: Double) -> OpaquePointer? {
    guard isValid((0...1000).contains(sigma), "sigma is not from 0 to 1,000") else { return nil }
    return make([.gaussianBlur(sigma: sigma)])
}

@c @implementation
public func remote_image_processor_new_grayscale() -> OpaquePointer? { make([.grayscale]) }

@c @implementation
public func remote_image_processor_new_tint(_ color: UnsafePointer<GdkRGBA>?) -> OpaquePointer? {
    guard isValid(color != nil, "color is NULL"), let color else { return nil }
    return make([.tint(ImageColor(color.pointee))])
}

@c @implementation
public func remote_image_processor_new_composition(
    _ processors: UnsafePointer<OpaquePointer?>?, _ n_processors: gsize
) -> OpaquePointer? {
    guard isValid(processors != nil || n_processors == 0, "processors is NULL") else { return nil }
    var all: [ImageProcessor] = []
    for index in 0..<Int(n_processors) {
        let processor = processors?[index]
        guard
            isValid(
                shim_is_a(processor.map { UnsafeMutableRawPointer($0) }, ProcessorObject.type) != 0,
                "one of processors is no RemoteImageProcessor")
        else { return nil }
        all += ProcessorObject.with(processor, default: []) { $0.processors }
    }
    return make(all)
}

@c @implementation
public func remote_image_processor_to_string(_ self: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
    ProcessorObject.with(self, default: nil) { g_strdup($0.description) }
}

// WebP by libwebp itself, where it is installed. It scales an opaque picture down while it decodes, before colours are made of
// luminance, and writes into the buffer that is shown; GdkPixbuf's loader for it decodes all of it and copies.
//
// Unsafe code: functions that are looked up by name, the layout of whose arguments the library is asked to confirm, and
// pointers that they are given for the length of a call.

import CCodecs
import Glibc

/// The decoder of libwebp.
package struct LibWebP: Sendable {
    private let configure: @convention(c) @Sendable (UnsafeMutablePointer<WebPConfiguration>?, Int32) -> Int32
    private let readFeatures:
        @convention(c) @Sendable (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<WebPFeatures>?, Int32) -> Int32
    private let decode:
        @convention(c) @Sendable (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<WebPConfiguration>?) -> Int32

    /// nil where the library is not installed, or is another than is known here.
    package static let installed = LibWebP()

    private init?() {
        guard let library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL),
            let configure = dlsym(library, "WebPInitDecoderConfigInternal"),
            let readFeatures = dlsym(library, "WebPGetFeaturesInternal"), let decode = dlsym(library, "WebPDecode")
        else { return nil }
        self.configure = unsafeBitCast(configure, to: type(of: self.configure))
        self.readFeatures = unsafeBitCast(readFeatures, to: type(of: self.readFeatures))
        self.decode = unsafeBitCast(decode, to: type(of: self.decode))
        var configuration = WebPConfiguration()
        guard self.configure(&configuration, Self.version) != 0 else { return nil }
    }

    /// The pixels that are wanted, turned as Exif says, and the size in the file as it is stored. nil for animations, which
    /// the library gives to another one.
    package func decode(
        _ bytes: [UInt8], _ request: DecodeRequest
    ) throws(ImageError) -> (pixels: PixelBuffer, stored: PixelSize)? {
        var features = WebPFeatures()
        guard readFeatures(bytes, bytes.count, &features, Self.version) == Self.ok, features.width > 0,
            features.height > 0
        else { throw ImageError(.corrupt, "the header of the webp is damaged") }
        guard features.has_animation == 0 else { return nil }
        let stored = PixelSize(width: Int(features.width), height: Int(features.height))
        // It may see another size than our own reading of the header.
        try request.limits.check(stored)
        let orientation = request.header.orientation
        let wanted = request.target?.drawnSize(of: orientation.swapsSides ? stored.transposed : stored)
        let colours = ColorConversion.ofWebP(bytes)
        guard features.has_alpha != 0 else {
            let size = (orientation.swapsSides ? wanted?.transposed : wanted) ?? stored
            return (try decodeOpaque(bytes, stored, to: size, colours).turned(orientation), stored)
        }
        // Scaled by the library, colours would be averaged whether they can be seen or not.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: stored.pixelCount * 4, alignment: 16)
        defer { memory.deallocate() }
        try decode(bytes, Int32(WEBP_MODE_RGBA), into: memory, stride: stored.width * 4)
        guard let base = memory.baseAddress else { return nil }
        colours?.apply(to: base, size: stored, channels: 4, stride: stored.width * 4)
        let pixels = StraightPixels(size: stored, pixels: UnsafePointer(base.assumingMemoryBound(to: UInt8.self)))
        return (PixelPacker(pixels, orientation).pack(scaledDownTo: wanted), stored)
    }

    private func decodeOpaque(
        _ bytes: [UInt8], _ stored: PixelSize, to size: PixelSize, _ colours: ColorConversion?
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, format: .rgb8) { memory throws(ImageError) in
            try decode(
                bytes, Int32(WEBP_MODE_RGB), into: memory, stride: size.width * 3,
                scaledTo: size == stored ? nil : size)
            guard let base = memory.baseAddress else { return }
            colours?.apply(to: base, size: size, channels: 3, stride: size.width * 3)
        }
    }

    private func decode(
        _ bytes: [UInt8], _ mode: Int32, into memory: UnsafeMutableRawBufferPointer, stride: Int,
        scaledTo size: PixelSize? = nil
    ) throws(ImageError) {
        var configuration = WebPConfiguration()
        _ = configure(&configuration, Self.version)
        configuration.output.mode = mode
        configuration.output.is_external_memory = 1
        configuration.output.pixels.packed = WebPPackedPixels(
            pixels: memory.baseAddress?.assumingMemoryBound(to: UInt8.self), stride: Int32(stride), size: memory.count)
        if let size {
            configuration.options.use_scaling = 1
            configuration.options.scaled_width = Int32(size.width)
            configuration.options.scaled_height = Int32(size.height)
        }
        let status = decode(bytes, bytes.count, &configuration)
        guard status == Self.ok else { throw ImageError(.corrupt, "libwebp says \(status)") }
    }

    private static let version = Int32(WEBP_INTERFACE_VERSION)
    private static let ok = Int32(WEBP_STATUS_OK)
}

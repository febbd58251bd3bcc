// Wraps GdkPixbufLoader: one loader for one image, used by one thread.

import CRemoteImageGdkPixbuf
import Glibc

/// Owns a `GdkPixbufLoader`.
final class PixbufLoader {
    private let loader: OpaquePointer
    private var request: DecodeRequest?
    /// The full size that the loader found.
    private(set) var storedSize = PixelSize(width: 0, height: 0)
    private var refusal: ImageError?
    private var isClosed = false

    init(_ format: ImageFormat) throws(ImageError) {
        guard pixbuf_is_installed() else { throw ImageError(.unsupportedFormat, "GdkPixbuf is not installed") }
        var failure = pixbuf_failure()
        guard let loader = pixbuf_loader_open(format.facts.mediaType, &failure) else {
            throw ImageError(.unsupportedFormat, failure.text ?? format.rawValue)
        }
        self.loader = loader
    }

    deinit {
        // A loader must be closed before its last reference is released.
        if !isClosed { pixbuf_loader_close(loader, nil) }
        pixbuf_loader_release(loader)
    }

    func load(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> Pixbuf {
        self.request = request
        // Unretained: the signal is emitted only while this method runs.
        pixbuf_loader_observe(loader, sizePrepared, Unmanaged.passUnretained(self).toOpaque())
        var failure = pixbuf_failure()
        let isWritten = bytes.withUnsafeBytes { pixbuf_loader_write(loader, $0.baseAddress, $0.count, &failure) }
        isClosed = true
        // After a failed write, closing only repeats the error.
        var isDecoded = false
        if isWritten {
            isDecoded = pixbuf_loader_close(loader, &failure)
        } else {
            pixbuf_loader_close(loader, nil)
        }
        if let refusal { throw refusal }
        guard isDecoded else {
            throw ImageError(failure.is_unsupported ? .unsupportedFormat : .corrupt, failure.text)
        }
        guard let made = pixbuf_loader_image(loader) else { throw ImageError(.corrupt, "no pixels") }
        let pixbuf = Pixbuf(made)
        // Newer loaders may not emit `size-prepared`, or may ignore the requested size.
        try request.limits.check(pixbuf.size)
        if storedSize.pixelCount == 0 { storedSize = pixbuf.size }
        return pixbuf
    }

    /// Called when the loader knows the size, before it decodes pixels.
    fileprivate func prepare(_ size: PixelSize) {
        storedSize = size
        // The loader may find another size than the header.
        do throws(ImageError) {
            try request?.limits.check(size)
        } catch {
            refusal = error
            // The smallest possible size, so that the loader keeps none of the pixels.
            pixbuf_loader_set_size(loader, 1, 1)
        }
    }
}

private func sizePrepared(
    _ loader: OpaquePointer?, _ width: Int32, _ height: Int32, _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    Unmanaged<PixbufLoader>.fromOpaque(data).takeUnretainedValue()
        .prepare(PixelSize(width: Int(width), height: Int(height)))
}

extension pixbuf_failure {
    /// The message; `nil` if it is empty.
    var text: String? {
        let text = withUnsafeBytes(of: message, String.init(cText:))
        return text.isEmpty ? nil : text
    }
}

/// Owns a reference to a `GdkPixbuf` and gives access to its pixels: 8 bits per channel, RGB or
/// RGBA, rows possibly padded.
final class Pixbuf {
    private let pixbuf: OpaquePointer

    /// Takes a reference of its own.
    init(_ pixbuf: OpaquePointer) {
        self.pixbuf = pixbuf
        pixbuf_image_retain(pixbuf)
    }

    deinit {
        pixbuf_image_release(pixbuf)
    }

    var size: PixelSize {
        PixelSize(width: Int(pixbuf_image_width(pixbuf)), height: Int(pixbuf_image_height(pixbuf)))
    }

    private var channels: Int { Int(pixbuf_image_channels(pixbuf)) }
    private var stride: Int { Int(pixbuf_image_stride(pixbuf)) }

    /// Converts the colors to sRGB with `profile`, or else with the profile that the loader found.
    /// Called before the pixels are averaged, premultiplied or shared.
    func convertToSRGB(from profile: ColorConversion? = nil) {
        guard let conversion = profile ?? foundProfile, let memory = pixbuf_image_mutable_pixels(pixbuf) else { return }
        conversion.apply(to: memory, size: size, channels: channels, stride: stride)
    }

    private var foundProfile: ColorConversion? {
        var count = 0
        guard let profile = pixbuf_image_profile(pixbuf, &count) else { return nil }
        defer { pixbuf_free(profile) }
        return .from(profile, count: count)
    }

    /// Calls `body` with the pixels, whose last row has no padding.
    func withPixels(_ body: (DecodedPixels) -> PixelBuffer) -> PixelBuffer {
        withExtendedLifetime(self) {
            body(DecodedPixels(pixbuf_image_pixels(pixbuf), size, channels: channels, stride: stride))
        }
    }
}

// The border to GdkPixbufLoader: one loader for one picture, on the thread that uses it.

import CGdkPixbuf
import Glibc

/// Owns a `GdkPixbufLoader`.
final class PixbufLoader {
    private let loader: UnsafeMutablePointer<GdkPixbufLoader>
    private var request: DecodeRequest?
    /// What the loader found, before the size was reduced.
    private(set) var storedSize = PixelSize(width: 0, height: 0)
    /// Rows from the top that the loader has reported.
    private var rowCount = 0
    private var refusal: ImageError?
    private var isClosed = false
    /// How many surfaces of an SVG's size librsvg may hold at the same time.
    var surfaceCount = 1

    init(_ format: ImageFormat) throws(ImageError) {
        var error: UnsafeMutablePointer<GError>?
        guard let loader = gdk_pixbuf_loader_new_with_mime_type(format.mimeType, &error) else {
            throw ImageError(.unsupportedFormat, takeMessage(error) ?? format.rawValue)
        }
        self.loader = loader
    }

    deinit {
        // A loader must be closed before its last reference goes.
        if !isClosed { gdk_pixbuf_loader_close(loader, nil) }
        g_object_unref(loader)
    }

    /// Decodes what the pieces are together.
    func load(_ pieces: [ArraySlice<UInt8>], _ request: DecodeRequest) throws(ImageError) -> Pixbuf {
        self.request = request
        // Unretained: the signals are emitted only while this method runs.
        pixbuf_connect_size_prepared(loader, sizePrepared, Unmanaged.passUnretained(self).toOpaque())
        pixbuf_connect_area_updated(loader, areaUpdated, Unmanaged.passUnretained(self).toOpaque())
        var error: UnsafeMutablePointer<GError>?
        var isWritten: gboolean = 1
        for bytes in pieces where isWritten != 0 && !bytes.isEmpty {
            isWritten = bytes.withUnsafeBytes { buffer in
                gdk_pixbuf_loader_write(
                    loader, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(buffer.count), &error)
            }
        }
        isClosed = true
        // After a failed write, closing only repeats what is known, and an error must not be set twice.
        var isDecoded: gboolean = 0
        if isWritten != 0 {
            isDecoded = gdk_pixbuf_loader_close(loader, &error)
        } else {
            gdk_pixbuf_loader_close(loader, nil)
        }
        if let refusal {
            if let error { g_error_free(error) }
            throw refusal
        }
        guard isWritten != 0, isDecoded != 0 else {
            let isUnsupported = pixbuf_error_is_unsupported(error) != 0
            throw ImageError(isUnsupported ? .unsupportedFormat : .corrupt, takeMessage(error))
        }
        guard let made = gdk_pixbuf_loader_get_pixbuf(loader) else { throw ImageError(.corrupt, "no pixels") }
        let pixbuf = Pixbuf(made)
        // The loader of PNG reports success for data that end before the image does.
        if request.header.format == .png, rowCount < pixbuf.size.height {
            throw ImageError(.corrupt, "\(rowCount) of \(pixbuf.size.height) rows")
        }
        // Newer loaders may ask for no size, or not heed the answer.
        try request.limits.check(pixbuf.size)
        if storedSize.pixelCount == 0 { storedSize = pixbuf.size }
        return pixbuf
    }

    /// Decodes what is there of a picture whose end is missing.
    func loadBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> Pixbuf? {
        self.request = request
        pixbuf_connect_size_prepared(loader, sizePrepared, Unmanaged.passUnretained(self).toOpaque())
        let isWritten = bytes.withUnsafeBytes { buffer in
            gdk_pixbuf_loader_write(
                loader, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(buffer.count), nil)
        }
        guard isWritten != 0, refusal == nil else { return nil }
        return gdk_pixbuf_loader_get_pixbuf(loader).map(Pixbuf.init)
    }

    fileprivate func update(rowsTo end: Int) { rowCount = max(rowCount, end) }

    /// The loader knows the size and has made no pixels yet.
    fileprivate func prepare(_ size: PixelSize) {
        storedSize = size
        guard let request else { return }
        // It may see another size than our own reading of the header.
        guard isAllowed(size) else { return }
        guard let target = request.target else {
            _ = hasRoom(forSurfacesOf: size)
            return
        }
        if request.header.format == .svg {
            // Drawings may be enlarged beyond what they say.
            let drawn = target.fittedSize(of: size)
            if isAllowed(drawn), hasRoom(forSurfacesOf: drawn) {
                gdk_pixbuf_loader_set_size(loader, Int32(drawn.width), Int32(drawn.height))
            }
            return
        }
        guard request.header.format == .jpeg else { return }
        let shown = request.header.orientation.swapsSides ? size.transposed : size
        var wanted = target.drawnSize(of: shown)
        if request.header.orientation.swapsSides { wanted = wanted.transposed }
        let reduced = JPEGScale.smallest(of: size, notBelow: wanted).size
        gdk_pixbuf_loader_set_size(loader, Int32(reduced.width), Int32(reduced.height))
    }

    /// Where a size is beyond the limits, the picture is refused.
    private func isAllowed(_ size: PixelSize) -> Bool {
        do throws(ImageError) {
            try request?.limits.check(size)
            return true
        } catch {
            refuse(error)
            return false
        }
    }

    private func hasRoom(forSurfacesOf size: PixelSize) -> Bool {
        guard let request, surfaceCount > 1 else { return true }
        if size.pixelCount * 4 <= request.limits.maxDecodedByteCount / surfaceCount { return true }
        refuse(ImageError(.tooManyPixels, "\(size) with \(surfaceCount - 1) masks and filter primitives"))
        return false
    }

    private func refuse(_ error: ImageError) {
        refusal = error
        // The smallest image there is: nothing of what follows is kept.
        gdk_pixbuf_loader_set_size(loader, 1, 1)
    }
}

private func sizePrepared(
    _ loader: UnsafeMutablePointer<GdkPixbufLoader>?, _ width: Int32, _ height: Int32, _ data: gpointer?
) {
    guard let data else { return }
    Unmanaged<PixbufLoader>.fromOpaque(data).takeUnretainedValue()
        .prepare(PixelSize(width: Int(width), height: Int(height)))
}

private func areaUpdated(
    _ loader: UnsafeMutablePointer<GdkPixbufLoader>?, _ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32,
    _ data: gpointer?
) {
    guard let data else { return }
    Unmanaged<PixbufLoader>.fromOpaque(data).takeUnretainedValue().update(rowsTo: Int(y) + Int(height))
}

/// The words of an error, which is freed.
func takeMessage(_ error: UnsafeMutablePointer<GError>?) -> String? {
    guard let error else { return nil }
    defer { g_error_free(error) }
    return error.pointee.message.map { String(cString: $0) }
}

/// Owns a reference to a `GdkPixbuf` and shows its memory: 8 bits a channel, RGB or RGBA, rows maybe padded.
final class Pixbuf: DecodedPixels {
    private let pixbuf: OpaquePointer

    /// Takes a reference of its own.
    init(_ pixbuf: OpaquePointer) {
        self.pixbuf = pixbuf
        g_object_ref(UnsafeMutableRawPointer(pixbuf))
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(pixbuf))
    }

    var size: PixelSize {
        PixelSize(width: Int(gdk_pixbuf_get_width(pixbuf)), height: Int(gdk_pixbuf_get_height(pixbuf)))
    }

    var channels: Int { Int(gdk_pixbuf_get_n_channels(pixbuf)) }
    var stride: Int { Int(gdk_pixbuf_get_rowstride(pixbuf)) }

    /// Brings the colours to sRGB where the file has another profile: `profile`, or what the loader found. Before anything is
    /// averaged or multiplied by alpha; nobody else has the pixels yet.
    func convertToSRGB(from profile: ColorConversion? = nil) {
        guard let conversion = profile ?? foundProfile, let memory = gdk_pixbuf_get_pixels(pixbuf) else { return }
        conversion.apply(to: memory, size: size, channels: channels, stride: stride)
    }

    private var foundProfile: ColorConversion? {
        guard let text = gdk_pixbuf_get_option(pixbuf, "icc-profile") else { return nil }
        var count: gsize = 0
        guard strlen(text) < ColorConversion.maxProfileByteCount * 4 / 3, let decoded = g_base64_decode(text, &count)
        else { return nil }
        defer { g_free(decoded) }
        return ColorConversion.from([UInt8](UnsafeRawBufferPointer(start: decoded, count: Int(count))))
    }

    /// The first pixel. Valid while the pixbuf lives. The last row has no padding.
    var pixels: UnsafePointer<UInt8> { UnsafePointer(gdk_pixbuf_read_pixels(pixbuf)) }
}

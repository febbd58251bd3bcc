/// Decodes one image of a Windows icon: the smallest one that is not below the target, or else the
/// largest one. If that image is damaged or truncated, the next best one is decoded.
package struct ICODecoder: ImageDecoder {
    private let decoders: [any ImageDecoder]

    package var name: String { "ico" }

    package var formats: Set<ImageFormat> { [.ico] }

    /// - Parameter decoders: The first one that supports PNG decodes the images that are stored as
    ///   PNG. Without such a decoder, only bitmaps are decoded.
    package init(_ decoders: [any ImageDecoder]) {
        self.decoders = decoders
    }

    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        guard var entries = bytes.withReader({ ICOHeader.entries($0) }), !entries.isEmpty else {
            throw ImageError(.corrupt, "the header of the ico is damaged")
        }
        let png = decoders.first { $0.decodes(.png) }
        entries.removeAll { $0.isPNG && png == nil }
        var failure = ImageError(.unsupportedFormat, "png")
        var truncated: DecodedImage?
        // Together, the images take no longer than the largest one that is allowed.
        var triedPixelCount = 0
        while let largest = entries.max(by: Self.isSmaller), triedPixelCount <= request.limits.maxPixelCount {
            let wanted = request.target?.drawnSize(of: largest.size) ?? largest.size
            let best = Self.best(of: entries, for: wanted)
            let entry = entries.remove(at: best)
            triedPixelCount += min(entry.size.pixelCount, 1 << 40)
            do throws(ImageError) {
                var decoded = try decode(entry, of: bytes, wanted, png, request)
                // The header and the layout use the size of the largest image, whichever image is
                // decoded.
                decoded.size = largest.size
                if !decoded.isTruncated { return decoded }
                truncated = truncated ?? decoded
            } catch {
                failure = error
            }
        }
        guard let truncated else { throw failure }
        return truncated
    }

    /// The index of the smallest image that is not below `wanted`, or else of the largest. Of two
    /// images with the same size, that of the one with more bits per pixel.
    private static func best(of entries: [ICOHeader.Entry], for wanted: PixelSize) -> Int {
        let order = entries.indices.sorted { isSmaller(entries[$1], entries[$0]) }
        let sufficient = order.filter {
            entries[$0].size.width >= wanted.width && entries[$0].size.height >= wanted.height
        }
        return sufficient.last.flatMap { smallest in
            sufficient.first { entries[$0].size == entries[smallest].size }
        } ?? order[0]
    }

    private func decode(
        _ entry: ICOHeader.Entry, of bytes: [UInt8], _ wanted: PixelSize, _ png: (any ImageDecoder)?,
        _ request: DecodeRequest
    ) throws(ImageError) -> DecodedImage {
        try request.limits.check(entry.size)
        let image = Array(bytes[entry.range])
        if entry.isPNG, let png {
            let header = try ImageHeader.read(image)
            var decoded = try png.decode(
                image, DecodeRequest(header: header, target: request.target, limits: request.limits))
            // The image may have another aspect ratio than the largest one.
            decoded.pixels = decoded.pixels.scaledDown(to: wanted)
            return decoded
        }
        let bitmap = try Bitmap(image, information: 0, pixelStart: nil, isIcon: true, limits: request.limits)
        let size = PixelSize(
            width: min(wanted.width, bitmap.size.width), height: min(wanted.height, bitmap.size.height))
        return DecodedImage(bitmap, scaledDownTo: size)
    }

    private static func isSmaller(_ one: ICOHeader.Entry, _ other: ICOHeader.Entry) -> Bool {
        (one.size.pixelCount, one.bitCount) < (other.size.pixelCount, other.bitCount)
    }
}

// Unsafe code: the memory for the pixels of a frame, which lives throughout `decode`.

/// Decodes GIF without a codec library.
///
/// For 40 animations, `remote-image fetch` takes half the processor time that it takes with
/// GdkPixbuf's loader. A GdkPixbuf whose loaders run in separate processes would use a process for
/// each frame of an animation.
package struct GIFDecoder: ImageDecoder {
    package var name: String { "gif" }

    package var formats: Set<ImageFormat> { [.gif] }

    /// Creates a decoder. It has no settings.
    package init() {}

    /// Decodes the first frame onto its canvas and averages it down to the target. The result is
    /// RGB if every pixel is opaque; missing pixels are transparent.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let pixels = try bytes.withReader { reader throws(ImageError) in try Self.pixels(of: reader, request) }
        var image = DecodedImage(
            pixels: pixels, size: request.header.storedSize, frameCount: ImageFormat.gif.frameCount(of: bytes))
        image.isTruncated = bytes.withReader { GIFHeader.outline($0, frameLimit: .max).isTruncated }
        return image
    }

    private static func pixels(of reader: ByteReader, _ request: DecodeRequest) throws(ImageError) -> PixelBuffer {
        guard let image = GIFImage(reader) else { throw ImageError(.corrupt, "a GIF without a frame") }
        // The sizes read here may differ from the header of the request.
        try request.limits.check(image.canvas)
        let indices = UnsafeMutablePointer<UInt8>.allocate(capacity: image.size.pixelCount + LZWPixels.slack)
        defer { indices.deallocate() }
        let count = LZWPixels.unpack(
            reader, at: image.pixelStart, into: indices, capacity: image.size.pixelCount)
        guard count > 0 || image.size.pixelCount == 0 else { throw ImageError(.corrupt, "a GIF without pixels") }
        let found = UnsafeBufferPointer(start: indices, count: count)
        let isOpaque = image.coversCanvas && count == image.size.pixelCount && !image.isTransparent(found)
        let painter = GIFPainter(image, found, isOpaque ? .rgb8 : .rgba8Premultiplied)
        return PixelBuffer(
            averaging: image.canvas, to: request.target?.drawnSize(of: image.canvas) ?? image.canvas,
            format: painter.format
        ) { y, row in
            painter.paint(y, into: row)
            return UnsafePointer(row)
        }
    }
}

/// The positions of the first frame in the file and on the canvas (GIF89a specification, sections
/// 18 to 23).
private struct GIFImage {
    let canvas: PixelSize
    private(set) var x = 0
    private(set) var y = 0
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var isInterlaced = false
    /// The palette index of the transparent color.
    private(set) var transparent: UInt8?
    /// Red, green, blue and alpha from the lowest byte on. Missing entries are black.
    private(set) var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
    private(set) var pixelStart = 0

    /// `nil` if the file has no frame.
    init?(_ reader: ByteReader) {
        guard let header = GIFHeader.read(reader), let frame = GIFHeader.firstFrame(reader),
            let flags = reader.byte(at: 10)
        else { return nil }
        canvas = header.storedSize
        let tableSize = GIFHeader.colorTableSize(flags)
        if let control = frame.control, let flags = reader.byte(at: control + 3), flags & 1 == 1 {
            transparent = reader.byte(at: control + 6)
        }
        let index = frame.start
        guard let place = GIFHeader.place(reader, ofFrameAt: index), let own = reader.byte(at: index + 9) else {
            return nil
        }
        (x, y, size) = place
        isInterlaced = own & 0x40 != 0
        let ownTableSize = GIFHeader.colorTableSize(own)
        readPalette(reader, ownTableSize > 0 ? (index + 10)..<(index + 10 + ownTableSize) : 13..<(13 + tableSize))
        pixelStart = index + 10 + ownTableSize
    }

    /// Without a palette, a file leaves its colors to the decoder: levels of gray here, as in
    /// Pillow.
    private mutating func readPalette(_ reader: ByteReader, _ table: Range<Int>) {
        if table.isEmpty { palette = (0..<256).map { 0xFF00_0000 | $0 * 0x01_0101 } }
        for (entry, start) in stride(from: table.lowerBound, to: table.upperBound, by: 3).enumerated() {
            guard let color = reader.littleEndian24(at: start) else { break }
            palette[entry] = 0xFF00_0000 | UInt32(color)
        }
        if let transparent { palette[Int(transparent)] = 0 }
    }

    var coversCanvas: Bool { x == 0 && y == 0 && size.width >= canvas.width && size.height >= canvas.height }

    func isTransparent(_ indices: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let transparent else { return false }
        return ByteReader(UnsafeRawBufferPointer(indices)).firstIndex(of: transparent, from: 0) != nil
    }
}

/// Converts the pixels of a frame into rows of the canvas.
private struct GIFPainter {
    let format: PixelFormat
    private let image: GIFImage
    /// The palette indices in file order; missing pixels are transparent.
    private let indices: UnsafeBufferPointer<UInt8>

    init(_ image: GIFImage, _ indices: UnsafeBufferPointer<UInt8>, _ format: PixelFormat) {
        self.image = image
        self.indices = indices
        self.format = format
    }

    /// Paints a row, whose memory has room for four bytes after its pixels.
    func paint(_ y: Int, into row: UnsafeMutablePointer<UInt8>) {
        if format == .rgba8Premultiplied { row.update(repeating: 0, count: image.canvas.width * 4) }
        let line = y - image.y
        guard line >= 0, line < image.size.height else { return }
        // As in browsers, the line above of an earlier pass stands for missing interlaced pixels.
        if image.isInterlaced, !isComplete(line),
            let above = [2, 4, 8].lazy.map({ line / $0 * $0 }).first(where: isComplete)
        {
            paint(line: above, into: row)
        }
        paint(line: line, into: row)
    }

    private func isComplete(_ line: Int) -> Bool { (order(of: line) + 1) * image.size.width <= indices.count }

    /// Paints the available pixels of a line of the frame.
    private func paint(line: Int, into row: UnsafeMutablePointer<UInt8>) {
        let start = min(indices.count, order(of: line) * image.size.width)
        let count = max(0, min(image.size.width, indices.count - start, image.canvas.width - image.x))
        let step = format.bytesPerPixel
        var new = UnsafeMutableRawPointer(row + (count > 0 ? image.x * step : 0))
        image.palette.withUnsafeBufferPointer { palette in
            for index in indices[start..<(start + count)] {
                // In RGB, the next pixel overwrites the fourth byte.
                new.storeBytes(of: palette[Int(index)].littleEndian, as: UInt32.self)
                new += step
            }
        }
    }

    /// The position of a row in the file: interlaced rows are stored in four passes.
    private func order(of y: Int) -> Int {
        guard image.isInterlaced else { return y }
        let height = image.size.height
        let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
        var before = 0
        for (first, step) in passes {
            if y % step == first { return before + y / step }
            before += max(0, height - first + step - 1) / step
        }
        return y
    }
}

// Unsafe code: the memory for the pixels of a frame, which lives throughout `decode`.

/// Decodes GIF without a codec library.
///
/// For 40 animations, `remote-image fetch` takes half the processor time that it takes with
/// GdkPixbuf's loader. A GdkPixbuf whose loaders run in separate processes would use a process for
/// each frame of an animation.
public struct GIFDecoder: ImageDecoder {
    public var name: String { "gif" }

    public var formats: Set<ImageFormat> { [.gif] }

    /// Creates a decoder. It has no settings.
    public init() {}

    /// Decodes the first frame onto its canvas and averages it down to the target. The result is
    /// RGB if every pixel is opaque.
    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        try TruncationCheck.check(bytes, .gif)
        // `Array.withUnsafeBytes` does not support typed errors.
        let pixels = bytes.withUnsafeBytes { buffer in
            Result { () throws(ImageError) in try Self.pixels(of: ByteReader(buffer), request) }
        }
        let size = request.header.storedSize
        return DecodedImage(pixels: try pixels.get(), size: size, frameCount: FrameCount.of(bytes, .gif))
    }

    private static func pixels(of reader: ByteReader, _ request: DecodeRequest) throws(ImageError) -> PixelBuffer {
        guard let image = GIFImage(reader) else { throw ImageError(.corrupt, "a GIF without a frame") }
        // The sizes read here may differ from the header of the request.
        try request.limits.check(image.canvas)
        try request.limits.check(image.size)
        // Memory was reserved for the canvas only.
        guard image.size.pixelCount <= max(image.canvas.pixelCount, 1 << 20) else {
            throw ImageError(.corrupt, "a GIF whose frame is larger than its canvas")
        }
        let indices = UnsafeMutablePointer<UInt8>.allocate(capacity: image.size.pixelCount + LZWPixels.slack)
        defer { indices.deallocate() }
        let count = LZWPixels.unpack(
            reader, at: image.pixelStart, into: indices, capacity: image.size.pixelCount)
        guard count > 0 else { throw ImageError(.corrupt, "a GIF without pixels") }
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
        guard let header = GIFHeader.read(reader), let flags = reader.byte(at: 10) else { return nil }
        canvas = header.storedSize
        let tableSize = GIFHeader.colorTableSize(flags)
        var index = 13 + tableSize
        while reader.byte(at: index) == 0x21 {
            if reader.byte(at: index + 1) == 0xF9, let flags = reader.byte(at: index + 3) {
                transparent = flags & 1 == 1 ? reader.byte(at: index + 6) : nil
            }
            guard let end = GIFHeader.endOfSubBlocks(reader, from: index + 2) else { return nil }
            index = end
        }
        guard reader.byte(at: index) == 0x2C, let x = reader.littleEndian16(at: index + 1),
            let y = reader.littleEndian16(at: index + 3), let width = reader.littleEndian16(at: index + 5),
            let height = reader.littleEndian16(at: index + 7), let own = reader.byte(at: index + 9),
            width > 0, height > 0
        else { return nil }
        (self.x, self.y, size) = (x, y, PixelSize(width: width, height: height))
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
            guard let colour = reader.littleEndian24(at: start) else { break }
            palette[entry] = 0xFF00_0000 | UInt32(colour)
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
        let pixels = pixels(of: y)
        var new = UnsafeMutableRawPointer(row)
        if format == .rgba8Premultiplied {
            new.initializeMemory(as: UInt8.self, repeating: 0, count: image.canvas.width * 4)
            if !pixels.isEmpty { new += image.x * 4 }
        }
        let step = format.bytesPerPixel
        image.palette.withUnsafeBufferPointer { palette in
            for index in pixels {
                // In RGB, the next pixel overwrites the fourth byte.
                new.storeBytes(of: palette[Int(index)].littleEndian, as: UInt32.self)
                new += step
            }
        }
    }

    /// The pixels of the frame in a row of the canvas.
    private func pixels(of y: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard y >= image.y, y < image.y + image.size.height else { return indices[0..<0] }
        let start = min(indices.count, order(of: y - image.y) * image.size.width)
        let count = min(image.size.width, indices.count - start, image.canvas.width - image.x)
        return indices[start..<(start + max(0, count))]
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

// The format of files with resized images: a table, its checksum, and the encoded images.

/// The table at the start of a file with the resized images of one body.
struct ResizedImageTable {
    struct Row {
        var description: ResizedImage.Description
        /// The place of the encoded pixels in the file.
        var offset: Int
        var byteCount: Int
        var checksum: UInt64
    }

    /// The body that the images were made of.
    var body: StoredBody
    var rows: [Row]

    /// Changes with the format. Files with another value count as missing.
    private static let magic: [UInt8] = Array("RIMS1\n".utf8)
    /// The maximum number of resized images per body; the oldest are dropped.
    static let rowLimit = 8
    /// The maximum size of a table, in bytes.
    static let byteLimit = 32 << 10

    /// Parses the start of a file of `fileSize` bytes. Returns `nil` for a damaged table and for
    /// one of another body. The places of its images are within the file.
    init?(_ start: ArraySlice<UInt8>, of body: StoredBody, fileSize: Int) {
        guard start.starts(with: Self.magic) else { return nil }
        let bytes = Array(start.dropFirst(Self.magic.count))
        var reader = FieldReader(bytes: bytes, index: 0)
        guard let count = reader.number(), count <= Self.byteLimit, count + 16 <= bytes.count else { return nil }
        let content = Array(bytes[8..<(8 + count)])
        guard XXHash64.hash(content).bytes == Array(bytes[(8 + count)..<(16 + count)]) else { return nil }
        reader = FieldReader(bytes: content, index: 0)
        guard reader.number() == body.byteCount, reader.word() == body.checksum, let rowCount = reader.number(),
            rowCount <= Self.rowLimit
        else { return nil }
        self.body = body
        rows = []
        let first = Self.magic.count + 16 + count
        for _ in 0..<rowCount {
            guard var row = reader.row(), row.offset <= fileSize - first,
                row.byteCount <= fileSize - first - row.offset
            else { return nil }
            row.offset += first
            rows.append(row)
        }
    }

    /// The file with these images.
    static func file(of body: StoredBody, _ images: [ResizedImage]) -> [UInt8] {
        var writer = FieldWriter(bytes: [])
        writer.add(body.byteCount)
        writer.add(body.checksum)
        writer.add(images.count)
        var offset = 0
        for image in images {
            writer.add(image.description)
            writer.add(offset)
            writer.add(image.data.count)
            writer.add(XXHash64.hash(image.data))
            offset += image.data.count
        }
        var file = FieldWriter(bytes: magic)
        file.add(writer.bytes.count)
        file.bytes += writer.bytes
        file.add(XXHash64.hash(writer.bytes))
        file.bytes.reserveCapacity(file.bytes.count + offset)
        for image in images { file.bytes += image.data }
        return file.bytes
    }
}

extension FieldWriter {
    fileprivate mutating func add(_ description: ResizedImage.Description) {
        for size in [description.size, description.processedSize, description.originalSize] {
            add(size?.width ?? 0)
            add(size?.height ?? 0)
        }
        add(description.processing)
        add(description.originalFormat.rawValue)
    }
}

extension FieldReader {
    fileprivate mutating func row() -> ResizedImageTable.Row? {
        guard let size = pixelSize(), let processedSize = pixelSize(), let originalSize = pixelSize(),
            let processing = string(),
            let format = string().flatMap(ImageFormat.init(rawValue:)), let offset = number(),
            let byteCount = number(), let checksum = word(), size.width > 0, originalSize.width > 0
        else { return nil }
        let description = ResizedImage.Description(
            size: size, processedSize: processedSize.width > 0 ? processedSize : nil, processing: processing,
            originalSize: originalSize, originalFormat: format)
        return ResizedImageTable.Row(
            description: description, offset: offset, byteCount: byteCount, checksum: checksum)
    }

    private mutating func pixelSize() -> PixelSize? {
        guard let width = number(), let height = number(), width <= 1 << 31, height <= 1 << 31,
            (width > 0) == (height > 0)
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}

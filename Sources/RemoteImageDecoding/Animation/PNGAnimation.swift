/// Turns the frames of an animated PNG file into PNG files (PNG third edition, section 11.3.6).
enum PNGAnimation {
    /// The maximum number of chunks; real files have fewer.
    private static let chunkLimit = 20_000

    /// The outline of at most `frameLimit` frames. `nil` if there are fewer than two, or too many
    /// chunks, or if the default image that is a frame has another size than the canvas.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        guard let outline = frames(reader, limit: frameLimit), outline.frames.count > 1 else { return nil }
        return outline
    }

    /// The first frame of an animation whose default image is not a frame. `nil` for other images,
    /// and if the frame is incomplete.
    static func frameBesideDefaultImage(_ reader: ByteReader) -> AnimationFrame? {
        guard PNGHeader.animationControl(reader) != nil else { return nil }
        let first = PNGChunks(reader).first { reader.has("fcTL", at: $0.name) || reader.has("IDAT", at: $0.name) }
        guard let first, reader.has("IDAT", at: first.name) else { return nil }
        return frames(reader, limit: 1)?.frames.first
    }

    private static func frames(_ reader: ByteReader, limit frameLimit: Int) -> AnimationOutline? {
        guard let header = PNGHeader.read(reader), let control = PNGHeader.animationControl(reader) else { return nil }
        var outline = AnimationOutline(
            canvas: header.storedSize, playCount: control.playCount == 0 ? nil : control.playCount)
        var shared: [AnimationFrame.Piece] = []
        var missingNames = sharedNames
        var hasPixels = false
        var sequenceNumber = 0
        var frame: AnimationFrame?
        var hasData = false
        var chunkCount = 0
        func endFrame() {
            guard var ended = frame.take(), hasData else { return }
            ended.pieces.append(.bytes(chunk("IEND", [])))
            outline.frames.append(ended)
            hasData = false
        }
        for part in PNGChunks(reader) {
            chunkCount += 1
            guard chunkCount <= chunkLimit else { return nil }
            if reader.has("fcTL", at: part.name) || reader.has("fdAT", at: part.name) {
                guard reader.bigEndian32(at: part.content.lowerBound) == sequenceNumber else { break }
                sequenceNumber += 1
            }
            if reader.has("fcTL", at: part.name) {
                endFrame()
                guard outline.frames.count < min(frameLimit, control.frameCount),
                    let next = self.frame(reader, part.content, canvas: outline.canvas)
                else { break }
                frame = next
                frame?.pieces = [.bytes(PNGHeader.signature + head(reader, next.size))] + shared
            } else if reader.has("IDAT", at: part.name) {
                hasPixels = true
                // The default image has the size of the canvas. Without a preceding `fcTL`, it is
                // not part of the animation.
                guard frame.map({ $0.size == outline.canvas }) ?? true else { return nil }
                hasData = frame != nil
                frame?.pieces += data(reader, part.content)
            } else if reader.has("fdAT", at: part.name) {
                hasData = frame != nil
                frame?.pieces += data(reader, part.content.dropFirst(4))
            } else if !hasPixels, let index = missingNames.firstIndex(where: { reader.has($0, at: part.name) }) {
                missingNames.remove(at: index)
                let whole = Piece.range(part.name - 4..<part.content.upperBound + 4)
                shared.append(whole)
                frame?.pieces.append(whole)
            }
        }
        endFrame()
        return outline
    }

    private typealias Piece = AnimationFrame.Piece

    /// The chunks that every frame needs, each at most once.
    private static let sharedNames: [StaticString] = ["PLTE", "tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM"]

    private static func frame(
        _ reader: ByteReader, _ content: Range<Int>, canvas: PixelSize
    ) -> AnimationFrame? {
        let start = content.lowerBound
        guard content.count >= 26, let width = reader.bigEndian32(at: start + 4),
            let height = reader.bigEndian32(at: start + 8), let x = reader.bigEndian32(at: start + 12),
            let y = reader.bigEndian32(at: start + 16), let delay = reader.bigEndian16(at: start + 20),
            let parts = reader.bigEndian16(at: start + 22), let disposal = reader.byte(at: start + 24),
            let blending = reader.byte(at: start + 25), width > 0, height > 0, x + width <= canvas.width,
            y + height <= canvas.height
        else { return nil }
        let disposals: [AnimationFrame.Disposal] = [.keep, .clear, .restore]
        guard disposals.indices.contains(Int(disposal)) else { return nil }
        return AnimationFrame(
            x: x, y: y, size: PixelSize(width: width, height: height),
            delay: AnimationFrame.delay(milliseconds: delay * 1000 / (parts == 0 ? 100 : parts)),
            disposal: disposals[Int(disposal)], blends: blending == 1, pieces: [])
    }

    /// The IHDR chunk of the file with another size.
    private static func head(_ reader: ByteReader, _ size: PixelSize) -> [UInt8] {
        chunk("IHDR", bigEndian(size.width) + bigEndian(size.height) + Array(reader[24..<29]))
    }

    /// An IDAT chunk with the content and its checksum.
    private static func data(_ reader: ByteReader, _ content: Range<Int>) -> [Piece] {
        let name = Array("IDAT".utf8)
        let sum = CRC32.checksum(reader[content], after: CRC32.checksum(name))
        return [.bytes(bigEndian(content.count) + name), .range(content), .bytes(bigEndian(Int(sum)))]
    }

    static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let body = name.withUTF8Buffer { Array($0) } + content
        return bigEndian(content.count) + body + bigEndian(Int(CRC32.checksum(body)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// The complete chunks of a PNG before IEND (PNG third edition, section 5.3).
struct PNGChunks: Sequence, IteratorProtocol {
    struct Chunk {
        /// The position of the chunk type.
        let name: Int
        let content: Range<Int>
    }

    private let reader: ByteReader
    private var index = 8

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func next() -> Chunk? {
        guard let length = reader.bigEndian32(at: index), index + 12 + length <= reader.count,
            !reader.has("IEND", at: index + 4)
        else { return nil }
        defer { index += 12 + length }
        return Chunk(name: index + 4, content: (index + 8)..<(index + 8 + length))
    }
}

/// The checksum of PNG chunks (PNG third edition, annex D).
enum CRC32 {
    /// - Parameter before: The checksum of the preceding bytes.
    static func checksum(_ bytes: some Sequence<UInt8>, after before: UInt32 = 0) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            ~bytes.reduce(~before) { sum, byte in
                table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}

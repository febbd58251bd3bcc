/// Turns the frames of an animated PNG file into PNG files (PNG third edition, section 11.3.6).
enum PNGAnimation {
    /// The maximum number of chunks; real files have fewer.
    private static let chunkLimit = 20_000

    /// The outline of at most `frameLimit` frames. `nil` if there are fewer than two.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        guard let outline = frames(reader, limit: frameLimit), outline.frames.count > 1 else { return nil }
        return outline
    }

    /// The first frame of an animation whose default image is not a frame. `nil` for other images,
    /// and if no frame is valid.
    static func frameBesideDefaultImage(_ reader: ByteReader) -> AnimationFrame? {
        guard PNGHeader.animationControl(reader) != nil else { return nil }
        let first = PNGChunks(reader).first { reader.has("fcTL", at: $0.name) || reader.has("IDAT", at: $0.name) }
        guard let first, reader.has("IDAT", at: first.name) else { return nil }
        return frames(reader, limit: 1)?.frames.first
    }

    /// The frames before the first invalid chunk, of which the last may be truncated. `nil` for a
    /// still image, and if there are too many chunks.
    static func frames(_ reader: ByteReader, limit frameLimit: Int) -> AnimationOutline? {
        guard let header = PNGHeader.read(reader), let control = PNGHeader.animationControl(reader) else { return nil }
        var outline = AnimationOutline(
            canvas: header.storedSize, playCount: control.playCount == 0 ? nil : control.playCount)
        var shared: [AnimationFrame.Piece] = []
        var missingNames = sharedNames
        var hasPixels = false
        var sequenceNumber = 0
        var frame: AnimationFrame?
        var isDefaultImage = true
        var chunkCount = 0
        func endFrame() {
            guard var ended = frame.take(), case .imageData? = ended.pieces.last else { return }
            ended.pieces.append(.bytes(PNGChunks.make("IEND", [])))
            outline.frames.append(ended)
        }
        for part in PNGChunks(reader) {
            chunkCount += 1
            guard chunkCount <= chunkLimit else { return nil }
            if reader.has("fcTL", at: part.name) || reader.has("fdAT", at: part.name) {
                guard part.content.count >= 4, reader.bigEndian32(at: part.content.lowerBound) == sequenceNumber
                else { break }
                sequenceNumber += 1
            }
            if reader.has("fcTL", at: part.name) {
                endFrame()
                guard outline.frames.count < min(frameLimit, control.frameCount), part.isIntact(26, reader),
                    let next = self.frame(reader, part.content, canvas: outline.canvas)
                else { break }
                frame = next
                frame?.pieces = [.bytes(PNGChunks.signature + head(reader, next.size))] + shared
                isDefaultImage = !hasPixels
            } else if reader.has("IDAT", at: part.name) {
                // The default image has the size of the canvas. Without a preceding `fcTL`, it is
                // not part of the animation.
                guard isDefaultImage, frame.map({ $0.size == outline.canvas }) ?? true else { break }
                hasPixels = true
                frame?.pieces.append(.imageData(part.content))
            } else if reader.has("fdAT", at: part.name) {
                guard !isDefaultImage else { break }
                frame?.pieces.append(.imageData(part.content.dropFirst(4)))
            } else if !hasPixels, let index = missingNames.firstIndex(where: { reader.has($0, at: part.name) }) {
                missingNames.remove(at: index)
                shared.append(.range(part.whole))
                frame?.pieces.append(.range(part.whole))
            } else if hasPixels, part.isCritical(reader) {
                break
            }
        }
        endFrame()
        return outline
    }

    /// The chunks that every frame needs, each at most once.
    static let sharedNames: [StaticString] = ["PLTE", "tRNS", "cICP", "cLLI", "iCCP", "sRGB", "gAMA", "cHRM"]

    private static func frame(
        _ reader: ByteReader, _ content: Range<Int>, canvas: PixelSize
    ) -> AnimationFrame? {
        let start = content.lowerBound
        guard let width = reader.bigEndian32(at: start + 4),
            let height = reader.bigEndian32(at: start + 8), let x = reader.bigEndian32(at: start + 12),
            let y = reader.bigEndian32(at: start + 16), let delay = reader.bigEndian16(at: start + 20),
            let parts = reader.bigEndian16(at: start + 22), let disposal = reader.byte(at: start + 24),
            let blending = reader.byte(at: start + 25), width > 0, height > 0, x + width <= canvas.width,
            y + height <= canvas.height
        else { return nil }
        let disposals: [AnimationFrame.Disposal] = [.keep, .clear, .restore]
        guard disposals.indices.contains(Int(disposal)), blending <= 1 else { return nil }
        return AnimationFrame(
            x: x, y: y, size: PixelSize(width: width, height: height),
            delay: AnimationFrame.delay(milliseconds: delay * 1000 / (parts == 0 ? 100 : parts)),
            disposal: disposals[Int(disposal)], blends: blending == 1, pieces: [])
    }

    /// The IHDR chunk of the file with another size.
    private static func head(_ reader: ByteReader, _ size: PixelSize) -> [UInt8] {
        PNGChunks.make(
            "IHDR", size.width.bigEndianBytes() + size.height.bigEndianBytes() + reader[24..<29])
    }
}

/// The frames of an animated WebP file (RFC 9649 section 2.7.1).
enum WebPAnimation {
    /// The outline of at most `frameLimit` frames; nil where there are not even two.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        guard let header = WebPHeader.read(reader) else { return nil }
        let chunks = WebPHeader.chunks(reader, named: "ANMF", limit: frameLimit)
        var outline = AnimationOutline(canvas: header.storedSize, playCount: 1)
        if let animation = WebPHeader.chunks(reader, named: "ANIM", limit: 1).first {
            let count = reader.littleEndian16(at: animation.lowerBound + 4) ?? 1
            outline.playCount = count == 0 ? nil : count
        }
        outline.frames = chunks.compactMap { frame(reader, $0) }
        return outline.frames.count > 1 ? outline : nil
    }

    private static func frame(_ reader: ByteReader, _ chunk: Range<Int>) -> AnimationFrame? {
        let start = chunk.lowerBound
        guard chunk.count > 16, let x = reader.littleEndian24(at: start), let y = reader.littleEndian24(at: start + 3),
            let width = reader.littleEndian24(at: start + 6), let height = reader.littleEndian24(at: start + 9),
            let milliseconds = reader.littleEndian24(at: start + 12), let flags = reader.byte(at: start + 15)
        else { return nil }
        let data = (start + 16)..<chunk.upperBound
        let extended = extendedHeader(reader, data, width, height)
        let riff = Array("RIFF".utf8) + littleEndian(4 + extended.count + data.count, 4) + Array("WEBP".utf8)
        return AnimationFrame(
            x: x * 2, y: y * 2, size: PixelSize(width: width + 1, height: height + 1),
            delay: AnimationFrame.delay(milliseconds: milliseconds), disposal: flags & 1 == 1 ? .clear : .keep,
            blends: flags & 2 == 0, pieces: [.bytes(riff + extended), .range(data)])
    }

    /// Alpha that is stored apart is understood in the extended kind of file alone.
    private static func extendedHeader(
        _ reader: ByteReader, _ data: Range<Int>, _ width: Int, _ height: Int
    ) -> [UInt8] {
        guard reader.has("ALPH", at: data.lowerBound) else { return [] }
        return Array("VP8X".utf8) + littleEndian(10, 4) + [0x10, 0, 0, 0] + littleEndian(width, 3)
            + littleEndian(height, 3)
    }

    private static func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The frames of an animated WebP file (RFC 9649 section 2.7.1).
enum WebPAnimation {
    /// The outline of at most `frameLimit` frames; `nil` if there are fewer than two.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        guard let header = WebPHeader.read(reader), WebPHeader.isAnimation(reader) else { return nil }
        var outline = AnimationOutline(canvas: header.storedSize, playCount: 1)
        if let animation = WebPHeader.chunks(reader, named: "ANIM", limit: 1).first {
            let count = reader.littleEndian16(at: animation.lowerBound + 4) ?? 1
            outline.playCount = count == 0 ? nil : count
        }
        let profile = profile(reader)
        outline.frames = WebPHeader.frames(reader, limit: frameLimit).compactMap { frame(reader, $0, profile) }
        return outline.frames.count > 1 ? outline : nil
    }

    /// `nil` if no frame has an image.
    static func firstFrame(_ reader: ByteReader) -> AnimationFrame? {
        WebPHeader.frames(reader, limit: 1).first.flatMap { frame(reader, $0, profile(reader)) }
    }

    private static func profile(_ reader: ByteReader) -> Range<Int>? {
        WebPHeader.chunks(reader, named: "ICCP", limit: 1).first
    }

    private static func frame(_ reader: ByteReader, _ chunk: Range<Int>, _ profile: Range<Int>?) -> AnimationFrame? {
        let start = chunk.lowerBound
        // A frame without an image at its start, such as one with a VP8X header, has no size, since
        // its file might be another animation.
        guard let size = WebPHeader.frameSize(reader, chunk), let x = reader.littleEndian24(at: start),
            let y = reader.littleEndian24(at: start + 3), let milliseconds = reader.littleEndian24(at: start + 12),
            let flags = reader.byte(at: start + 15)
        else { return nil }
        return AnimationFrame(
            x: x * 2, y: y * 2, size: size,
            delay: AnimationFrame.delay(milliseconds: milliseconds), disposal: flags & 1 == 1 ? .clear : .keep,
            blends: flags & 2 == 0,
            pieces: file(reader, (start + 16)..<chunk.upperBound, size, profile))
    }

    /// A file with the chunks of a frame. Only the extended file format supports separate alpha and
    /// a color profile (RFC 9649 section 2.7).
    private static func file(
        _ reader: ByteReader, _ data: Range<Int>, _ size: PixelSize, _ profile: Range<Int>?
    ) -> [AnimationFrame.Piece] {
        let hasAlpha = reader.has("ALPH", at: data.lowerBound)
        var pieces: [AnimationFrame.Piece] = []
        if hasAlpha || profile != nil {
            let flags: UInt8 = (profile == nil ? 0 : 0x20) | (hasAlpha ? 0x10 : 0)
            pieces.append(
                .bytes(
                    Array("VP8X".utf8) + 10.littleEndianBytes(4) + [flags, 0, 0, 0]
                        + (size.width - 1).littleEndianBytes(3) + (size.height - 1).littleEndianBytes(3)))
        }
        if let profile {
            pieces.append(.bytes(Array("ICCP".utf8) + profile.count.littleEndianBytes(4)))
            pieces.append(.range(profile))
            if profile.count % 2 == 1 { pieces.append(.bytes([0])) }
        }
        pieces.append(.range(data))
        let count = pieces.reduce(4) { $0 + $1.count }
        return [.bytes(Array("RIFF".utf8) + count.littleEndianBytes(4) + Array("WEBP".utf8))] + pieces
    }
}

import RemoteImageCore

/// WebP files in extended format (RFC 9649 section 2.7), built from other WebP files.
public enum WebPFile {
    /// `webP` with the profile in an `ICCP` chunk after `VP8X`, which is added if missing.
    public static func insert(_ profile: ICCProfile, into webP: [UInt8], size: PixelSize) -> [UInt8] {
        insert(profile.bytes, into: webP, size: size)
    }

    /// `webP` with the bytes of a profile, as above.
    public static func insert(_ profile: [UInt8], into webP: [UInt8], size: PixelSize) -> [UInt8] {
        let isExtended = webP[12..<16].elementsEqual("VP8X".utf8)
        var header = isExtended ? Array(webP[12..<30]) : header(flags: 0, size)
        header[8] |= 0x20
        return file([header, chunk("ICCP", profile), Array(webP[(isExtended ? 30 : 12)...])])
    }

    /// An animation of two frames without blending. Both show `webP`, a file in simple format.
    public static func animation(of webP: [UInt8], size: PixelSize) -> [UInt8] {
        let frame =
            number(0, 6) + number(size.width - 1, 3) + number(size.height - 1, 3) + number(100, 3) + [2] + webP[12...]
        return file([
            header(flags: 0x12, size), chunk("ANIM", number(0, 6)), chunk("ANMF", frame), chunk("ANMF", frame),
        ])
    }

    /// An animation of `frameCount` frames. Each shows `webP`, a file in simple format, at the even
    /// coordinates `x` and `y` of the canvas.
    public static func animation(
        of webP: [UInt8], size: PixelSize, canvas: PixelSize, frameCount: Int, x: Int = 0, y: Int = 0
    ) -> [UInt8] {
        var content: [UInt8] = []
        for value in [x / 2, y / 2, size.width - 1, size.height - 1, 100] { content += number(value, 3) }
        let frame = chunk("ANMF", content + [0] + webP[12...])
        let start = [header(flags: 0x12, canvas), chunk("ANIM", number(0, 6))]
        return file(start + [[UInt8]](repeating: frame, count: frameCount))
    }

    /// `webP`, a file in simple format, in extended format with these flags.
    public static func extended(_ webP: [UInt8], flags: UInt8, size: PixelSize) -> [UInt8] {
        file([header(flags: Int(flags), size), Array(webP[12...])])
    }

    private static func file(_ parts: [[UInt8]]) -> [UInt8] { chunk("RIFF", Array("WEBP".utf8) + parts.joined()) }

    private static func header(flags: Int, _ size: PixelSize) -> [UInt8] {
        chunk("VP8X", number(flags, 4) + number(size.width - 1, 3) + number(size.height - 1, 3))
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        name.utf8 + number(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

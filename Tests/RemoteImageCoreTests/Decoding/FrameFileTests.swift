import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The frames of animations as files of their own, byte by byte.
@Suite struct FrameFileTests {
    private func text(_ frame: AnimationFrame) -> String {
        "\(frame.x), \(frame.y), \(frame.size), \(frame.delay / .milliseconds(1)) ms, \(frame.disposal), \(frame.blends)"
    }

    private func expect(_ frame: AnimationFrame, of bytes: [UInt8], _ expected: String, _ file: [UInt8]) {
        #expect(text(frame) == expected)
        #expect(frame.file(from: bytes) == file)
        #expect(frame.fileByteCount == file.count)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] { value.littleEndianBytes(count) }

    // MARK: GIF

    private let palette = (1...12).map { UInt8($0) }

    private func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    private func loop(_ content: [UInt8], name: String = "NETSCAPE2.0") -> [UInt8] {
        join([0x21, 0xFF, 11], Array(name.utf8), [UInt8(content.count)], content, [0])
    }

    private func control(_ flags: UInt8, _ delay: Int, _ transparent: UInt8) -> [UInt8] {
        join([0x21, 0xF9, 4, flags], number(delay, 2), [transparent, 0])
    }

    private func descriptor(_ sides: [Int], _ flags: UInt8) -> [UInt8] {
        join([0x2C], sides.flatMap { number($0, 2) }, [flags])
    }

    private func screen(_ width: Int, _ height: Int, _ flags: UInt8, _ palette: [UInt8]) -> [UInt8] {
        join(Array("GIF89a".utf8), number(width, 2), number(height, 2), [flags, 0, 0], palette)
    }

    /// A canvas of 300 × 4 pixels with a palette of four colors.
    private var screen: [UInt8] { screen(300, 4, 0x81, palette) }

    private func gif(_ bytes: [UInt8], limit: Int = 10) -> AnimationOutline? {
        bytes.withReader { GIFAnimation.outline($0, frameLimit: limit) }
    }

    @Test func `a frame of a GIF becomes a file with its own palette, place and transparency`() throws {
        let local = (1...24).map { UInt8($0 + 100) }
        let (first, second): ([UInt8], [UInt8]) = ([2, 2, 0xAA, 0xBB, 0], [3, 1, 0xCC, 0])
        var bytes = screen + loop([1, 2, 0])
        bytes += join(control(3 << 2 | 1, 7, 2), descriptor([1, 2, 260, 2], 0x40), first)
        bytes += join(descriptor([0, 0, 5, 4], 0x82), local, second)
        bytes += join(control(2 << 2, 0, 3), descriptor([9, 8, 7, 6], 0), [2, 0])
        bytes += join(descriptor([290, 0, 7, 6], 0), [2, 1, 0xDD, 0, 0x3B])
        let outline = try #require(gif(bytes))
        #expect(outline.canvas == PixelSize(width: 300, height: 4))
        #expect(outline.playCount == 3)
        #expect(outline.frames.count == 4)
        expect(
            outline.frames[0], of: bytes, "1, 2, 260 × 2, 70.0 ms, restore, true",
            join(
                screen(260, 2, 0x81, palette), [0x21, 0xF9, 4, 1, 0, 0, 2, 0], descriptor([0, 0, 260, 2], 0x40), first,
                [0x3B]))
        expect(
            outline.frames[1], of: bytes, "0, 0, 5 × 4, 100.0 ms, keep, true",
            join(screen(5, 4, 0x82, local), descriptor([0, 0, 5, 4], 0), second, [0x3B]))
        expect(outline.frames[2], of: bytes, "9, 8, 0 × 0, 100.0 ms, clear, true", [])
        expect(
            outline.frames[3], of: bytes, "290, 0, 7 × 6, 100.0 ms, keep, true",
            join(screen(7, 6, 0x81, palette), descriptor([0, 0, 7, 6], 0), [2, 1, 0xDD, 0, 0x3B]))
        #expect(gif(bytes, limit: 2)?.frames.count == 2)
        #expect(gif(bytes, limit: 1) == nil)
    }

    @Test func `a control of a GIF applies to the next frame alone`() throws {
        let frame = join(descriptor([0, 0, 2, 2], 0), [2, 1, 0xDD, 0])
        for (code, disposal) in ["keep", "keep", "clear", "restore", "restore", "keep", "keep", "keep"].enumerated() {
            for (delay, milliseconds) in [(0, 100), (1, 100), (2, 20), (300, 3000)] {
                let outline = try #require(gif(screen + control(UInt8(code << 2), delay, 0) + frame + frame))
                #expect(text(outline.frames[0]) == "0, 0, 2 × 2, \(milliseconds).0 ms, \(disposal), true")
                #expect(text(outline.frames[1]) == "0, 0, 2 × 2, 100.0 ms, keep, true")
            }
        }
        // Without a palette.
        let plain = join(screen(2, 2, 0, []), frame, frame)
        let outline = try #require(gif(plain))
        #expect(outline.frames[1].file(from: plain) == join(screen(2, 2, 0, []), frame, [0x3B]))
    }

    @Test func `a GIF plays once more than it repeats`() {
        let frame = join(descriptor([0, 0, 2, 2], 0), [2, 1, 0xDD, 0])
        for (content, count) in [([1, 1, 0], 2), ([1, 0, 1], 257), ([1, 0, 0], nil), ([2, 5, 0], 1)]
            as [([UInt8], Int?)]
        {
            #expect(gif(screen + loop(content) + frame + frame)?.playCount == count)
        }
        #expect(gif(screen + frame + loop([1, 4, 0]) + frame)?.playCount == 5)
        #expect(gif(screen + frame + frame)?.playCount == 1)
        #expect(gif(screen + loop([1, 4, 0], name: "NETSCAPE3.0") + frame + frame)?.playCount == 1)
    }

    @Test func `a GIF is complete from the end of the first frame on`() {
        let bytes = screen + control(0, 0, 0) + join(descriptor([0, 0, 2, 2], 0), [2, 1, 0xDD, 0])
        func isComplete(_ bytes: [UInt8]) -> Bool {
            errorCode { () throws(ImageError) in try ImageFormat.gif.checkEnd(of: bytes) } == nil
        }
        #expect(isComplete(bytes))
        #expect(!isComplete(Array(bytes.dropLast())))
        #expect(!ImageFormat.gif.findsEnd(of: bytes), "frames may follow")
        func isTruncated(_ bytes: [UInt8]) -> Bool {
            bytes.withReader { GIFHeader.outline($0, frameLimit: 9).isTruncated }
        }
        #expect(!isTruncated(bytes))
        #expect(isTruncated(Array(bytes.dropLast())))
        #expect(isTruncated(bytes + control(0, 0, 0).dropLast()))
        #expect(!isTruncated(bytes + control(0, 0, 0)))
        #expect(!isTruncated(bytes + [0x3B, 0x21]))
    }

    // MARK: WebP

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        join(Array(name.utf8), number(content.count, 4), content, content.count % 2 == 0 ? [] : [0])
    }

    private func riff(_ parts: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + number(parts.count + 4, 4) + Array("WEBP".utf8) + parts
    }

    private func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8X", join([flags, 0, 0, 0], number(width - 1, 3), number(height - 1, 3)))
    }

    /// Lossy image data. The highest two bits of a side are a scale.
    private func lossy(_ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8 ", join([1, 2, 3, 0x9D, 0x01, 0x2A], number(width, 2), number(height, 2)))
    }

    private func lossless(_ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8L", join([0x2F], number(width - 1 | (height - 1) << 14, 4), [7, 7]))
    }

    /// The size in the frame differs from that of its image.
    private func frame(_ x: Int, _ y: Int, _ delay: Int, _ flags: UInt8, _ data: [UInt8]) -> [UInt8] {
        chunk("ANMF", join([x, y, 99, 98, delay].flatMap { number($0, 3) }, [flags], data))
    }

    private func webP(_ bytes: [UInt8], limit: Int = 10) -> AnimationOutline? {
        bytes.withReader { WebPAnimation.outline($0, frameLimit: limit) }
    }

    @Test func `a frame of a WebP becomes a file with its alpha and the profile`() throws {
        let profile = chunk("ICCP", [1, 2, 3])
        let alpha = chunk("ALPH", [9, 9, 9, 9, 9]) + lossy(300, 7)
        let frames =
            frame(2, 300, 30, 3, alpha) + frame(0, 0, 10, 0, lossless(5, 400)) + frame(1, 0, 11, 2, lossy(6, 8))
        let animation = chunk("ANIM", join([1, 2, 3, 4], number(300, 2)))
        let bytes = riff(extended(0x32, 700, 800) + profile + animation + frames)
        let outline = try #require(webP(bytes))
        #expect(outline.canvas == PixelSize(width: 700, height: 800))
        #expect(outline.playCount == 300)
        #expect(outline.frames.count == 3)
        expect(
            outline.frames[0], of: bytes, "4, 600, 300 × 7, 30.0 ms, clear, false",
            riff(extended(0x30, 300, 7) + profile + alpha))
        expect(
            outline.frames[1], of: bytes, "0, 0, 5 × 400, 100.0 ms, keep, true",
            riff(extended(0x20, 5, 400) + profile + lossless(5, 400)))
        expect(
            outline.frames[2], of: bytes, "2, 0, 6 × 8, 11.0 ms, keep, false",
            riff(extended(0x20, 6, 8) + profile + lossy(6, 8)))
        #expect(webP(bytes, limit: 2)?.frames.count == 2)
        #expect(webP(bytes, limit: 1) == nil)
        // Without a profile.
        let plain = riff(extended(0x12, 700, 800) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames)
        let found = try #require(webP(plain))
        #expect(found.playCount == nil)
        #expect(found.frames[0].file(from: plain) == riff(extended(0x10, 300, 7) + alpha))
        #expect(found.frames[1].file(from: plain) == riff(lossless(5, 400)))
        #expect(webP(riff(extended(0x12, 700, 800) + frames))?.playCount == 1)
        #expect(webP(riff(extended(0x10, 700, 800) + frames)) == nil, "no animation")
        // A profile of an even length.
        let even = riff(extended(0x32, 700, 800) + chunk("ICCP", [1, 2]) + frames)
        #expect(
            webP(even)?.frames[1].file(from: even)
                == riff(extended(0x20, 5, 400) + chunk("ICCP", [1, 2]) + lossless(5, 400)))
    }

    @Test func `frames of a WebP without an image do not count`() {
        let whole = frame(0, 0, 30, 0, lossless(5, 9))
        let empty: [[UInt8]] = [[], chunk("VP8X", [UInt8](repeating: 0, count: 10)), chunk("ALPH", [1, 2])]
        for data in empty {
            let bytes = riff(extended(0x12, 50, 60) + whole + frame(0, 0, 30, 0, data) + whole)
            #expect(ImageFormat.webp.frameCount(of: bytes) == 2)
            #expect(webP(bytes)?.frames.count == 2)
        }
        let alone = riff(extended(0x12, 50, 60) + frame(0, 0, 30, 0, []) + whole)
        #expect(bytes(ofFirst: alone) == riff(lossless(5, 9)))
    }

    private func bytes(ofFirst animation: [UInt8]) -> [UInt8]? {
        animation.withReader { WebPAnimation.firstFrame($0) }?.file(from: animation)
    }

    @Test func `the size of a WebP is that of its canvas or of its image`() throws {
        func size(_ parts: [UInt8]) -> PixelSize? { try? ImageHeader.read(riff(parts)).storedSize }
        #expect(size(lossy(300 | 0x4000, 200 | 0x8000)) == PixelSize(width: 300, height: 200))
        #expect(size(lossy(0x3FFF, 1)) == PixelSize(width: 16_383, height: 1))
        #expect(size(lossless(16_384, 3)) == PixelSize(width: 16_384, height: 3))
        #expect(size(lossless(3, 16_384)) == PixelSize(width: 3, height: 16_384))
        #expect(size(extended(0, 1 << 24, 70_000) + lossy(3, 4)) == PixelSize(width: 1 << 24, height: 70_000))
        var other = lossless(3, 4)
        other[8] = 0x2E
        #expect(size(other) == nil)
        other = lossy(3, 4)
        other[13] = 0x2B
        #expect(size(other) == nil)
    }

    @Test func `the orientation of a WebP follows an optional prefix, and needs its flag`() throws {
        let tiff = ExifBlock.tiff(orientation: 6, isLittleEndian: true)
        func orientation(_ flags: UInt8, _ exif: [UInt8]) throws -> ImageOrientation {
            let header = try ImageHeader.read(riff(extended(flags, 3, 4) + lossy(3, 4) + chunk("EXIF", exif)))
            return header.orientation
        }
        #expect(try orientation(0x08, tiff) == .right)
        #expect(try orientation(0x38, Array("Exif\0\0".utf8) + tiff) == .right)
        #expect(try orientation(0x30, tiff) == .up)
        #expect(try orientation(0x0A, tiff) == .up, "an animation")
        #expect(try orientation(0x08, [1]) == .up)
    }

    // MARK: PNG

    @Test func `damaged PNG files are rebuilt with the chunks that the pixels need`() {
        func file(_ colour: UInt8, _ chunks: [(String, [UInt8])]) -> [UInt8] {
            PNGChunk.header(width: 5, height: 4, colour: colour) + chunks.flatMap { PNGChunk.make($0.0, $0.1) }
        }
        let (first, second): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5])
        let palette = (1...7).map { UInt8($0) }
        let damaged = file(
            3,
            [
                ("tEXt", [9]), ("gAMA", [0, 0, 1, 0]), ("PLTE", palette), ("tRNS", [7, 8, 9]), ("ABCD", [1]),
                ("abcd", [2]), ("IDAT", first), ("IDAT", second), ("cHRM", [3]), ("IDAT", first),
            ])
        let kept: [(String, [UInt8])] = [
            ("gAMA", [0, 0, 1, 0]), ("PLTE", Array(palette.prefix(6))), ("tRNS", [7, 8]), ("ABCD", [1]),
        ]
        #expect(PNGRepair.file(damaged) == file(3, kept + [("IDAT", first + second), ("IEND", [])]))
        #expect(
            PNGRepair.file(damaged, addsSum: true)
                == file(3, kept + [("IDAT", first + second + [0, 0, 0, 0]), ("IEND", [])]))
        for (colour, count) in [(0, 2), (2, 6)] as [(UInt8, Int)] {
            for found in [count, count + 1] {
                let transparent = [UInt8](repeating: 1, count: found)
                #expect(
                    PNGRepair.file(file(colour, [("tRNS", transparent), ("IDAT", first)]))
                        == file(colour, [("tRNS", Array(transparent.prefix(count))), ("IDAT", first), ("IEND", [])]))
            }
        }
        // libpng ignores more than 256 bytes.
        for (count, kept) in [(256, 2), (257, 257)] {
            let long = [UInt8](repeating: 1, count: count)
            #expect(
                PNGRepair.file(file(0, [("tRNS", long), ("IDAT", first)]))
                    == file(0, [("tRNS", Array(long.prefix(kept))), ("IDAT", first), ("IEND", [])]))
        }
        #expect(PNGRepair.file(file(3, [("PLTE", palette)])) == nil)
    }

    @Test(
        arguments: [
            (10, 8, 2, 8), (9, 1, 0, 86), (5, 2, 3, 86), (3, 16, 6, 10), (4, 8, 4, 28), (256, 8, 0, 1), (258, 8, 0, 0),
        ] as [(Int, UInt8, UInt8, Int)])
    func `rows of up to 258 bytes together may be one string`(width: Int, depth: UInt8, colour: UInt8, count: Int) {
        var png = PNGFile(width: width, height: 100)
        (png.depth, png.colour) = (depth, colour)
        #expect(count == 0 || PNGRepair.canBeInLastString(count, png.head))
        #expect(!PNGRepair.canBeInLastString(count + 1, png.head))
        var interlaced = png.head
        interlaced[28] = 1
        #expect(!PNGRepair.canBeInLastString(1, interlaced))
    }

    // MARK: Memory

    @Test func `the memory of an animation counts its canvas, its largest frame, and the next images`() {
        func frame(_ width: Int, _ height: Int) -> AnimationFrame {
            AnimationFrame(
                x: 0, y: 0, size: PixelSize(width: width, height: height), delay: .zero, disposal: .keep, blends: true)
        }
        var outline = AnimationOutline(canvas: PixelSize(width: 10, height: 6))
        outline.frames = [frame(3, 2), frame(8, 20), frame(5, 5)]
        #expect(outline.byteCount == 60 * 16 + 160 * 4)
        outline.frames = [frame(3, 2), frame(5, 5)]
        #expect(outline.byteCount == 60 * 20)
        outline.isDecodedByNumber = true
        #expect(outline.byteCount == 60 * 60)
        outline.heldBytesPerPixel = 20
        #expect(outline.byteCount == 60 * 32)
        let request = FramesRequest(
            format: .gif, canvas: outline.canvas, restores: false, size: outline.canvas, limits: DecodeLimits(),
            previous: nil, frames: [frame(3, 2), frame(8, 20), frame(5, 5)], room: (0, 0))
        #expect(request.estimatedByteCount == 160 * 8)
    }

    @Test func `a canvas needs four bytes per pixel, and eight if a frame restores pixels`() {
        let size = PixelSize(width: 3, height: 2)
        #expect(AnimationCanvas.byteCount(of: size, restores: false) == 24)
        #expect(AnimationCanvas.byteCount(of: size, restores: true) == 48)
        for size in [PixelSize(width: 0, height: 2), PixelSize(width: 3, height: 0), PixelSize(width: .max, height: 3)]
        {
            #expect(AnimationCanvas.byteCount(of: size, restores: false) == nil)
        }
        #expect(AnimationCanvas.byteCount(of: PixelSize(width: 1, height: .max / 8 + 1), restores: true) == nil)
        #expect(AnimationCanvas.byteCount(of: PixelSize(width: 1, height: 1), restores: false) == 4)
        withUnsafeTemporaryAllocation(byteCount: 48, alignment: 16) { memory in
            #expect(AnimationCanvas(size, restores: true, in: memory) != nil)
            #expect(AnimationCanvas(size, restores: false, in: memory) == nil)
        }
    }

    @Test func `an image of a canvas is scaled down on each side alone, and never up`() {
        withUnsafeTemporaryAllocation(byteCount: 4 * 2 * 4, alignment: 16) { memory in
            guard let canvas = AnimationCanvas(PixelSize(width: 4, height: 2), restores: false, in: memory) else {
                Issue.record("no canvas")
                return
            }
            canvas.clear()
            for wanted in [(2, 9, 2, 2), (9, 1, 4, 1), (4, 2, 4, 2), (9, 9, 4, 2)] {
                let image = canvas.image(scaledDownTo: PixelSize(width: wanted.0, height: wanted.1))
                #expect(image.size == PixelSize(width: wanted.2, height: wanted.3))
                #expect(image.format == .rgba8Premultiplied)
            }
            for index in memory.indices { memory[index] = index % 4 == 3 ? 255 : UInt8(index) }
            let image = canvas.image(scaledDownTo: PixelSize(width: 4, height: 2))
            #expect(image.format == .rgb8)
            #expect(image.withUnsafeBytes { Array($0) } == (0..<32).filter { $0 % 4 != 3 }.map { UInt8($0) })
            memory[31] = 254
            #expect(canvas.image(scaledDownTo: PixelSize(width: 4, height: 2)).format == .rgba8Premultiplied)
        }
    }
}

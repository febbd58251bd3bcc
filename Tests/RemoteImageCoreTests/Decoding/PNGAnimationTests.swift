import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoding

/// Animated PNG files, built chunk by chunk.
@Suite(.timeLimit(.minutes(1)))
struct PNGAnimationTests {
    private struct Frame {
        var x = 0
        var y = 0
        var delay = (100, 1000)
        var disposal: UInt8 = 0
        var blending: UInt8 = 0
        /// One letter per pixel; a space separates rows.
        var letters: String
    }

    private static let colours: [Character: [UInt8]] = [
        "r": [255, 0, 0, 255], "g": [0, 255, 0, 255], "b": [0, 0, 255, 255], ".": [0, 0, 0, 0],
    ]

    private func rows(_ letters: String) -> [[UInt8]] {
        letters.split(separator: " ").map { row in row.flatMap { Self.colours[$0] ?? [] } }
    }

    /// An RGBA file of 4 × 3 pixels.
    private func file(
        _ frames: [Frame], frameCount: Int? = nil, playCount: Int = 0, defaultImage: String? = nil,
        change: (inout [(name: String, content: [UInt8])]) -> Void = { _ in }
    ) -> [UInt8] {
        var sequenceNumber = 0
        func next() -> [UInt8] {
            defer { sequenceNumber += 1 }
            return PNGFile.number(sequenceNumber)
        }
        func number16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        var chunks: [(name: String, content: [UInt8])] = [
            ("acTL", PNGFile.number(frameCount ?? frames.count) + PNGFile.number(playCount))
        ]
        if let defaultImage { chunks.append(("IDAT", PNGFile.data(rows(defaultImage)))) }
        for (index, frame) in frames.enumerated() {
            let rows = rows(frame.letters)
            var control = next() + PNGFile.number(rows[0].count / 4) + PNGFile.number(rows.count)
            control += PNGFile.number(frame.x) + PNGFile.number(frame.y)
            control += number16(frame.delay.0) + number16(frame.delay.1) + [frame.disposal, frame.blending]
            chunks.append(("fcTL", control))
            let data = PNGFile.data(rows)
            if index == 0, defaultImage == nil {
                chunks.append(("IDAT", data))
            } else {
                // Two chunks, since encoders split long data.
                chunks.append(("fdAT", next() + data[..<9]))
                chunks.append(("fdAT", next() + data[9...]))
            }
        }
        change(&chunks)
        var png = PNGFile(width: 4, height: 3)
        png.colour = 6
        return png.head + chunks.flatMap { PNGChunk.make($0.name, $0.content) } + PNGChunk.make("IEND", [])
    }

    private func animation(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> ImageAnimation? {
        let header = try ImageHeader.read(bytes)
        return ImageAnimation(
            bytes, header.format, size: header.size, decoder: OrientedDecoder(PNGDecoder()), limits: limits)
    }

    private func letters(_ pixels: PixelBuffer) -> String {
        (0..<pixels.size.height).map { y in
            String(
                (0..<pixels.size.width).map { x -> Character in
                    let pixel = pixels.pixel(x, y)
                    let whole = pixel.count == 3 ? pixel + [255] : pixel
                    return Self.colours.first { $0.value == whole }?.key ?? "?"
                })
        }.joined(separator: " ")
    }

    private let frames = [
        Frame(letters: "rrrr rrrr rrrr"),
        Frame(x: 1, y: 1, delay: (5, 0), disposal: 1, blending: 1, letters: "g. .g"),
        Frame(delay: (0, 100), disposal: 2, letters: "b. ..", ),
        Frame(x: 3, y: 2, delay: (1, 5), letters: "b"),
    ]

    @Test func `frames are blended and disposed as their fcTL chunks specify`() async throws {
        let animation = try #require(try animation(file(frames, playCount: 2)))
        #expect(animation.frameCount == 4)
        #expect(animation.playCount == 2)
        #expect(animation.duration == .milliseconds(100 + 50 + 100 + 200))
        let player = AnimationPlayer(animation)
        for _ in 0..<2 {
            for expected in ["rrrr rrrr rrrr", "rrrr rgrr rrgr", "b.rr ...r r..r", "rrrr r..r r..b"] {
                let frame = try #require(await player.next())
                #expect(letters(frame.pixels) == expected)
            }
        }
        #expect(await player.next() == nil)
    }

    /// The default image used to be shown until the first frame was decoded.
    @Test func `a default image outside the animation is neither decoded nor played`() async throws {
        let bytes = file(frames, defaultImage: "gggg gggg gggg")
        let image = try PNGDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
        #expect(letters(image.pixels) == "rrrr rrrr rrrr")
        #expect(image.frameCount == 4)
        let animation = try #require(try animation(bytes))
        #expect(animation.frameCount == 4)
        #expect(animation.playCount == nil)
        #expect(letters(try #require(await AnimationPlayer(animation).next()).pixels) == "rrrr rrrr rrrr")
    }

    @Test func `a first frame beside the default image is decoded onto the canvas`() throws {
        func decoded(_ bytes: [UInt8], _ target: TargetSize? = nil) throws -> DecodedImage {
            try PNGDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes), target: target))
        }
        let small = file([Frame(x: 1, y: 1, letters: "bb bb"), frames[0]], defaultImage: "gggg gggg gggg")
        #expect(letters(try decoded(small).pixels) == ".... .bb. .bb.")
        #expect(try decoded(small, .longestSide(2)).pixels.size == PixelSize(width: 2, height: 2))
        // Without a complete frame, the default image is all there is.
        let cut = small.firstIndex(ofText: "fdAT").map { Array(small[..<($0 + 2)]) }
        #expect(letters(try decoded(try #require(cut)).pixels) == "gggg gggg gggg")
        let none = file([Frame(letters: "bbbb bbbb bbbb")], frameCount: 0, defaultImage: "gggg gggg gggg")
        #expect(letters(try decoded(none).pixels) == "gggg gggg gggg")
    }

    @Test func `a first frame disposed to the previous canvas leaves it transparent`() async throws {
        let bytes = file([Frame(disposal: 2, letters: "rrrr rrrr rrrr"), Frame(letters: "g")])
        let player = AnimationPlayer(try #require(try animation(bytes)))
        _ = await player.next()
        #expect(letters(try #require(await player.next()).pixels) == "g... .... ....")
    }

    @Test func `every frame is decoded with the palette and transparency of the file`() async throws {
        var png = PNGFile(width: 2, height: 1)
        png.colour = 3
        png.chunks = PNGChunk.make("PLTE", [255, 0, 0, 0, 255, 0]) + PNGChunk.make("tRNS", [255, 0])
        func control(_ number: Int) -> [UInt8] {
            PNGChunk.make("fcTL", [number, 2, 1, 0, 0].flatMap(PNGFile.number) + [0, 1, 0, 10, 0, 0])
        }
        let bytes =
            png.head + PNGChunk.make("acTL", PNGFile.number(2) + PNGFile.number(0)) + control(0)
            + PNGChunk.make("IDAT", PNGFile.data([[0, 0]])) + control(1)
            + PNGChunk.make("fdAT", PNGFile.number(2) + PNGFile.data([[1, 0]])) + PNGChunk.make("IEND", [])
        let player = AnimationPlayer(try #require(try animation(bytes)))
        #expect(letters(try #require(await player.next()).pixels) == "rr")
        #expect(letters(try #require(await player.next()).pixels) == ".r")
    }

    @Test func `frames above the limit are not played`() throws {
        var limits = DecodeLimits()
        limits.maxFrameCount = 3
        #expect(try animation(file(frames), limits: limits)?.frameCount == 3)
        #expect(try animation(file(frames, frameCount: 2))?.frameCount == 2)
    }

    @Test func `a still or invalid animated PNG has no animation`() throws {
        #expect(try animation(GoldenImage.rgbaPNG) == nil)
        #expect(try animation(file([frames[0]])) == nil)
        let changes: [(inout [(name: String, content: [UInt8])]) -> Void] = [
            // acTL after the pixels.
            { $0.append($0.removeFirst()) },
            // A frame that extends beyond the canvas, and an empty frame.
            { $0[3].content[7] = 4 }, { $0[3].content[7] = 0 },
            // A first frame whose size differs from the image's.
            { $0[1].content[7] = 2 },
            // A skipped sequence number.
            { $0[3].content[3] += 1 },
            // An invalid disposal.
            { $0[3].content[24] = 3 },
        ]
        for change in changes { #expect(try animation(file(frames, change: change)) == nil) }
        #expect(try animation(file(frames)) != nil)
    }

    /// The chunks are acTL, fcTL, IDAT, and fcTL, fdAT, fdAT for each later frame. The number of
    /// frames used to be that of acTL.
    @Test func `frames count up to the first invalid chunk`() throws {
        let cases: [(count: Int, change: (inout [(name: String, content: [UInt8])]) -> Void)] = [
            // The first image is not followed by a frame, or by a frame with an invalid number.
            (1, { $0.removeLast(9) }), (1, { $0[3].content[3] = 2 }), (1, { $0.remove(at: 3) }),
            // Data without a frame, data before the frame, and a frame without data.
            (1, { $0.swapAt(3, 4) }), (1, { $0.removeSubrange(4...5) }), (1, { $0[4].content = [0] }),
            (1, { $0[4].name = "IDAT" }), (3, { $0.removeLast(2) }),
            // An invalid size, position, disposal and blending, and chunks of a wrong length.
            (2, { $0[6].content[7] = 0 }), (2, { $0[6].content[15] = 4 }), (2, { $0[6].content[24] = 3 }),
            (2, { $0[6].content[25] = 2 }), (2, { $0[6].content.append(0) }), (1, { $0[0].content.append(0) }),
            // Numbers of frames and plays that are too large.
            (4, { $0[0].content[2] = 9 }), (1, { $0[0].content[0] = 0x80 }), (1, { $0[0].content[4] = 0x80 }),
            // Unknown chunks: a critical one ends the animation, and an ancillary one does not.
            (2, { $0.insert(("ABCD", []), at: 6) }), (4, { $0.insert(("abcd", []), at: 6) }),
            // The default image is not a frame if the first fcTL follows it.
            (3, { $0.swapAt(1, 2) }),
        ]
        for (index, (count, change)) in cases.enumerated() {
            let bytes = file(frames, change: change)
            #expect(ImageFormat.png.frameCount(of: bytes) == count, "case \(index)")
            #expect(try animation(bytes)?.frameCount ?? 1 == count, "case \(index)")
        }
    }

    @Test func `a frame with a wrong checksum ends the animation`() throws {
        var bytes = file(frames)
        let last = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("fcTL".utf8)) })
        bytes[last + 4 + 26] ^= 1
        #expect(ImageFormat.png.frameCount(of: bytes) == 3)
    }

    /// Such frames used to end the animation.
    @Test func `the rows of a truncated frame are shown`() async throws {
        let bytes = file([frames[0], Frame(letters: "gggg gggg gggg")])
        // IEND, the checksums of fdAT and of the compressed data, and a row and a half.
        let cut = Array(bytes.dropLast(12 + 4 + 4 + 17 + 8))
        #expect(ImageFormat.png.frameCount(of: cut) == 2)
        let player = AnimationPlayer(try #require(try animation(cut)))
        for expected in ["rrrr rrrr rrrr", "gggg .... ....", "rrrr rrrr rrrr"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
        let hidden = file([Frame(letters: "gggg gggg gggg")], defaultImage: "rrrr rrrr rrrr")
        let image = try PNGDecoder().decode(
            Array(hidden.dropLast(12 + 4 + 4 + 17)), DecodeRequest(header: try ImageHeader.read(hidden)))
        #expect(letters(image.pixels) == "gggg gggg ....")
        #expect(image.isTruncated)
    }

    /// Each frame has its own copy of these chunks.
    @Test func `repetitions of a chunk that may occur only once are dropped`() throws {
        let bytes = file(frames) { chunks in
            for _ in 0..<1000 { chunks.insert(("gAMA", PNGFile.number(45455)), at: 0) }
        }
        let frames = try #require(try animation(bytes)).outline.frames
        #expect(frames.count == 4)
        #expect(frames.allSatisfy { $0.pieces.count < 20 })
    }

    @Test func `repeated chunks do not displace chunks of other types`() throws {
        let palette: [UInt8] = [1, 2, 3]
        let bytes = file(frames) { chunks in
            chunks.insert(("PLTE", palette), at: 0)
            for _ in 0..<6 { chunks.insert(("gAMA", PNGFile.number(45455)), at: 0) }
        }
        let frames = try #require(try animation(bytes)).outline.frames
        #expect(frames.count == 4)
        for frame in frames {
            let file = frame.file(from: bytes)
            let names = file.withUnsafeBytes { buffer in
                PNGChunks(ByteReader(buffer)).map { String(decoding: buffer[$0.name..<($0.name + 4)], as: UTF8.self) }
            }
            #expect(names.filter { $0 != "IDAT" } == ["IHDR", "gAMA", "PLTE"])
        }
    }

    @Test func `a damaged animation plays frames of the canvas size or ends early`() async throws {
        let bytes = file(frames)
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 33..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if seed % 3 == 0 { damaged.removeLast(Int.random(in: 1...200, using: &random)) }
            guard let animation = try animation(damaged) else { continue }
            let player = AnimationPlayer(animation)
            for _ in 0..<animation.frameCount {
                guard let frame = await player.next() else { break }
                #expect(frame.pixels.size == PixelSize(width: 4, height: 3))
            }
        }
    }
}

extension [UInt8] {
    fileprivate func firstIndex(ofText text: String) -> Int? {
        indices.dropLast(text.utf8.count).first { self[$0..<($0 + text.utf8.count)].elementsEqual(text.utf8) }
    }
}

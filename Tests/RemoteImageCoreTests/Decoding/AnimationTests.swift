import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Animations whose expected frames come from Pillow 12.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct AnimationTests {
    /// Four frames, of which the first is kept, the second cleared and the third restored to the
    /// previous canvas. Delays of 100, 0, 10 and 200 ms; played three times.
    private let gif = bytes(
        """
        R0lGODlhBAADAIIAAAAAAP8AAAD/AAAA/////wAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwECAAAh+QQFCgAAACwAAAAABAADAAADCBgREYER\
        EREJACH5BAkAAAAALAEAAQACAAIAAAMDKCKQACH5BA0BAAAALAAAAAACAAIAAAMDODCTACH5BAUUAAAALAMAAgABAAEAAAMCSAkAOw==
        """)

    /// Three lossless frames of 100, 5 and 300 ms, repeated forever.
    private let webP = bytes(
        """
        UklGRr4AAABXRUJQVlA4WAoAAAASAAAAAwAAAgAAQU5JTQYAAAAAAAAAAABBTk1GMAAAAAAAAAAAAAMAAAIAAGQAAAJWUDhMFwAAAC8DgAAQ\
        DxDzH/MfDIJs29D2Ayyi/1EHAEFOTUYqAAAAAAAAAAAAAwAAAQAABQAAAlZQOEwRAAAALwNAABAPMP8R8x+MMYjofwgAQU5NRigAAAAAAAAA\
        AAADAAACAAAsAQAAVlA4TA8AAAAvA4AAAAcQ0f/+ByKi/wEA
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map { [UInt8]($0) } ?? []
    }

    private func animation(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> ImageAnimation? {
        let header = try ImageHeader.read(bytes)
        let decoder: any ImageDecoder = header.format == .gif ? GIFDecoder() : WebPDecoder()
        return ImageAnimation(
            bytes, header.format, size: header.size, decoder: OrientedDecoder(decoder), limits: limits)
    }

    /// One letter per pixel.
    private func letters(_ pixels: PixelBuffer) -> String {
        let names: [[UInt8]: String] = [
            [255, 0, 0, 255]: "r", [0, 255, 0, 255]: "g", [0, 0, 255, 255]: "b", [255, 255, 255, 255]: "w",
            [0, 0, 0, 0]: ".",
        ]
        return (0..<pixels.size.height).map { y in
            (0..<pixels.size.width).map { x in
                let pixel = pixels.pixel(x, y)
                return names[pixel.count == 3 ? pixel + [255] : pixel] ?? "?"
            }.joined()
        }.joined(separator: " ")
    }

    @Test func `GIF frames are composed by their disposal methods`() async throws {
        let animation = try #require(try animation(gif))
        #expect(animation.frameCount == 4)
        #expect(animation.playCount == 3)
        #expect(animation.duration == .milliseconds(500), "two frames that ask for too little have 100 ms")
        let player = AnimationPlayer(animation)
        for _ in 0..<3 {
            for expected in ["rrrr rrrr rrrr", "rrrr rggr rgrr", "brrr bb.r r..r", "rrrr r..r r..w"] {
                let frame = try #require(await player.next())
                #expect(letters(frame.pixels) == expected)
            }
        }
        #expect(await player.next() == nil, "it is played three times")
        #expect(await player.next() == nil)
    }

    /// A frame of uniform color. Entries 1 to 4 of the palette are red, green, blue and white.
    private func frame(_ entry: UInt8, x: Int = 0, y: Int = 0, width: Int = 4, height: Int = 3) -> GIFFile {
        var frame = GIFFile(width: width, height: height, pixels: [UInt8](repeating: entry, count: width * height))
        (frame.canvasWidth, frame.canvasHeight, frame.x, frame.y) = (4, 3, x, y)
        let colors: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
        frame.palette.replaceSubrange(0..<15, with: colors)
        return frame
    }

    /// Such files used to be shown as still images.
    @Test func `later frames larger than the canvas are clipped, and empty frames pass`() async throws {
        let frames = [
            frame(1), frame(2, x: 2, y: 1, width: 40, height: 30), frame(0, width: 0, height: 0),
            frame(3, x: 9, y: 9, width: 2, height: 2), frame(0, width: 0, height: 5), frame(4, width: 1, height: 9),
        ]
        let bytes = GIFFile.animation(frames, delay: .milliseconds(200))
        #expect(try GIFDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes))).frameCount == 6)
        let animation = try #require(try animation(bytes))
        #expect(animation.duration == .milliseconds(1200))
        let player = AnimationPlayer(animation)
        for _ in 0..<2 {
            for expected in [
                "rrrr rrrr rrrr", "rrrr rrgg rrgg", "rrrr rrgg rrgg", "rrrr rrgg rrgg", "rrrr rrgg rrgg",
                "wrrr wrgg wrgg",
            ] { #expect(letters(try #require(await player.next()).pixels) == expected) }
        }
    }

    /// A truncated frame used to be left out, and a frame without data ended the animation.
    @Test func `a truncated last frame plays as far as it goes`() async throws {
        let bytes = GIFFile.animation([frame(1), frame(2), frame(3)], delay: .milliseconds(200))
        let last = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x2C, 0, 0, 0, 0, 4, 0, 3, 0]) })
        for (count, isCounted) in [(9, false), (10, true), (10 + 768, true), (10 + 768 + 2, true)] {
            let cut = Array(bytes[..<(last + count)])
            #expect(ImageFormat.gif.frameCount(of: cut) == (isCounted ? 3 : 2), "\(count) bytes")
            let player = AnimationPlayer(try #require(try animation(cut)))
            for expected in ["rrrr rrrr rrrr", "gggg gggg gggg"] + (isCounted ? ["gggg gggg gggg"] : []) {
                #expect(letters(try #require(await player.next()).pixels) == expected, "\(count) bytes")
            }
        }
        let player = AnimationPlayer(try #require(try animation(Array(bytes.dropLast(4)))))
        for expected in ["rrrr rrrr rrrr", "gggg gggg gggg", "bbbb bbbb bbgg"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
    }

    @Test func `the canvas of an animation grows to the first frame alone`() async throws {
        var frames = [frame(1, x: 1, width: 3, height: 2), frame(2, width: 9, height: 9)]
        for index in frames.indices { (frames[index].canvasWidth, frames[index].canvasHeight) = (0, 0) }
        let player = AnimationPlayer(
            try #require(try animation(GIFFile.animation(frames, delay: .milliseconds(200)))))
        for expected in [".rrr .rrr", "gggg gggg"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
    }

    @Test(arguments: [("NETSCAPE2.0", true), ("ANIMEXTS1.0", true), ("FOOBARXX1.0", false)])
    func `the loop extension has two names`(name: String, isLoop: Bool) throws {
        let bytes = GIFFile.animation([frame(1), frame(2)], delay: .milliseconds(200))
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("NETSCAPE2.0".utf8)) })
        let renamed = Array(bytes[..<start]) + Array(name.utf8) + bytes[(start + 11)...]
        #expect(try #require(try animation(renamed)).playCount == (isLoop ? nil : 1))
    }

    @Test func `the disposal method 4 restores the previous canvas`() async throws {
        var bytes = GIFFile.animation(
            [frame(1), frame(2, width: 2, height: 2), frame(3, x: 3, y: 2, width: 1, height: 1)],
            delay: .milliseconds(200))
        let controls = bytes.indices.dropLast().filter { bytes[$0...].starts(with: [0x21, 0xF9, 4]) }
        bytes[controls[1] + 3] = 4 << 2
        let player = AnimationPlayer(try #require(try animation(bytes)))
        for expected in ["rrrr rrrr rrrr", "ggrr ggrr rrrr", "rrrr rrrr rrrb"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
    }

    @Test func `a frame for which the memory does not suffice prevents the animation`() throws {
        let bytes = GIFFile.animation([frame(1), frame(2, width: 200, height: 200)], delay: .milliseconds(200))
        #expect(try animation(bytes) != nil)
        var limits = DecodeLimits()
        limits.maxAnimationByteCount = 100_000
        #expect(try animation(bytes, limits: limits) == nil)
    }

    @Test func `an opaque frame has no alpha channel`() async throws {
        let player = AnimationPlayer(try #require(try animation(gif)))
        var formats: [PixelFormat] = []
        for _ in 0..<4 { formats.append(try #require(await player.next()).pixels.format) }
        #expect(formats == [.rgb8, .rgb8, .rgba8Premultiplied, .rgba8Premultiplied])
    }

    @Test func `WebP frames are blended or replaced as their headers specify`() async throws {
        guard WebPDecoder().formats.contains(.webp) else { return }
        let animation = try #require(try animation(webP))
        #expect(animation.frameCount == 3)
        #expect(animation.playCount == nil)
        let player = AnimationPlayer(animation)
        for _ in 0..<2 {
            for (expected, delay) in [
                ("rrrr rrrr rr..", 100), (".... .gg. rr..", 100), ("bbbb bbbb bbbb", 300),
            ] {
                let frame = try #require(await player.next())
                #expect(letters(frame.pixels) == expected)
                #expect(frame.delay == .milliseconds(delay))
            }
        }
    }

    @Test func `a still image or a canvas above the limit has no animation`() throws {
        #expect(try animation(SampleImage.palettePNG) == nil)
        var limits = DecodeLimits()
        limits.maxAnimationByteCount = 100
        #expect(try animation(gif, limits: limits) == nil)
        limits = DecodeLimits()
        limits.maxFrameCount = 2
        #expect(try animation(gif, limits: limits)?.frameCount == 2)
    }

    @Test(arguments: 0..<300)
    func `a damaged file plays its readable frames without a crash`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = seed % 2 == 0 ? gif : webP
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: 6..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
        guard let animation = try? animation(bytes) else { return }
        let player = AnimationPlayer(animation)
        for _ in 0..<10 {
            guard let frame = await player.next() else { break }
            #expect(frame.pixels.size.width <= animation.outline.canvas.width)
        }
    }

    /// Blocks until the test signals the gate, and then fails.
    private struct StuckDecoder: ImageDecoder {
        let gate: DispatchSemaphore
        let entered: Watched<Int>
        var formats: Set<ImageFormat> { [.gif] }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            entered.update { $0 += 1 }
            gate.wait()
            throw ImageError(.corrupt)
        }
    }

    /// The player used to wait for its blocked decoder.
    @Test func `decoders that never return end their animations and do not block others`() async throws {
        let (clock, gate, entered) = (TestClock(), DispatchSemaphore(value: 0), Watched(0))
        let resources = DecodeResources.own(byteCount: 64 << 20)
        let scheduler = DecodeScheduler(resources, clock: clock)
        let header = try ImageHeader.read(gif)
        let count = resources.threads.count
        let players = try (0..<count).map { _ in
            AnimationPlayer(
                try #require(
                    ImageAnimation(
                        gif, header.format, size: header.size,
                        decoder: OrientedDecoder(StuckDecoder(gate: gate, entered: entered)),
                        limits: DecodeLimits(), decodeScheduler: scheduler)))
        }
        let frames = players.map { player in Task { await player.next() } }
        try await entered.wait { $0 == count }
        clock.advance(by: .seconds(31))
        for frame in frames { #expect(await frame.value == nil) }
        let free = try #require(
            ImageAnimation(
                gif, header.format, size: header.size, decoder: OrientedDecoder(GIFDecoder()),
                limits: DecodeLimits(),
                decodeScheduler: scheduler))
        #expect(await AnimationPlayer(free).next()?.pixels.size == header.size)
        for _ in 0..<count { gate.signal() }
    }

    @Test func `a loaded image has its animation, also from the memory cache`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: GIFDecoder())
        let request = ImageRequest(ImageSource.bytes(gif, identity: "gif"))
        let image = try await pipeline.image(for: request)
        #expect(image.animation?.frameCount == 4)
        #expect(image.info.frameCount == 4)
        #expect(pipeline.cachedImage(for: request)?.animation === image.animation)
        var options = ImageOptions()
        options.processors = [.grayscale]
        let gray = try await pipeline.image(
            for: ImageRequest(ImageSource.bytes(gif, identity: "gif"), options: options))
        #expect(gray.animation == nil)
    }
}

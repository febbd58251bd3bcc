import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// JPEG XL animations, in this process and in the decoder process.
@Suite(.enabled(if: !JXLDecoder().formats.isEmpty, "libjxl is not installed"), .timeLimit(.minutes(3)))
struct JXLAnimationTests {
    private func first(
        _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits(), with decoder: any ImageDecoder = JXLDecoder()
    ) throws(ImageError) -> DecodedImage {
        try decoder.decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes), limits: limits))
    }

    /// The animation that the pipeline creates for a file.
    private func animation(
        _ bytes: [UInt8], target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits(),
        with decoder: any ImageDecoder = JXLDecoder()
    ) throws -> ImageAnimation? {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target, limits: limits)
        let image = try decoder.decode(bytes, request)
        return ImageAnimation(
            bytes, .jxl, image.timing, size: image.pixels.size, decoder: OrientedDecoder(decoder), limits: limits)
    }

    private func frame(
        _ number: Int, of bytes: [UInt8], _ cursor: FrameCursor, with decoder: any ImageDecoder = JXLDecoder(),
        frameLimit: Int = 10_000
    ) throws(ImageError) -> PixelBuffer {
        var request = DecodeRequest(header: ImageHeader(format: .jxl, storedSize: PixelSize(width: 16, height: 8)))
        request.frame = (number, cursor)
        request.limits.maxFrameCount = frameLimit
        return try decoder.decode(bytes, request).pixels
    }

    private static func decoder(_ isIsolated: Bool) -> any ImageDecoder {
        isIsolated ? IsolatedDecoder() : JXLDecoder()
    }

    /// The first letter of each quarter's color.
    private func letters(_ pixels: PixelBuffer) -> String {
        let names: [[UInt8]: String] = [[255, 0, 0]: "r", [0, 255, 0]: "g", [0, 0, 255]: "b", [255, 255, 255]: "w"]
        let (right, bottom) = (pixels.size.width - 1, pixels.size.height - 1)
        return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { x, y in
            names[Array(pixels.pixel(x, y).prefix(3))] ?? "?"
        }.joined()
    }

    private static let blendedFrames = [("rgbw", 100), ("wgbw", 200), ("wrbw", 50), ("wrgb", 300)]

    // MARK: Frames

    @Test(arguments: [false, true]) func `frames are blended and have their own delays`(isIsolated: Bool) async throws {
        let decoder = Self.decoder(isIsolated)
        for bytes in [JXLFile.blendedAnimation, JXLFile.boxed(JXLFile.blendedAnimation, ends: [30, 90])] {
            let animation = try #require(try animation(bytes, with: decoder))
            #expect(animation.frameCount == 4)
            #expect(animation.playCount == nil)
            #expect(animation.duration == .milliseconds(650))
            let player = AnimationPlayer(animation)
            for (expected, delay) in Self.blendedFrames + Self.blendedFrames {
                let frame = try #require(await player.next())
                #expect(letters(frame.pixels) == expected)
                #expect(frame.delay == .milliseconds(delay))
            }
        }
    }

    @Test func `frames have the reduced size of the first frame`() async throws {
        let animation = try #require(try animation(JXLFile.blendedAnimation, target: .longestSide(8)))
        let player = AnimationPlayer(animation)
        for (expected, _) in Self.blendedFrames {
            let pixels = try #require(await player.next()).pixels
            #expect(pixels.size == PixelSize(width: 8, height: 4))
            #expect(letters(pixels) == expected)
        }
    }

    /// They used to be a pixel narrower, and were stretched.
    @Test func `frames have the size of a first frame that is rounded down`() async throws {
        let (bytes, size) = (JXLFile.blendedAnimation, PixelSize(width: 5, height: 2))
        let timing = try first(bytes).timing
        let animation = ImageAnimation(
            bytes, .jxl, timing, size: size, decoder: OrientedDecoder(JXLDecoder()), limits: DecodeLimits())
        let player = AnimationPlayer(try #require(animation))
        for _ in 0..<4 { #expect(try #require(await player.next()).pixels.size == size) }
    }

    @Test func `a loaded image has its animation and frame count`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: JXLDecoder())
        let image = try await pipeline.image(for: ImageRequest(ImageSource.bytes(JXLFile.animation, identity: "jxl")))
        #expect(image.info.frameCount == 3)
        let player = AnimationPlayer(try #require(image.animation))
        var frames: [String] = []
        for _ in 0..<3 { frames.append(letters(try #require(await player.next()).pixels)) }
        #expect(Set(frames).count == 3, "the quarters are in another order in each frame")
        #expect(frames[0] == "rgbw")
    }

    // MARK: The cost of a frame

    /// A decoder that restarts reads the bytes of the first frame, which are damaged by then.
    @Test(arguments: [false, true]) func `the next frame is decoded without earlier frames`(isIsolated: Bool) throws {
        let decoder = Self.decoder(isIsolated)
        let cursor = FrameCursor()
        var bytes = JXLFile.blendedAnimation
        #expect(letters(try frame(0, of: bytes, cursor, with: decoder)) == "rgbw")
        for index in 2..<50 { bytes[index] = 0xFF }
        #expect(letters(try frame(1, of: bytes, cursor, with: decoder)) == "wgbw")
        #expect(letters(try frame(3, of: bytes, cursor, with: decoder)) == "wrgb", "one frame is left out")
        #expect(throws: ImageError.self, "it starts anew") { try frame(3, of: bytes, cursor, with: decoder) }
    }

    @Test(arguments: [false, true]) func `a frame is the same with a new cursor`(isIsolated: Bool) throws {
        let decoder = Self.decoder(isIsolated)
        let kept = FrameCursor()
        for number in [2, 0, 3, 1, 1] {
            for cursor in [kept, FrameCursor()] {
                let pixels = try frame(number, of: JXLFile.blendedAnimation, cursor, with: decoder)
                #expect(letters(pixels) == Self.blendedFrames[number].0)
            }
        }
    }

    @Test func `a decoder process plays many animations at once`() throws {
        let decoder = IsolatedDecoder()
        let cursors = (0..<80).map { _ in FrameCursor() }
        for number in 0..<4 {
            for cursor in cursors {
                let pixels = try frame(number, of: JXLFile.blendedAnimation, cursor, with: decoder)
                #expect(letters(pixels) == Self.blendedFrames[number].0)
            }
        }
        #expect(decoder.idleProcesses.count == 1)
    }

    @Test func `a decoder process keeps the last animations, and none after a failed image`() throws {
        let decoder = IsolatedDecoder()
        let cursors = (0..<80).map { _ in FrameCursor() }
        var bytes = JXLFile.blendedAnimation
        for cursor in cursors { _ = try frame(0, of: bytes, cursor, with: decoder) }
        // A decoder that restarts fails from here on.
        for index in 2..<50 { bytes[index] = 0xFF }
        #expect(letters(try frame(1, of: bytes, cursors[79], with: decoder)) == "wgbw")
        #expect(letters(try frame(1, of: bytes, cursors[78], with: decoder)) == "wgbw")
        #expect(throws: ImageError.self) { try frame(1, of: bytes, cursors[0], with: decoder) }
        #expect(throws: ImageError.self) { try frame(2, of: bytes, cursors[79], with: decoder) }
    }

    @Test func `a preview that is not there yet leaves the playing animations alone`() throws {
        let decoder = IsolatedDecoder()
        let cursor = FrameCursor()
        var bytes = JXLFile.blendedAnimation
        #expect(letters(try frame(0, of: bytes, cursor, with: decoder)) == "rgbw")
        let request = DecodeRequest(header: try ImageHeader.read(JXLFile.wide))
        #expect(decoder.decodeBeginning(Array(JXLFile.wide.prefix(60)), request) == nil)
        for index in 2..<50 { bytes[index] = 0xFF }
        #expect(letters(try frame(1, of: bytes, cursor, with: decoder)) == "wgbw")
        #expect(decoder.idleProcesses.count == 1)
    }

    @Test func `a cursor releases its memory after the last frame`() throws {
        let cursor = FrameCursor()
        _ = try frame(0, of: JXLFile.blendedAnimation, cursor)
        // Some versions of libjxl hold more.
        #expect(cursor.byteCount >= 128 * FrameCursor.bytesPerPixel)
        _ = try frame(3, of: JXLFile.blendedAnimation, cursor)
        #expect(cursor.byteCount == 0)
        #expect(cursor.take() == nil)
    }

    // MARK: Damage and limits

    @Test func `a frame number beyond the file or the limits is refused`() throws {
        let playing = FrameCursor()
        _ = try frame(0, of: JXLFile.blendedAnimation, playing, frameLimit: 2)
        for number in [-1, 4, 5, 1 << 40] {
            #expect(throws: ImageError.self) { try frame(number, of: JXLFile.blendedAnimation, FrameCursor()) }
        }
        for cursor in [FrameCursor(), playing] {
            #expect(throws: ImageError.self, "the limit leaves two frames") {
                try frame(3, of: JXLFile.blendedAnimation, cursor, frameLimit: 2)
            }
        }
    }

    @Test func `delays of any length are bounded`() throws {
        let timing = try #require(try first(JXLFile.slowAnimation).timing)
        #expect(timing == FrameTiming(delays: [.max, .max, 1_000_000], playCount: 7))
        #expect(try #require(try animation(JXLFile.slowAnimation)).duration < .seconds(9_000_000))
    }

    @Test func `frames without a duration are layers of one image`() throws {
        let image = try first(JXLFile.timelessAnimation)
        #expect(image.frameCount == 1)
        #expect(image.timing == nil)
        #expect(image.pixels.pixel(4, 4) == [0, 0, 255])
    }

    @Test func `the played frames are limited in number and in pixels`() throws {
        func count(_ change: (inout DecodeLimits) -> Void) throws -> Int? {
            var limits = DecodeLimits()
            change(&limits)
            #expect(try first(JXLFile.blendedAnimation, limits: limits).frameCount == 4)
            return try animation(JXLFile.blendedAnimation, limits: limits)?.frameCount
        }
        #expect(try count { $0.maxFrameCount = 3 } == 3)
        #expect(try count { $0.maxFrameCount = 1 } == nil)
        #expect(try count { $0.maxFrameCount = 0 } == nil)
        // The last frame has two layers.
        #expect(try count { $0.maxScanPixelCount = 10 * 5 * 128 } == 4)
        #expect(try count { $0.maxScanPixelCount = 10 * 5 * 128 - 1 } == 3)
        #expect(try count { $0.maxScanPixelCount = 10 * 128 } == nil)
        #expect(try count { $0.maxAnimationByteCount = 128 * 60 } == 4)
        #expect(try count { $0.maxAnimationByteCount = 128 * 60 - 1 } == nil)
    }

    @Test func `a truncated animation plays its complete frames`() async throws {
        let whole = JXLFile.blendedAnimation
        var lastCount = 0
        for count in 70..<whole.count {
            let cut = Array(whole[..<count])
            let image = try first(cut)
            if let animation = try animation(cut) {
                let player = AnimationPlayer(animation)
                // The end of the last frame is not searched for, so that frame may be missing.
                for (expected, _) in Self.blendedFrames[..<min(3, animation.frameCount)] {
                    let frame = await player.next()
                    #expect(frame.map { letters($0.pixels) } == expected, "\(count) bytes")
                }
            }
            #expect(image.frameCount >= lastCount)
            lastCount = image.frameCount
        }
        #expect(lastCount == 4)
    }

    @Test(arguments: 0..<200) func `a damaged animation plays its readable frames`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bytes = [JXLFile.blendedAnimation, JXLFile.animation, JXLFile.slowAnimation][seed % 3]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes[Int.random(in: 2..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        guard let animation = try? animation(bytes) else { return }
        #expect((2...512).contains(animation.frameCount))
        let player = AnimationPlayer(animation)
        for _ in 0..<6 {
            guard let frame = await player.next() else { break }
            #expect(frame.pixels.size == animation.size)
        }
    }
}

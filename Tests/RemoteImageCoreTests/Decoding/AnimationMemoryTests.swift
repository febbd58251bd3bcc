import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The memory and the length of animations, for frames of 20,000 bytes.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct AnimationMemoryTests {
    private func animation(
        _ width: Int = 100, _ height: Int = 50, count: Int = 20, size: PixelSize? = nil,
        limits: DecodeLimits = DecodeLimits()
    ) -> ImageAnimation? {
        ImageAnimation(
            LongAnimation(width: width, height: height, frameCount: count).bytes, .gif,
            size: size ?? PixelSize(width: width, height: height), decoder: OrientedDecoder(GIFDecoder()),
            limits: limits)
    }

    @Test func `an animation knows its length and its memory`() throws {
        let animation = try #require(self.animation())
        #expect(animation.frameCount == 20 && animation.playCount == 1)
        #expect(animation.duration == .seconds(2), "a missing delay counts as 100 ms")
        #expect(animation.byteCount == LongAnimation(width: 100, height: 50, frameCount: 20).bytes.count)
        #expect(animation.allFramesByteCount == 400_000)
        // The canvas, the files, eight frames, twelve that wait, and the shown one.
        let files = animation.outline.frames.reduce(0) { $0 + $1.fileByteCount }
        #expect(files > 0 && animation.playingByteCount == 20_000 + files + 21 * 20_000)
    }

    @Test(arguments: [
        (100, 50, 20, 8), (100, 50, 3, 3), (600, 500, 5, 1), (1000, 600, 5, 1), (500, 500, 9, 2), (512, 512, 9, 2),
    ])
    func `at most eight frames or 2 MiB are decoded at once`(width: Int, height: Int, count: Int, ahead: Int) throws {
        #expect(try #require(self.animation(width, height, count: count)).frameCountAhead == ahead)
    }

    @Test func `a tiny animation counts 256 KiB`() throws {
        let tiny = try #require(self.animation(4, 4, count: 2))
        #expect(tiny.playingByteCount == 262_144 && tiny.allFramesByteCount == 128)
    }

    /// Frames of 1 MiB; playing them takes a canvas, the files and six frames.
    @Test(arguments: [(7, true), (8, false)])
    func `frames are kept that need no more memory than decoding them`(count: Int, isKept: Bool) throws {
        #expect(try #require(self.animation(512, 512, count: count)).keepsAllFrames == isKept)
    }

    @Test(arguments: [(200, 100, 100, 50), (40, 90, 40, 50), (110, 25, 100, 25)])
    func `frames are not larger than the canvas`(
        width: Int, height: Int, frameWidth: Int, frameHeight: Int
    ) async throws {
        let animation = try #require(self.animation(size: PixelSize(width: width, height: height)))
        #expect(animation.size == PixelSize(width: frameWidth, height: frameHeight))
        #expect(await AnimationPlayer(animation).next()?.pixels.size == animation.size)
    }

    @Test func `limits bound the memory and the number of frames`() {
        #expect(animation(limits: DecodeLimits(maxAnimationByteCount: 100_000)) != nil)
        #expect(animation(limits: DecodeLimits(maxAnimationByteCount: 99_999)) == nil)
        #expect(animation(limits: DecodeLimits(maxFrameCount: 5))?.frameCount == 5)
        #expect(animation(limits: DecodeLimits(maxFrameCount: 1)) == nil)
        #expect(animation(count: 2)?.frameCount == 2 && animation(count: 1) == nil)
    }

    /// The first one keeps its frames, and the second one decodes two at once.
    @Test(arguments: [(100, 50), (512, 512)])
    func `an animation that plays once ends after its last frame`(width: Int, height: Int) async throws {
        let animation = try #require(self.animation(width, height, count: 9))
        let player = AnimationPlayer(animation)
        #expect(player.shouldDecode && player.position == AnimationPlayer.Position())
        for number in 1...9 {
            let frame = try #require(await player.next())
            #expect(frame.delay == .milliseconds(100) && frame.pixels.size == animation.size)
            #expect(player.position.frame == number && player.position.playedCount == 0)
        }
        #expect(await player.next() == nil)
        #expect(await player.next() == nil)
        #expect(player.position.frame == 0 && player.position.playedCount == 1)
        #expect(!player.shouldDecode)
        let next = AnimationPlayer(animation, from: player.position)
        #expect(await next.next() == nil)
        var end = AnimationPlayer.Position()
        end.frame = 9
        #expect(AnimationPlayer(animation, from: end).position == player.position)
    }

    @Test func `a damaged file ends its animation, which is not decoded again`() async throws {
        let bytes = LongAnimation(width: 100, height: 50, frameCount: 3).bytes
        let failing = FailingDecoder()
        let animation = try #require(
            ImageAnimation(
                bytes, .gif, size: PixelSize(width: 100, height: 50), decoder: OrientedDecoder(failing),
                limits: DecodeLimits()))
        let player = AnimationPlayer(animation)
        #expect(await player.next() == nil)
        #expect(await player.next() == nil)
        #expect(!player.shouldDecode)
        #expect(failing.calls.value == 1)
    }
}

/// Fails each decode, and counts them.
private struct FailingDecoder: ImageDecoder {
    let calls = Watched(0)
    var formats: Set<ImageFormat> { [.gif] }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        calls.update { $0 += 1 }
        throw ImageError(.corrupt)
    }
}

import Glibc
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// How a player decodes: several frames at once, scaled, in a decoder process.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct AnimationPlayerTests {
    private static let canvas = PixelSize(width: 61, height: 47)

    /// Frames that cover parts of the canvas, with each disposal and with transparent pixels.
    private static func partialFrames(count: Int) -> [GIFFile] {
        var random = SeededGenerator(seed: 7)
        return (0..<count).map { number in
            let isWhole = number == 0
            let x = isWhole ? 0 : Int.random(in: 0..<50, using: &random)
            let y = isWhole ? 0 : Int.random(in: 0..<40, using: &random)
            // Some frames extend beyond the canvas.
            let width = isWhole ? canvas.width : Int.random(in: 1...40, using: &random)
            let height = isWhole ? canvas.height : Int.random(in: 1...30, using: &random)
            var frame = GIFFile(
                width: width, height: height,
                pixels: (0..<(width * height)).map { _ in UInt8.random(in: 0...255, using: &random) })
            (frame.x, frame.y, frame.canvasWidth, frame.canvasHeight) = (x, y, canvas.width, canvas.height)
            frame.transparent = number % 2 == 0 ? nil : 9
            frame.disposal = UInt8(number % 3 + 1)
            return frame
        }
    }

    private static let gif = GIFFile.animation(partialFrames(count: 30), delay: .milliseconds(40))

    private func animation(
        _ bytes: [UInt8] = gif, size: PixelSize? = nil, with decoder: any ImageDecoder
    ) throws -> ImageAnimation {
        let header = try ImageHeader.read(bytes)
        return try #require(
            ImageAnimation(
                bytes, header.format, size: size ?? header.size, decoder: OrientedDecoder(decoder),
                limits: DecodeLimits()))
    }

    private func frames(_ count: Int, of player: AnimationPlayer) async throws -> [PixelBuffer] {
        var frames: [PixelBuffer] = []
        for _ in 0..<count { frames.append(try #require(await player.next()).pixels) }
        return frames
    }

    private func content(_ pixels: PixelBuffer) -> [UInt8] { pixels.withUnsafeBytes { Array($0) } }

    /// Passes requests on, and counts them.
    private final class CountingFramesDecoder: ConfinedDecoder {
        let decoder: any ImageDecoder
        let exchanges = Watched<[Int]>([])
        let sizes = Watched<Set<PixelSize>>([])
        var formats: Set<ImageFormat> { decoder.formats }
        var isConfined: Bool { (decoder as? any ConfinedDecoder)?.isConfined ?? false }

        init(_ decoder: any ImageDecoder) {
            self.decoder = decoder
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            try decoder.decode(bytes, request)
        }

        func frames(
            _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
        ) throws(ImageError) -> [PixelBuffer] {
            exchanges.update { $0.append(request.frames.count) }
            let made =
                if let decoder = decoder as? any ConfinedDecoder {
                    try decoder.frames(request, from: files, cursor)
                } else {
                    try decoder.ownFrames(request, from: files, cursor)
                }
            sizes.update { $0.formUnion(made.map(\.size)) }
            return made
        }
    }

    @Test(arguments: [false, true])
    func `scaled frames equal the whole canvas, scaled`(isIsolated: Bool) async throws {
        let own: any ImageDecoder = GIFDecoder()
        let whole = try await frames(30, of: AnimationPlayer(try animation(with: own)))
        for size in [PixelSize(width: 7, height: 5), PixelSize(width: 60, height: 46), Self.canvas] {
            let decoder: any ImageDecoder = isIsolated ? IsolatedDecoder() : own
            let counting = CountingFramesDecoder(decoder)
            let player = AnimationPlayer(try animation(size: size, with: counting))
            // The second play begins with a cleared canvas.
            for _ in 0..<2 {
                for (scaled, full) in zip(try await frames(30, of: player), whole) {
                    let expected = full.scaledDown(to: size)
                    #expect(scaled.format == expected.format)
                    #expect(content(scaled) == content(expected))
                }
            }
            #expect(counting.sizes.value == [size], "only scaled frames are passed on")
        }
    }

    @Test func `several frames are decoded in one exchange with the decoder process`() async throws {
        // The frames are too large to be kept.
        let frames = (0..<20).map { number -> GIFFile in
            GIFFile(width: 300, height: 300, pixels: [UInt8](repeating: UInt8(number), count: 90_000))
        }
        let bytes = GIFFile.animation(frames, delay: .milliseconds(40))
        let counting = CountingFramesDecoder(IsolatedDecoder())
        let animation = try animation(bytes, with: counting)
        #expect(!animation.keepsAllFrames)
        let player = AnimationPlayer(animation)
        let made = try await self.frames(40, of: player)
        // 2 MiB contain five frames.
        #expect(counting.exchanges.value == [Int](repeating: 5, count: 8))
        for (number, pixels) in made.enumerated() {
            #expect(content(pixels).prefix(3) == GIFFile.colour(number % 20)[...])
        }
        #expect(player.shouldDecode)
        await player.decodeAhead()
        #expect(!player.shouldDecode)
    }

    @Test func `a small animation is decoded once and keeps only its frames`() async throws {
        let counting = CountingFramesDecoder(GIFDecoder())
        let size = PixelSize(width: 7, height: 5)
        let animation = try animation(size: size, with: counting)
        let player = AnimationPlayer(animation)
        #expect(player.byteCount == animation.playingByteCount + 30 * 35 * 4)
        _ = try await frames(95, of: player)
        #expect(counting.exchanges.value.reduce(0, +) == 30)
        #expect(player.byteCount == 30 * 35 * 4)
        #expect(!player.shouldDecode)
    }

    @Test(arguments: [false, true])
    func `a player continues where another one ended`(isKept: Bool) async throws {
        let size = isKept ? PixelSize(width: 7, height: 5) : PixelSize(width: 300, height: 300)
        let bytes =
            isKept
            ? Self.gif
            : GIFFile.animation(
                (0..<20).map {
                    GIFFile(width: 300, height: 300, pixels: [UInt8](repeating: UInt8($0), count: 90_000))
                }, delay: .milliseconds(40))
        let animation = try animation(bytes, size: size, with: GIFDecoder())
        #expect(animation.keepsAllFrames == isKept)
        let first = AnimationPlayer(animation)
        let all = try await frames(45, of: first).map(content)
        for count in [0, 1, 13, animation.frameCount, animation.frameCount + 3] {
            let other = AnimationPlayer(animation)
            _ = try await frames(count, of: other)
            let next = AnimationPlayer(animation, from: other.position)
            #expect(try await frames(4, of: next).map(content) == Array(all[count..<(count + 4)]))
        }
    }

    /// The canvas is lost with the process, and is composed again.
    @Test func `an animation goes on after its decoder process was killed`() async throws {
        let isolated = IsolatedDecoder()
        let size = PixelSize(width: 300, height: 300)
        let bytes = GIFFile.animation(
            (0..<20).map { number in
                var frame = GIFFile(width: 300, height: 10, pixels: [UInt8](repeating: UInt8(number), count: 3000))
                (frame.canvasWidth, frame.canvasHeight, frame.y) = (300, 300, number * 10)
                return frame
            }, delay: .milliseconds(40))
        let expected = try await frames(20, of: AnimationPlayer(try animation(bytes, size: size, with: GIFDecoder())))
        let player = AnimationPlayer(try animation(bytes, size: size, with: isolated))
        var made = try await frames(7, of: player)
        for process in isolated.idleProcesses { kill(process, SIGSTOP) }
        let waiting = Task { try await frames(13, of: player) }
        // The stopped process has the question when it is killed, or not even that.
        for process in isolated.idleProcesses { kill(process, SIGKILL) }
        made += try await waiting.value
        #expect(made.map(content) == expected.map(content))
    }

    /// Twenty frames of one color each, of which an exchange decodes five.
    private static let large = GIFFile.animation(
        (0..<20).map { GIFFile(width: 300, height: 300, pixels: [UInt8](repeating: UInt8($0), count: 90_000)) },
        delay: .milliseconds(40))

    /// Fails some exchanges that begin, or do not begin, with the first frame of an animation.
    private final class FailingFramesDecoder: ConfinedDecoder {
        let formats: Set<ImageFormat> = [.gif]
        let isConfined = false
        /// For each exchange, whether it began with the first frame.
        let starts = Watched<[Bool]>([])
        private let left: Watched<Int>
        private let error: ImageError
        private let (failsAtStart, losesCanvas): (Bool, Bool)

        init(_ count: Int, _ error: ImageError, failsAtStart: Bool, losesCanvas: Bool) {
            left = Watched(count)
            (self.error, self.failsAtStart, self.losesCanvas) = (error, failsAtStart, losesCanvas)
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            try GIFDecoder().decode(bytes, request)
        }

        func frames(
            _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
        ) throws(ImageError) -> [PixelBuffer] {
            let isStart = request.previous == nil
            starts.update { $0.append(isStart) }
            guard isStart == failsAtStart, left.value > 0 else {
                return try GIFDecoder().ownFrames(request, from: files, cursor)
            }
            left.update { $0 -= 1 }
            if losesCanvas { _ = cursor.take() }
            throw error
        }
    }

    /// Takes at most ten frames, the second five of which need the canvas of the first.
    @Test(arguments: [
        (2, ImageError.Code.io, false, true, [true, false, true, false, true, false], 10),
        (3, .io, false, true, [true, false, true, false, true, false], 5),
        (1, .corrupt, false, true, [true, false], 5),
        (1, .io, false, false, [true, false], 5),
        (1, .io, true, true, [true], 0),
    ])
    func `only a lost canvas is composed again, and at most twice`(
        count: Int, code: ImageError.Code, failsAtStart: Bool, losesCanvas: Bool, starts: [Bool], frameCount: Int
    ) async throws {
        let decoder = FailingFramesDecoder(
            count, ImageError(code), failsAtStart: failsAtStart, losesCanvas: losesCanvas)
        let player = AnimationPlayer(try animation(Self.large, with: decoder))
        var made: [[UInt8]] = []
        while made.count < 10, let frame = await player.next() { made.append(Array(content(frame.pixels).prefix(3))) }
        #expect(made == (0..<frameCount).map { GIFFile.colour($0) })
        #expect(decoder.starts.value == starts)
        #expect(player.position.frame == frameCount)
    }

    @Test func `more frames are decoded once half of an exchange is left`() async throws {
        let player = AnimationPlayer(try animation(Self.large, with: GIFDecoder()))
        await player.decodeAhead()
        var wanted: [Bool] = []
        for _ in 0..<5 {
            wanted.append(player.shouldDecode)
            guard case .ready = player.takeNext() else { break }
        }
        wanted.append(player.shouldDecode)
        #expect(wanted == [false, false, false, true, true, true])
        guard case .undecoded = player.takeNext() else { throw ImageError(.corrupt, "a frame that was not decoded") }
    }

    @Test func `all frames of a small animation are decoded, eight at once`() async throws {
        let counting = CountingFramesDecoder(GIFDecoder())
        let animation = try animation(size: PixelSize(width: 7, height: 5), with: counting)
        let player = AnimationPlayer(animation)
        var (wanted, byteCounts): ([Bool], [Int]) = ([], [])
        for _ in 0..<4 {
            wanted.append(player.shouldDecode)
            await player.decodeAhead()
            byteCounts.append(player.byteCount - animation.allFramesByteCount)
        }
        #expect(wanted == [true, true, true, true])
        #expect(!player.shouldDecode)
        #expect(counting.exchanges.value == [8, 8, 8, 6])
        #expect(byteCounts == [Int](repeating: animation.playingByteCount, count: 3) + [0])
    }

    // MARK: Frames by number

    /// Decodes frames by number, and records the numbers.
    private final class NumberDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = [.jxl]
        let numbers = Watched<[Int]>([])

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            let number = request.frame?.number ?? -1
            numbers.update { $0.append(number) }
            let size = request.header.size
            let pixels = PixelBuffer(size: size, format: .rgb8) { memory in
                for index in memory.indices { memory[index] = UInt8(number % 256) }
            }
            return DecodedImage(pixels: pixels, size: size)
        }
    }

    @Test func `frames by number are decoded one by one, from the position to the end of the play`() async throws {
        // Too many frames to be kept.
        let timing = FrameTiming(delays: (0..<300).map { 100 + $0 }, playCount: nil)
        let (bytes, decoder) = (JXLFile.lossless, NumberDecoder())
        let animation = try #require(
            ImageAnimation(
                bytes, .jxl, timing, size: try ImageHeader.read(bytes).size, decoder: OrientedDecoder(decoder),
                limits: DecodeLimits()))
        #expect(!animation.keepsAllFrames)
        #expect(animation.frameCountAhead == 8)
        var position = AnimationPlayer.Position()
        position.frame = 3
        let player = AnimationPlayer(animation, from: position)
        await player.decodeAhead()
        #expect(decoder.numbers.value == [3, 4, 5, 6, 7], "more than half of eight")
        #expect(!player.shouldDecode)
        for number in 3..<6 {
            guard case .ready(let frame) = player.takeNext() else { throw ImageError(.corrupt, "no frame") }
            #expect(content(frame.pixels).first == UInt8(number))
            #expect(frame.delay == .milliseconds(100 + number))
        }
        #expect(player.shouldDecode)
        await player.decodeAhead()
        #expect(decoder.numbers.value == [3, 4, 5, 6, 7, 8, 9, 10])

        decoder.numbers.update { $0 = [] }
        position.frame = 298
        let last = AnimationPlayer(animation, from: position)
        await last.decodeAhead()
        #expect(decoder.numbers.value == [298, 299])
        await last.decodeAhead()
        #expect(decoder.numbers.value == [298, 299, 0, 1, 2])
        for _ in 0..<3 { _ = last.takeNext() }
        #expect(last.position.frame == 1)
        #expect(last.position.playedCount == 1)
    }

    @Test func `a question about frames is unchanged by encoding and parsing`() throws {
        let frame = AnimationFrame(
            x: 3, y: 4, size: PixelSize(width: 5, height: 6), delay: .zero, disposal: .restore, blends: true)
        var request = FramesRequest(
            format: .gif, canvas: Self.canvas, restores: true, size: PixelSize(width: 7, height: 5),
            limits: DecodeLimits(maxPixelCount: 11, maxSide: 12, maxDecodedByteCount: 13), previous: frame,
            frames: [frame, frame], room: (100, 8))
        let read = try #require(FramesQuestion(FramesQuestion(request: request, fileByteCounts: [1, 2]).message[...]))
        #expect(read.fileByteCounts == [1, 2])
        #expect(read.request.canvas == Self.canvas)
        #expect(read.request.restores)
        #expect(read.request.size == request.size)
        #expect(read.request.room == (100, 8))
        #expect(read.request.limits.maxPixelCount == 11)
        #expect(read.request.limits.maxSide == 12)
        #expect(read.request.limits.maxDecodedByteCount == 13)
        #expect(read.request.frames.map(\.size) == [frame.size, frame.size])
        #expect(read.request.frames.map(\.disposal) == [.restore, .restore])
        #expect(read.request.previous?.x == 3)
        request.previous = nil
        let message = FramesQuestion(request: request, fileByteCounts: [1, 2]).message
        #expect(FramesQuestion(message[...])?.request.previous == nil)
        #expect(FramesQuestion(message.dropLast()) == nil)
        #expect(DecoderQuestion(message[...]) == nil)
        request.frames = [AnimationFrame](repeating: frame, count: FramesQuestion.maxFrameCount)
        let counts = [Int](repeating: 1, count: FramesQuestion.maxFrameCount)
        #expect(FramesQuestion(request: request, fileByteCounts: counts).message.count <= DecoderMessage.maxByteCount)
    }

    @Test func `a damaged question about frames is refused or stays within its memory`() throws {
        let frame = AnimationFrame(
            x: 3, y: 4, size: PixelSize(width: 5, height: 6), delay: .zero, disposal: .clear, blends: true)
        let request = FramesRequest(
            format: .gif, canvas: Self.canvas, restores: true, size: PixelSize(width: 7, height: 5),
            limits: DecodeLimits(), previous: frame, frames: [frame, frame], room: (100, 8))
        let message = FramesQuestion(request: request, fileByteCounts: [60, 40]).message
        let black = PixelBuffer(size: PixelSize(width: 5, height: 6), format: .rgb8) {
            $0.initializeMemory(as: UInt8.self, repeating: 0)
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            var damaged = message
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let read = FramesQuestion(damaged[...]), let layout = FramesLayout(read.request) else { continue }
            if let ranges = layout.fileRanges(read.fileByteCounts) {
                #expect(ranges.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= layout.byteCount })
            }
            // Frames anywhere are clipped to the canvas.
            guard layout.byteCount < 1 << 20 else { continue }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.canvasRange.count, alignment: 16)
            defer { memory.deallocate() }
            let canvas = try #require(
                AnimationCanvas(read.request.canvas, restores: read.request.restores, in: memory))
            canvas.clear()
            for frame in read.request.frames { canvas.draw(frame, black, after: read.request.previous) }
            #expect(canvas.image(scaledDownTo: read.request.size).size == read.request.size)
        }
    }

    @Test func `the layout of an exchange refuses what does not fit`() throws {
        var request = FramesRequest(
            format: .gif, canvas: Self.canvas, restores: true, size: PixelSize(width: 7, height: 5),
            limits: DecodeLimits(), previous: nil, frames: [], room: (100, 8))
        let layout = try #require(FramesLayout(request))
        #expect(layout.canvasRange.count == 61 * 47 * 8)
        #expect(layout.fileRanges([60, 40]) == [0..<60, 60..<100])
        #expect(layout.fileRanges([60, 41]) == nil)
        #expect(layout.fileRanges([-1]) == nil)
        #expect(layout.fileRanges([.max, .max]) == nil)
        let last = try #require(layout.pixelOffset(7))
        #expect(last + 7 * 5 * 4 <= layout.canvasRange.lowerBound)
        #expect(layout.pixelOffset(8) == nil)
        request.size = PixelSize(width: 62, height: 5)
        #expect(FramesLayout(request) == nil)
        request.size = PixelSize(width: 0, height: 5)
        #expect(FramesLayout(request) == nil)
        (request.size, request.canvas) = (PixelSize(width: 1, height: 1), PixelSize(width: 1 << 40, height: 1 << 40))
        #expect(FramesLayout(request) == nil)
        (request.canvas, request.room) = (Self.canvas, (.max, 8))
        #expect(FramesLayout(request) == nil)
        request.room = (1, .max)
        #expect(FramesLayout(request) == nil)
    }
}

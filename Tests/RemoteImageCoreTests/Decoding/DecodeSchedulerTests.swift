import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

/// How decodes share threads, memory and time.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DecodeSchedulerTests {
    private let clock = TestClock()
    private let decoder = HeldDecoder()
    private let resources = DecodeResources.own()
    private let transport = FakeTransport()
    private let pipeline: ImagePipeline

    init() {
        let (clock, resources) = (clock, resources)
        pipeline = ImagePipeline.test(transport, decoder: decoder, memoryCache: nil) {
            $0.clock = clock
            $0.decodeResources = resources
            $0.responseStore = DictionaryStore()
        }
    }

    private func load(_ kind: HeldDecoder.Kind, _ number: UInt8) -> PendingImage {
        let source = ImageSource.bytes(HeldDecoder.bytes(kind, number), identity: "\(kind) \(number)")
        return PendingImage(ImageRequest(source), in: pipeline)
    }

    private func code(_ image: PendingImage) async -> ImageError.Code? {
        await #expect(throws: ImageError.self) { try await image.image }?.code
    }

    // MARK: Slow and large images

    /// Starts the slow images 1 and 2, which occupy both threads.
    private func occupyThreads() async throws -> [PendingImage] {
        var images: [PendingImage] = []
        for number: UInt8 in 1...2 {
            images.append(load(.slow, number))
            try await decoder.begun.wait { $0.count == number }
        }
        return images
    }

    @Test func `three slow images delay another image by one decode per thread`() async throws {
        let attackers = try await occupyThreads() + [load(.slow, 3)]
        let innocent = load(.innocent, 9)
        decoder.release(1, 2)
        #expect(try await innocent.image.content == 9)
        #expect(attackers[2].answerCount == 0, "the third one is still being decoded")
        decoder.release(3)
        for attacker in attackers { _ = try await attacker.image }
    }

    /// Decodes used to wait for memory on their threads, which delayed all other images.
    @Test func `large images that wait for memory do not delay a small image`() async throws {
        var attackers = [load(.hungry, 1)]
        try await decoder.begun.wait { $0.count == 1 }
        for number: UInt8 in 2...3 {
            attackers.append(load(.hungry, number))
            try await waiting(Int(number) - 1)
        }
        #expect(try await load(.innocent, 9).image.content == 9)
        #expect(decoder.begun.value == [1, 9])
        decoder.release(1, 2, 3)
        for attacker in attackers { _ = try await attacker.image }
        #expect(decoder.begun.value == [1, 9, 2, 3])
    }

    /// The first such image used to close the budget, so that a thread was idle.
    @Test func `images larger than the budget do not delay a small image`() async throws {
        let attackers = [load(.giant, 1), load(.giant, 2)]
        try await decoder.begun.wait { $0.count == 1 }
        try await waiting(1)
        #expect(try await load(.innocent, 9).image.content == 9)
        decoder.release(1, 2)
        for attacker in attackers { _ = try await attacker.image }
        #expect(Set(decoder.begun.value) == [1, 2, 9])
    }

    @Test func `decodes that never return delay another image by one timeout`() async throws {
        let attackers = try await occupyThreads() + [load(.slow, 3)]
        let innocent = load(.innocent, 9)
        clock.advance(by: .seconds(31))
        #expect(try await innocent.image.content == 9)
        for attacker in attackers[..<2] { #expect(await code(attacker) == .decodeTimeout) }
        decoder.release(1, 2, 3)
        _ = try await attackers[2].image
    }

    // MARK: Abandoned decodes

    /// The memory of abandoned decodes used to count as free: 221 MB grew to 612 MB.
    @Test func `abandoned decodes use at most twice the budget, and small images are decoded`() async throws {
        for number: UInt8 in 1...2 {
            let attacker = load(.hungry, number)
            try await decoder.begun.wait { $0.count == number }
            clock.advance(by: .seconds(31))
            #expect(await code(attacker) == .decodeTimeout)
        }
        #expect(await code(load(.hungry, 3)) == .decodeTimeout)
        #expect(decoder.begun.value == [1, 2])
        #expect(try await load(.innocent, 9).image.content == 9)
        decoder.release(1, 2)
        try await freed()
        let last = load(.hungry, 4)
        decoder.release(4)
        #expect(try await last.image.content == 4)
    }

    private func freed() async throws {
        try await waitUntil("the end of abandoned decodes") { resources.threads.abandonedCount == 0 }
    }

    @Test func `an image fails at once while too many decodes are abandoned`() async throws {
        let begunCount = try await abandonDecodes()
        let failure = await #expect(throws: ImageError.self) { try await load(.innocent, 9).image }
        #expect(failure?.code == .decodeTimeout)
        #expect(failure?.detail?.contains("too many other images") == true)
        for number in 0..<begunCount { decoder.release(UInt8(number)) }
        try await freed()
        #expect(try await load(.innocent, 10).image.content == 10)
    }

    @Test func `a decode that waits for memory fails after too many are abandoned`() async throws {
        let (claim, _) = resources.budget.claim(900, .normal)
        let image = load(.hungry, 9)
        try await waiting(1)
        let begunCount = try await abandonDecodes()
        decoder.release(9)
        claim.end()
        let failure = await #expect(throws: ImageError.self) { try await image.image }
        #expect(failure?.detail?.contains("too many other images") == true)
        for number in 0..<begunCount { decoder.release(UInt8(number)) }
        try await freed()
    }

    /// All images used to fail, although the process of a decoder can be ended.
    @Test func `abandoned decodes of the calling process do not stop decodes in decoder processes`() async throws {
        pipeline.decoders.register(IsolatedDecoder())
        let begunCount = try await abandonDecodes()
        let isolated = ImageRequest(ImageSource.bytes(SampleImage.palettePNG, identity: "isolated"))
        #expect(try await pipeline.image(for: isolated).info.isIsolated)
        #expect(await code(load(.innocent, 9)) == .decodeTimeout)
        for number in 0..<begunCount { decoder.release(UInt8(number)) }
        try await freed()
    }

    /// Abandons as many decodes as allowed, and returns the number that began.
    private func abandonDecodes() async throws -> Int {
        var begunCount = 0
        while begunCount < DecodeScheduler.maxAbandonedCount {
            let pair = [load(.slow, UInt8(begunCount)), load(.slow, UInt8(begunCount + 1))]
            begunCount += 2
            let count = begunCount
            try await decoder.begun.wait { $0.count == count }
            clock.advance(by: .seconds(31))
            for image in pair { #expect(await code(image) == .decodeTimeout) }
        }
        return begunCount
    }

    // MARK: Pauses of a decoder

    /// Fails with a pause as often as the test requires.
    private struct PausingDecoder: ImageDecoder {
        let formats: Set<ImageFormat> = []
        let decodeCount = Lock(0)
        let failureCount: Int
        let pause: Duration

        func header(of bytes: [UInt8]) -> ImageHeader? {
            ImageHeader(format: .other, storedSize: PixelSize(width: 1, height: 1))
        }

        func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
            let count = decodeCount.withLock { count in
                count += 1
                return count
            }
            var error = ImageError(.io)
            error.retryDelay = pause
            guard count > failureCount else { throw error }
            return DecodedImage(
                pixels: PixelBuffer(size: request.header.size, format: .rgb8) { _ in }, size: request.header.size)
        }
    }

    /// Such an image used to fail for good.
    @Test func `an image is decoded after the pauses of its decoder`() async throws {
        let decoder = PausingDecoder(failureCount: 2, pause: .seconds(1))
        pipeline.decoders.register(decoder)
        let image = load(.innocent, 1)
        for count in 1...2 {
            try await waitUntil("pause \(count)") { clock.nextDelay == .seconds(1) }
            #expect(decoder.decodeCount.withLock { $0 } == count)
            clock.advance(by: .seconds(1))
        }
        _ = try await image.image
    }

    @Test func `an image fails if its decoder pauses for more than 30 seconds in all`() async throws {
        let decoder = PausingDecoder(failureCount: .max, pause: .seconds(20))
        pipeline.decoders.register(decoder)
        let image = load(.innocent, 1)
        try await waitUntil("the pause") { clock.nextDelay == .seconds(20) }
        clock.advance(by: .seconds(20))
        #expect(await code(image) == .io)
        #expect(decoder.decodeCount.withLock { $0 } == 2)
    }

    @Test func `a decode outside of jobs, such as a frame, is repeated after the pause too`() async throws {
        let scheduler = DecodeScheduler(resources, clock: clock)
        let decoder = PausingDecoder(failureCount: 1, pause: .seconds(1))
        let header = try #require(decoder.header(of: []))
        let decode = Task {
            try await scheduler.result { _ async throws(ImageError) in
                try decoder.decode([0], DecodeRequest(header: header)).size
            }
        }
        try await waitUntil("the pause") { clock.nextDelay == .seconds(1) }
        clock.advance(by: .seconds(1))
        #expect(try await decode.value == header.size)
    }

    /// Decodes outside of jobs, and repeats that after the pauses of the decoder.
    private func repeatedDecode(_ decoder: PausingDecoder) -> Task<PixelSize, any Error> {
        let scheduler = DecodeScheduler(resources, clock: clock)
        return Task {
            try await scheduler.result { _ async throws(ImageError) in
                let header = ImageHeader(format: .other, storedSize: PixelSize(width: 1, height: 1))
                return try decoder.decode([0], DecodeRequest(header: header)).size
            }
        }
    }

    @Test(arguments: [(3, true), (4, false)])
    func `a decode outside of jobs waits for its decoder for 30 seconds in all`(
        failureCount: Int, succeeds: Bool
    ) async throws {
        let decoder = PausingDecoder(failureCount: failureCount, pause: .seconds(10))
        let decode = repeatedDecode(decoder)
        for count in 1...3 {
            try await waitUntil("pause \(count)") { clock.nextDelay == .seconds(10) }
            #expect(decoder.decodeCount.withLock { $0 } == count)
            clock.advance(by: .seconds(10))
        }
        let result = await decode.result
        #expect(decoder.decodeCount.withLock { $0 } == 4)
        #expect(clock.nextDelay == nil)
        switch result {
        case .success(let size): #expect(succeeds && size == PixelSize(width: 1, height: 1))
        case .failure(let error): #expect(!succeeds && (error as? ImageError)?.code == .io)
        }
    }

    @Test func `a decode outside of jobs does not wait for a pause that is too long`() async {
        let decoder = PausingDecoder(failureCount: 1, pause: .seconds(31))
        let error = await #expect(throws: ImageError.self) { try await repeatedDecode(decoder).value }
        #expect(error?.code == .io)
        #expect(clock.nextDelay == nil)
    }

    @Test func `a decode outside of jobs that is cancelled during a pause ends at once`() async throws {
        let decoder = PausingDecoder(failureCount: 1, pause: .seconds(10))
        let decode = repeatedDecode(decoder)
        try await waitUntil("the pause") { clock.nextDelay == .seconds(10) }
        decode.cancel()
        await #expect(throws: ImageError.cancelled) { try await decode.value }
        #expect(decoder.decodeCount.withLock { $0 } == 1)
    }

    // MARK: Waiting for memory

    @Test func `an image whose task is cancelled while it waits for memory is not decoded`() async throws {
        let first = load(.hungry, 1)
        try await decoder.begun.wait { $0.count == 1 }
        let second = load(.hungry, 2)
        try await waiting(1)
        second.task?.cancel()
        try await waiting(0)
        decoder.release(1)
        _ = try await first.image
        #expect(try await load(.innocent, 9).image.content == 9)
        #expect(decoder.begun.value == [1, 9])
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `the more urgent of two images that wait for memory is decoded first`() async throws {
        let first = load(.hungry, 1)
        try await decoder.begun.wait { $0.count == 1 }
        let second = load(.hungry, 2)
        try await waiting(1)
        let third = load(.hungry, 3)
        try await waiting(2)
        third.task?.priority = .high
        decoder.release(1, 2, 3)
        for image in [first, second, third] { _ = try await image.image }
        #expect(decoder.begun.value == [1, 3, 2])
    }

    private func waiting(_ count: Int) async throws {
        try await waitUntil("\(count) decodes that wait for memory") { resources.budget.waiterCount == count }
    }

    // MARK: Checks of prefetched bytes

    private func prefetch(_ kind: HeldDecoder.Kind, _ number: UInt8) async throws -> Task<ImageError.Code?, Never> {
        let request = ImageRequest("http://test/\(number)")
        let count = transport.transfers.count
        let task = Task { [pipeline] in
            do {
                _ = try await pipeline.data(for: request, urgency: nil, mustBeImage: true)
                return nil as ImageError.Code?
            } catch {
                return (error as? ImageError)?.code
            }
        }
        try await transport.started(count: count + 1).succeed(
            HeldDecoder.bytes(kind, number), headers: [.cacheControl: "max-age=60"])
        return task
    }

    /// The check used to bypass the budget.
    @Test func `a check of prefetched bytes waits for memory like a decode`() async throws {
        let (claim, _) = resources.budget.claim(900, .normal)
        let check = try await prefetch(.hungry, 1)
        try await waiting(1)
        #expect(decoder.begun.value.isEmpty)
        claim.end()
        decoder.release(1)
        #expect(await check.value == nil)
    }

    /// The check used to bypass the watchdog.
    @Test func `a check that never returns fails after the timeout, and its bytes are not stored`() async throws {
        let check = try await prefetch(.slow, 1)
        try await decoder.begun.wait { $0.count == 1 }
        clock.advance(by: .seconds(31))
        #expect(await check.value == .decodeTimeout)
        await pipeline.finishWriting()
        decoder.release(1)
        let again = try await prefetch(.innocent, 1)
        #expect(await again.value == nil)
        #expect(transport.transfers.count == 2)
    }
}

/// The order in which decodes receive memory.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct DecodeBudgetTests {
    private let budget = DecodeBudget(byteCount: 100)

    private func waits(_ byteCount: Int, _ urgency: Urgency = .normal) -> (DecodeBudget.Claim, Bool) {
        let (claim, isWaiting) = budget.claim(byteCount, urgency)
        return (claim, isWaiting)
    }

    @Test func `images whose sum exceeds the budget are decoded one after the other`() async throws {
        let (first, firstWaits) = waits(60)
        let (second, secondWaits) = waits(41)
        #expect(!firstWaits && secondWaits)
        first.end()
        try await second.admission()
        let (_, exactWaits) = waits(59)
        #expect(!exactWaits, "all that is left")
    }

    /// Such an image used to be decoded alone: not even an image of a few bytes fitted beside it.
    @Test func `images larger than the budget are decoded one at a time, beside small ones`() async throws {
        let (first, firstWaits) = waits(1000)
        let (second, secondWaits) = waits(1000)
        #expect(!firstWaits && secondWaits)
        for _ in 0...DecodeBudget.maxPassCount {
            let (small, smallWaits) = waits(1)
            #expect(!smallWaits)
            small.end()
        }
        first.end()
        try await second.admission()
    }

    @Test func `images larger than the budget do not delay images that fit`() {
        let (_, hostileWaits) = waits(1000)
        let (_, nextWaits) = waits(1000)
        #expect(!hostileWaits && nextWaits)
        let (_, honestWaits) = waits(80)
        #expect(!honestWaits)
    }

    @Test func `large images leave the whole budget to small ones, which never wait for them`() async throws {
        let (large, largeWaits) = waits(100)
        let (next, nextWaits) = waits(26)
        #expect(!largeWaits && nextWaits)
        for _ in 0..<4 {
            let (_, smallWaits) = waits(25)
            #expect(!smallWaits)
        }
        let (last, lastWaits) = waits(1)
        #expect(lastWaits, "the small ones use their budget")
        large.end()
        try await next.admission()
        #expect(budget.waiterCount == 1)
        last.cancel()
    }

    @Test func `small images pass a waiting large image a limited number of times`() async throws {
        let (held, _) = waits(60)
        let (large, largeWaits) = waits(80)
        #expect(largeWaits)
        for _ in 0..<DecodeBudget.maxPassCount {
            let (small, smallWaits) = waits(30)
            #expect(!smallWaits)
            small.end()
        }
        let (small, smallWaits) = waits(30)
        #expect(smallWaits)
        held.end()
        try await large.admission()
        #expect(budget.waiterCount == 1)
        large.end()
        try await small.admission()
    }

    @Test func `a more urgent image does not count towards the limit of passes`() async throws {
        let (held, _) = waits(60)
        let (large, _) = waits(80)
        for _ in 0...DecodeBudget.maxPassCount {
            let (small, smallWaits) = waits(30, .visible())
            #expect(!smallWaits)
            small.end()
        }
        let (small, smallWaits) = waits(30)
        #expect(!smallWaits)
        small.end()
        held.end()
        try await large.admission()
    }

    @Test func `the memory of an abandoned decode counts until it ends`() async throws {
        let (abandoned, _) = waits(60)
        abandoned.abandon()
        let (beside, besideWaits) = waits(50)
        #expect(!besideWaits, "one at a time, until twice the budget is used")
        let (next, nextWaits) = waits(50)
        #expect(nextWaits)
        abandoned.end()
        try await next.admission()
        beside.end()
        next.end()
    }

    @Test func `a decode is refused when abandoned decodes leave no room for it`() async throws {
        let (abandoned, _) = waits(100)
        abandoned.abandon()
        let (fits, _) = waits(100)
        try await fits.admission()
        let (waiting, isWaiting) = waits(30)
        #expect(isWaiting)
        fits.abandon()
        let error = await #expect(throws: ImageError.self) { try await waiting.admission() }
        #expect(error?.code == .decodeTimeout)
        fits.end()
        let (small, smallWaits) = waits(1)
        #expect(!smallWaits)
        small.end()
    }

    @Test func `the memory of abandoned decodes does not count for a decoder process`() {
        let (abandoned, _) = waits(200)
        abandoned.abandon()
        for byteCount in [10, 90] {
            let (claim, isWaiting) = budget.claim(byteCount, .normal, isConfined: true)
            #expect(!isWaiting)
            claim.end()
        }
    }

    /// A job that begins to wait tells its urgency again.
    @Test func `an urgency that is set again keeps the place in the queue`() async throws {
        let (held, _) = waits(100)
        let (first, _) = waits(60)
        let (second, _) = waits(60)
        first.setUrgency(.normal)
        held.end()
        #expect(budget.waiterCount == 1)
        first.end()
        #expect(budget.waiterCount == 0, "the first one has ended, so that the second one has the memory")
        second.end()
    }

    @Test func `a decode waits if it fits beside abandoned ones alone, and is refused if it does not`() async throws {
        let (abandoned, _) = waits(100)
        abandoned.abandon()
        let (held, heldWaits) = waits(60)
        #expect(!heldWaits)
        let (exact, exactWaits) = waits(100)
        #expect(exactWaits)
        let (large, largeWaits) = waits(101)
        #expect(!largeWaits)
        let error = await #expect(throws: ImageError.self) { try await large.admission() }
        #expect(error?.code == .decodeTimeout)
        held.end()
        #expect(budget.waiterCount == 0)
        try await exact.admission()
    }

    @Test func `a decode in a process waits for others, and is not refused for abandoned ones`() async throws {
        let (abandoned, _) = waits(200)
        abandoned.abandon()
        let (first, firstWaits) = budget.claim(90, .normal, isConfined: true)
        let (second, secondWaits) = budget.claim(50, .normal, isConfined: true)
        #expect(!firstWaits && secondWaits)
        let (third, thirdWaits) = waits(50)
        #expect(!thirdWaits, "it is refused")
        await #expect(throws: ImageError.self) { try await third.admission() }
        first.end()
        try await second.admission()
    }

    @Test func `a cancelled wait ends and does not hold up the decodes behind it`() async throws {
        let (held, _) = waits(60)
        let (large, _) = waits(90)
        let (exact, exactWaits) = waits(100)
        #expect(exactWaits)
        held.end()
        large.cancel()
        // The claim was already admitted, so cancelling has no effect.
        try await large.admission()
        #expect(budget.waiterCount == 1)
        exact.cancel()
        let error = await #expect(throws: ImageError.self) { try await exact.admission() }
        #expect(error == .cancelled)
        large.end()
        let (last, lastWaits) = waits(100)
        #expect(!lastWaits)
        last.end()
    }
}

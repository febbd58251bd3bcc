import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Small values of the pipeline: urgencies, progress, conditions of the network, constraints.
@Suite struct PipelineValueTests {
    // MARK: Urgency

    private let levels: [Urgency] = [.prefetch, .veryLow, .low, .normal, .high, .veryHigh, .visible()]

    @Test func `urgencies are ordered, and a newer batch is more urgent`() {
        #expect(levels.map(\.level) == Array(0..<Urgency.levelCount))
        #expect(levels.sorted() == levels && Set(levels.map(\.level)).count == 7)
        #expect(Urgency.visible() < Urgency.visible())
        #expect(levels.map(\.isVisible) == Array(repeating: false, count: 6) + [true])
        let priorities: [LoadPriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        #expect(priorities.map { Urgency($0) } == Array(levels[1...5]))
    }

    @Test func `a job has the highest urgency of those that want it`() {
        for (index, highest) in levels.enumerated() {
            var counts = UrgencyCounts()
            #expect(counts.highest == .prefetch && counts.count == 0)
            for urgency in levels[...index] { counts.add(urgency) }
            counts.add(highest)
            #expect(counts.highest == highest && counts.count == index + 2)
            counts.remove(highest)
            #expect(counts.highest == highest && counts.count == index + 1)
            counts.remove(highest)
            #expect(counts.highest == levels[max(0, index - 1)] && counts.count == index)
        }
    }

    @Test func `a visible job belongs to the newest batch that wants it`() {
        let (old, new) = (ScreenBatch(), ScreenBatch())
        for order in [[old, new], [new, old]] {
            var counts = UrgencyCounts()
            for batch in order { counts.add(.visible(batch)) }
            counts.add(.high)
            #expect(counts.highest == .visible(new))
            for batch in order { counts.remove(.visible(batch)) }
            #expect(counts.highest == .high)
            counts.add(.visible(old))
            #expect(counts.highest == .visible(old))
        }
    }

    // MARK: Progress and delays

    @Test(
        arguments: [
            (0, nil, nil), (5, nil, nil), (5, 0, nil), (5, -1, nil), (0, 8, 0), (2, 8, 0.25), (8, 8, 1), (9, 8, 1),
            (-1, 8, 0), (1, 1, 1),
        ] as [(Int, Int?, Double?)])
    func `the fraction of a load is between none and all`(completed: Int, total: Int?, fraction: Double?) {
        #expect(LoadProgress(completedByteCount: completed, totalByteCount: total).fraction == fraction)
    }

    @Test(
        arguments: [
            ("0", .zero), ("120", .seconds(120)), ("99999999999999999999", .seconds(2_147_483_647)), ("", nil),
            // Logging a longer delay used to end the process.
            ("2147483647", .seconds(2_147_483_647)), ("2147483648", .seconds(2_147_483_647)),
            ("9223372036854775807", .seconds(2_147_483_647)),
            ("1.5", nil), ("Thu, 01 Jan 2026 00:00:21 GMT", .seconds(21)),
            // At most 50 years ahead.
            ("Wednesday, 01-Jan-76 00:00:10 GMT", .seconds(1_577_836_810)),
            ("Friday, 01-Jan-77 00:00:00 GMT", .zero),
        ] as [(String, Duration?)])
    func `a server states a delay in seconds or as a date (RFC 9110 section 10.2.3)`(text: String, delay: Duration?) {
        #expect(RetryAfter.delay(in: [.retryAfter: text], now: 1_767_225_600) == delay)
    }

    @Test func `tokens refill at their rate`() {
        var limiter = RateLimiter(.init(transfersPerSecond: 4, burst: 2), now: .seconds(10))
        func taken(_ count: Int, at milliseconds: Int) -> [Bool] {
            (0..<count).map { _ in limiter.take(now: .milliseconds(milliseconds)) }
        }
        func delay(at milliseconds: Int) -> Duration { limiter.delay(now: .milliseconds(milliseconds)) }
        #expect(delay(at: 10_000) == .zero)
        #expect(taken(3, at: 10_000) == [true, true, false])
        #expect(delay(at: 10_000) == .milliseconds(250) + .microseconds(1))
        #expect(delay(at: 10_125) == .milliseconds(125) + .microseconds(1))
        // A clock that goes back gives nothing, and takes nothing.
        #expect(delay(at: 9000) == .milliseconds(125) + .microseconds(1))
        #expect(taken(2, at: 10_250) == [true, false])
        #expect(taken(3, at: 10_750) == [true, true, false])
        limiter.giveBack()
        #expect(taken(2, at: 10_750) == [true, false])
    }

    @Test func `a rate of zero transfers and a burst of zero still let one transfer start`() {
        var limiter = RateLimiter(.init(transfersPerSecond: 0, burst: 0), now: .zero)
        for _ in 0..<2 {
            #expect((0..<2).map { _ in limiter.take(now: .zero) } == [true, false])
            let delay = limiter.delay(now: .zero)
            #expect(delay == .seconds(1000) + .microseconds(1))
            for _ in 0..<3 { limiter.giveBack() }
        }
    }

    @Test func `a rate that is no number is the smallest one`() {
        var limiter = RateLimiter(.init(transfersPerSecond: .nan, burst: 1), now: .zero)
        _ = limiter.take(now: .zero)
        let delay = limiter.delay(now: .zero)
        #expect(delay == .seconds(1000) + .microseconds(1))
    }

    // MARK: Network

    @Test func `observers are told once of each change of the network`() {
        let (network, count) = (NetworkConditions(), Watched(0))
        #expect(!network.isConstrained && network.isConnected && !network.savesPower && network.allowsPrefetching)
        var observation: ObservationToken? = network.observe { count.update { $0 += 1 } }
        let other = Watched(0)
        let second = network.observe { other.update { $0 += 1 } }
        let changes: [() -> Void] = [
            { network.isConstrained = true }, { network.isConnected = false }, { network.savesPower = true },
            { network.set(isConstrained: false, isConnected: true, savesPower: false) },
        ]
        for (index, change) in changes.enumerated() {
            for _ in 0..<2 { change() }
            #expect(count.value == index + 1 && other.value == index + 1)
        }
        network.set()
        #expect(count.value == 4)
        _ = observation
        observation = nil
        network.isConstrained = true
        #expect(count.value == 4 && other.value == 5)
        withExtendedLifetime(second) {}
    }

    @Test(arguments: [false, true], [false, true])
    func `images are prefetched unless the network is constrained or power is saved`(
        isConstrained: Bool, savesPower: Bool
    ) {
        for isConnected in [false, true] {
            let network = NetworkConditions()
            network.set(isConstrained: isConstrained, isConnected: isConnected, savesPower: savesPower)
            #expect(network.isConstrained == isConstrained && network.savesPower == savesPower)
            #expect(network.isConnected == isConnected)
            #expect(network.allowsPrefetching == (!isConstrained && !savesPower))
        }
    }

    // MARK: Constraints

    @Test func `each option that changes a load separates it from other loads`() {
        let changes: [(inout ImageOptions) -> Void] = [
            { $0.responseValidation = ResponseValidation("none") { _ throws(ImageError) in } },
            { $0.responseValidation = ResponseValidation("other") { _ throws(ImageError) in } },
            { $0.retryPolicy = .never }, { $0.timeout = .seconds(1) }, { $0.timeout = .seconds(2) },
            { $0.transferLimits = TransferLimits(maxBodyByteCount: 1) }, { $0.decodeLimits = DecodeLimits() },
            { $0.expiry = .seconds(1) }, { $0.expiry = .seconds(2) }, { $0.ignoresStoredErrors = true },
            { $0.cachesResizedImages = false }, { $0.cachePolicy = .reload }, { _ in },
        ]
        func constraints(_ change: (inout ImageOptions) -> Void) -> RequestConstraints {
            var options = ImageOptions()
            options.priority = .low
            change(&options)
            return RequestConstraints(options)
        }
        for (first, one) in changes.enumerated() {
            for (second, other) in changes.enumerated() {
                #expect((constraints(one) == constraints(other)) == (first == second), "\(first) \(second)")
            }
        }
        #expect(constraints { _ in } == RequestConstraints(ImageOptions()))
        let allowing = changes.map { constraints($0).allowsResized }
        #expect(allowing.enumerated().filter { !$0.element }.map(\.offset) == [0, 1, 10])
        for change in changes {
            let reloading = constraints(change).reloading
            #expect(reloading.policy == .reload && reloading.allowsResized == constraints(change).allowsResized)
        }
    }

    @Test func `each job for an account belongs to it`() {
        let options = ImageOptions(requestHook: RequestHook("hook", account: "anna") { _ in })
        let (load, constraints) = (LoadKey(ImageSource("http://test/a"), options), RequestConstraints(options))
        let keys: [JobKey] = [
            .bytes(load, constraints), .image(ImageKey(load: load, target: nil), constraints),
            .validation(load.storeKey(common: [:])),
        ]
        for key in keys {
            #expect(key.belongs(toAccount: SHA256.name(of: "anna")))
            #expect(!key.belongs(toAccount: SHA256.name(of: "ben")))
        }
    }

    @Test func `only the data of a source has another key behind a provider`() {
        let options = ImageOptions()
        let (load, constraints) = (LoadKey(ImageSource("http://test/a"), options), RequestConstraints(options))
        #expect(JobKey.bytes(load, constraints).resolved == .bytes(load.resolved, constraints))
        let image = JobKey.image(ImageKey(load: load, target: nil), constraints)
        #expect(image.resolved == image)
    }

    // MARK: Sizes

    /// A target of a request, and the size that its `maxPixelSize` allows.
    @Test func `a target is bounded by the maximum size of the image`() {
        func bounded(_ target: TargetSize?, _ limit: PixelSize?) -> TargetSize? {
            var options = ImageOptions()
            options.maxPixelSize = limit
            return options.bounding(target)
        }
        func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }
        let limit = size(100, 50)
        func target(_ width: Int, _ height: Int, _ fit: ContentFit) -> TargetSize {
            TargetSize(size(width, height), fit: fit, maxPixelSize: limit)
        }
        #expect(bounded(nil, nil) == nil)
        #expect(bounded(TargetSize(size(9, 8)), nil) == TargetSize(size(9, 8)))
        #expect(bounded(nil, limit) == target(100, 50, .contain))
        for (box, contained, covered) in [
            (size(100, 50), size(100, 50), size(100, 50)), (size(30, 40), size(30, 40), size(30, 40)),
            (size(200, 40), size(100, 40), size(100, 20)), (size(80, 200), size(80, 50), size(20, 50)),
            (size(400, 100), size(100, 50), size(100, 25)), (size(101, 10), size(100, 10), size(100, 9)),
        ] {
            #expect(bounded(TargetSize(box), limit) == target(contained.width, contained.height, .contain))
            #expect(
                bounded(TargetSize(box, fit: .cover), limit) == target(covered.width, covered.height, .cover), "\(box)")
        }
    }
}

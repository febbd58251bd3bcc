import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite struct JobQueueTests {
    private func job(_ name: String, _ urgency: Urgency = .init(.normal), host: String = "test") -> Job {
        let source = ImageSource("http://\(host)/\(name)")
        return Job(
            key: .bytes(LoadKey(identity: source.identity), RequestConstraints(ImageOptions())), source: source,
            options: ImageOptions(),
            urgency: urgency)
    }

    private func names(_ queue: inout JobQueue, finishing: Bool = true) -> [String] {
        var names: [String] = []
        while let job = queue.next() {
            names.append(job.source.identity.split(separator: "/").last.map(String.init) ?? "")
            if finishing { queue.finish(job) }
        }
        return names
    }

    @Test func `the oldest job of a priority runs first, and the newest visible job`() {
        var queue = JobQueue(limit: 1)
        for name in ["a", "b"] { queue.enqueue(job(name)) }
        for name in ["x", "y"] { queue.enqueue(job(name, .visible())) }
        for name in ["p", "q"] { queue.enqueue(job(name, .prefetch)) }
        queue.enqueue(job("h", .init(.veryHigh)))
        let order = names(&queue)
        #expect(order == ["y", "x", "h", "a", "b", "p", "q"])
    }

    @Test func `the newest visible batch runs first, in the order of its requests`() {
        var queue = JobQueue(limit: 1)
        let (old, new) = (ScreenBatch(), ScreenBatch())
        for (name, batch) in [("a", old), ("x", new), ("b", old), ("y", new), ("z", new)] {
            queue.enqueue(job(name, .visible(batch)))
        }
        let order = names(&queue)
        #expect(order == ["x", "y", "z", "a", "b"])
    }

    @Test func `a job that moves to an older visible batch runs last in it`() {
        var queue = JobQueue(limit: 1)
        let (old, new) = (ScreenBatch(), ScreenBatch())
        let falling = job("x", .visible(new))
        for waiting in [job("a", .visible(old)), falling, job("b", .visible(old))] { queue.enqueue(waiting) }
        queue.move(falling, to: .visible(old))
        let order = names(&queue)
        #expect(order == ["a", "b", "x"])
    }

    @Test func `the bytes of a job that is set aside count under its urgency`() throws {
        var queue = JobQueue(limit: 1)
        let waiting = job("a")
        queue.enqueue(waiting)
        let next = queue.next()
        let taken = try #require(next)
        #expect(queue.byteCount(of: .normal) == 0)
        taken.state = .setAside(Task {}, DecodeBudget(byteCount: 1).claim(1, .init(.normal)).claim, byteCount: 7)
        queue.setAside(taken)
        #expect(queue.byteCount(of: .normal) == 7)
        queue.moveAside(taken, to: .high)
        #expect(queue.byteCount(of: .normal) == 0)
        #expect(queue.byteCount(of: .high) == 7)
        queue.finishAside(taken)
        #expect(queue.byteCount(of: .high) == 0)
    }

    @Test func `a batch spans several hosts`() {
        var queue = JobQueue(limit: 1)
        let (old, new) = (ScreenBatch(), ScreenBatch())
        for (name, host, batch) in [("a", "one", old), ("x", "two", new), ("y", "one", new), ("b", "two", old)] {
            queue.enqueue(job(name, .visible(batch), host: host))
        }
        let order = names(&queue)
        #expect(order == ["x", "y", "a", "b"])
    }

    @Test func `jobs can be removed from any batch`() {
        var queue = JobQueue(limit: 1)
        let batches = [ScreenBatch(), ScreenBatch(), ScreenBatch()]
        let jobs = ["a", "b", "c"].enumerated().map { job($0.element, .visible(batches[$0.offset])) }
        for waiting in jobs { queue.enqueue(waiting) }
        queue.remove(jobs[1])
        queue.move(jobs[0], to: .visible(ScreenBatch()))
        queue.enqueue(job("d", .visible(batches[1])))
        let order = names(&queue)
        #expect(order == ["a", "c", "d"])
        #expect(queue.waitingCount == 0)
    }

    @Test func `no more jobs run than the limit, and raising the limit starts more`() {
        var queue = JobQueue(limit: 2)
        for name in ["a", "b", "c", "d", "e"] { queue.enqueue(job(name)) }
        let first = names(&queue, finishing: false)
        #expect(first == ["a", "b"])
        queue.limit = 4
        let more = names(&queue, finishing: false)
        #expect(more == ["c", "d"])
        queue.limit = 1
        let next = queue.next()
        #expect(next == nil)
        #expect(queue.runningCount == 4)
        #expect(queue.waitingCount == 1)
    }

    @Test func `a host at its limit does not block other hosts`() {
        var queue = JobQueue(limit: 10, laneLimit: 1)
        for name in ["a", "b"] { queue.enqueue(job(name, .visible(), host: "one")) }
        queue.enqueue(job("c", .prefetch, host: "two"))
        let order = names(&queue, finishing: false)
        #expect(order == ["b", "c"])
    }

    /// Three hosts that never answer used to take all places.
    @Test func `a quarter of the places is kept for hosts with few running jobs`() throws {
        var queue = JobQueue(limit: 16, laneLimit: 6)
        for host in ["one", "two", "three"] {
            for number in 0..<10 { queue.enqueue(job("\(host)\(number)", .visible(), host: host)) }
        }
        let first = names(&queue, finishing: false)
        #expect(first.count == 14)
        for host in ["four", "five", "six"] { queue.enqueue(job(host, .prefetch, host: host)) }
        let next = names(&queue, finishing: false)
        #expect(next == ["four", "five"])
        #expect(queue.runningCount == 16)
    }

    @Test func `a host whose jobs have ended gets a kept place again`() throws {
        var queue = JobQueue(limit: 4, laneLimit: 2)
        for name in ["a", "b", "c"] { queue.enqueue(job(name, host: "one")) }
        for name in ["x", "y", "z"] { queue.enqueue(job(name, host: "two")) }
        var running: [Job] = []
        while let next = queue.next() { running.append(next) }
        #expect(running.map(\.lane) == [.host("one"), .host("one"), .host("two")])
        queue.finish(running[2])
        let next = queue.next()
        #expect(next?.lane == .host("two"))
        queue.finish(running[0])
        let last = [queue.next(), queue.next()]
        #expect(last.map { $0?.lane } == [.host("one"), nil])
    }

    /// The command allows as many transfers per host as in all, and thus used to keep no place.
    @Test func `no place is kept while there is one host`() {
        var queue = JobQueue(limit: 16, laneLimit: 16)
        var running: [Job] = []
        for number in 0..<20 { queue.enqueue(job("\(number)", host: "one")) }
        while let next = queue.next() { running.append(next) }
        #expect(running.count == 16)
        queue.enqueue(job("other", host: "two"))
        queue.finish(running[0])
        let other = queue.next()
        #expect(other?.lane == .host("two"))
        queue.finish(running[1])
        let none = queue.next()
        #expect(none == nil)
        if let other { queue.finish(other) }
        let last = [queue.next(), queue.next(), queue.next()]
        #expect(last.map { $0?.lane } == [.host("one"), .host("one"), nil])
    }

    @Test func `thousands of hosts are served in order, each within its limit`() {
        var queue = JobQueue(limit: 12_000, laneLimit: 1)
        for number in 0..<8000 { queue.enqueue(job("\(number)", host: "host\(number / 2)")) }
        let first = names(&queue, finishing: false)
        #expect(first == (0..<4000).map { "\($0 * 2)" })
        queue.laneLimit = 2
        let second = names(&queue, finishing: false)
        #expect(second == (0..<4000).map { "\($0 * 2 + 1)" })
    }

    @Test
    func `a raised job goes to the back of its new priority, a lowered job to the front`() {
        var queue = JobQueue(limit: 1)
        let (a, b) = (job("a", .init(.low)), job("b", .init(.high)))
        for waiting in [a, job("low", .init(.low)), b, job("high", .init(.high))] { queue.enqueue(waiting) }
        queue.move(a, to: .init(.high))
        queue.move(b, to: .init(.low))
        let order = names(&queue)
        #expect(order == ["high", "a", "b", "low"])
    }

    @Test func `a job that becomes visible goes to the front of the visible jobs`() {
        var queue = JobQueue(limit: 1)
        let late = job("late", .prefetch)
        for waiting in [job("shown", .visible()), late] { queue.enqueue(waiting) }
        queue.move(late, to: .visible())
        let order = names(&queue)
        #expect(order == ["late", "shown"])
    }

    @Test func `a job whose predecessor was removed or lowered is the next one of its host`() {
        var queue = JobQueue(limit: 1)
        let (a, b) = (job("a", .init(.high)), job("b", .init(.high)))
        for waiting in [a, b, job("c"), job("d", .init(.low)), job("e", .init(.low))] { queue.enqueue(waiting) }
        queue.remove(a)
        let next = queue.nextUrgency
        #expect(next == .high)
        queue.move(b, to: .low, isFirst: true)
        let normal = queue.nextUrgency
        #expect(normal == .normal)
        let order = names(&queue)
        #expect(order == ["c", "b", "d", "e"])
    }

    @Test func `no place is kept after the last job of the only other host was removed`() {
        var queue = JobQueue(limit: 4, laneLimit: 4)
        let other = job("other", host: "two")
        queue.enqueue(other)
        for name in ["a", "b", "c", "d"] { queue.enqueue(job(name, .visible(), host: "one")) }
        let first = names(&queue, finishing: false)
        #expect(first.count == 3 + 1, "three jobs of one host, and the other host in the kept place")
        var alone = JobQueue(limit: 4, laneLimit: 4)
        let removed = job("other", host: "two")
        alone.enqueue(removed)
        for name in ["a", "b", "c", "d"] { alone.enqueue(job(name, host: "one")) }
        alone.remove(removed)
        let all = names(&alone, finishing: false)
        #expect(all == ["a", "b", "c", "d"])
    }

    /// Two running jobs of a host are few among 16 places.
    @Test func `a host takes no kept place beyond its own limit`() {
        var queue = JobQueue(limit: 16, laneLimit: 1)
        for number in 0..<28 { queue.enqueue(job("\(number)", host: "host\(number % 14)")) }
        let first = names(&queue, finishing: false)
        #expect(first == (0..<14).map { "\($0)" })
        queue.laneLimit = 1
        let none = queue.next()
        #expect(none == nil)
        queue.laneLimit = 2
        let kept = names(&queue, finishing: false)
        #expect(kept == ["14", "15"])
    }

    @Test func `a removed job does not run, and the other jobs keep their order`() {
        var queue = JobQueue(limit: 1)
        let jobs = ["a", "b", "c", "d"].map { job($0) }
        for waiting in jobs { queue.enqueue(waiting) }
        queue.remove(jobs[1])
        queue.remove(jobs[3])
        #expect(queue.waitingCount == 2)
        let order = names(&queue)
        #expect(order == ["a", "c"])
        let next = queue.nextUrgency
        #expect(next == nil)
    }
}

@Suite struct RateLimiterTests {
    private let rate = ImagePipeline.RateLimit(transfersPerSecond: 10, burst: 3)

    @Test func `a burst runs at once and the next transfer waits`() {
        var limiter = RateLimiter(rate, now: .zero)
        #expect((0..<4).map { _ in limiter.take(now: .zero) } == [true, true, true, false])
        let delay = limiter.delay(now: .zero)
        #expect(delay >= .milliseconds(100) && delay < .milliseconds(101))
        let isTaken = limiter.take(now: delay)
        #expect(isTaken)
    }

    @Test func `tokens refill over time up to one burst`() {
        var limiter = RateLimiter(rate, now: .zero)
        for _ in 0..<3 { _ = limiter.take(now: .zero) }
        let taken = (0..<10).count { _ in limiter.take(now: .seconds(1000)) }
        #expect(taken == 3)
    }

    @Test func `a returned token can be taken again`() {
        var limiter = RateLimiter(rate, now: .zero)
        for _ in 0..<100 {
            let isTaken = limiter.take(now: .zero)
            #expect(isTaken)
            limiter.giveBack()
        }
    }

    @Test func `returned tokens never exceed one burst`() {
        var limiter = RateLimiter(rate, now: .zero)
        for _ in 0..<10 { limiter.giveBack() }
        let taken = (0..<10).count { _ in limiter.take(now: .zero) }
        #expect(taken == 3)
    }

    @Test func `a burst of one allows one transfer at once`() {
        var limiter = RateLimiter(.init(transfersPerSecond: 1, burst: 1), now: .zero)
        let times: [Duration] = [.zero, .milliseconds(900), .milliseconds(1001)]
        #expect(times.map { limiter.take(now: $0) } == [true, false, true])
    }

    @Test(.timeLimit(.minutes(5)))
    func `requests that are cancelled while they wait take no token`() async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.clock = clock
            configuration.maxConcurrentTransfers = 100
            configuration.maxConcurrentTransfersPerHost = 100
            configuration.rateLimit = .init(transfersPerSecond: 1, burst: 2)
        }
        let images = (0..<6).map { PendingImage(ImageRequest("http://test/\($0)"), in: pipeline) }
        try await transport.started(count: 2)
        try await clock.scheduled(count: 1)
        for image in images[2..<5] { image.task?.cancel() }
        #expect(transport.transfers.count == 2)
        clock.advance(by: .seconds(1.1))
        try await transport.started(count: 3)
        #expect(transport.addresses.last == "http://test/5")
    }

    @Test(.timeLimit(.minutes(5)))
    func `requests that wait for tokens start in order as tokens refill`() async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.clock = clock
            configuration.rateLimit = .init(transfersPerSecond: 1, burst: 2)
        }
        let images = (0..<5).map { PendingImage(ImageRequest("http://test/\($0)"), in: pipeline) }
        try await transport.started(count: 2)
        for count in 3...5 {
            try await clock.scheduled(count: count - 2)
            clock.advance(by: .seconds(1.1))
            try await transport.started(count: count)
            #expect(transport.transfers.count == count)
        }
        #expect(transport.addresses == (0..<5).map { "http://test/\($0)" })
        withExtendedLifetime(images) {}
    }
}

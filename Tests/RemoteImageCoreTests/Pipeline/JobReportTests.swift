import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What the reports of running work change: who is told, what runs next, and which jobs end.
@Suite struct JobReportTests {
    private struct Begun {
        /// The jobs that began, with what they were made from.
        var jobs: [(job: Job, input: JobOutput?)] = []
        var undecoded: [Int] = []
        var idleCount = 0
        /// The events of each subscriber, by its name.
        var events: [String: [String]] = [:]
    }

    private let begun = Lock(Begun())
    private let clock = TestClock()

    private func scheduler(
        transferCount: Int = 8, perHost: Int = 8, threadCount: Int = 1, rate: ImagePipeline.RateLimit? = nil
    ) -> JobScheduler {
        JobScheduler(
            JobScheduler.Limits(
                transferCount: transferCount, transferCountPerHost: perHost, threadCount: threadCount, rate: rate),
            clock: clock,
            workers: JobScheduler.Workers(
                start: { [begun] job, input, _ in
                    begun.withLock { $0.jobs.append((job, input)) }
                    return Task {}
                },
                keepUndecoded: { [begun] data, _ in begun.withLock { $0.undecoded.append(data.bytes.count) } },
                becomeIdle: { [begun] _ in begun.withLock { $0.idleCount += 1 } }))
    }

    private func key(
        _ name: String, processors: [String] = [], target: TargetSize? = nil, _ options: ImageOptions = ImageOptions()
    ) -> JobKey {
        .image(
            ImageKey(load: LoadKey(source(name), options), target: target, processors: processors),
            RequestConstraints(options))
    }

    private func source(_ name: String) -> ImageSource {
        name.hasPrefix("/") ? .file(name) : ImageSource("http://\(name.contains("/") ? name : "test/\(name)")")
    }

    @discardableResult
    private func want(
        _ name: String, _ urgency: Urgency = .normal, processors: [String] = [], target: TargetSize? = nil,
        options: ImageOptions = ImageOptions(), as label: String? = nil, unless isTooLate: Bool = false,
        on jobs: JobScheduler
    ) -> Subscriber {
        let label = label ?? name
        let subscriber = Subscriber(urgency: urgency) { [begun] event in
            let text =
                switch event {
                case .progress(let progress): "\(progress.completedByteCount)/\(progress.totalByteCount ?? -1)"
                case .preview(let image): "preview \(image.content ?? 0)"
                case .retrying(let attempt): "attempt \(attempt)"
                case .finished(.success(.image(let image))): "image \(image.content ?? 0)"
                case .finished(.success(.bytes(let data))): "\(data.bytes.count) bytes"
                case .finished(.failure(let error)): error.code.rawValue
                }
            begun.withLock { $0.events[label, default: []].append(text) }
        }
        jobs.want(
            key(name, processors: processors, target: target, options), from: source(name), options,
            unless: { isTooLate }, subscriber)
        return subscriber
    }

    /// What began, in order: the name of the source, after `<` for a transfer.
    private var started: [String] {
        begun.withLock { $0.jobs }.map { job, input in
            let name = job.source.identity.split(separator: "/").last.map(String.init) ?? ""
            guard case .image(let key, _) = job.key else { return "<\(name)" }
            return ([name] + key.processors).joined(separator: "+")
        }
    }

    private func events(_ label: String) -> [String] { begun.withLock { $0.events[label] ?? [] } }

    private func job(_ index: Int) -> Job { begun.withLock { $0.jobs[index].job } }

    private func data(_ byteCount: Int = 1, resized: ResizedContent? = nil) -> LoadedData {
        LoadedData(
            bytes: [UInt8](repeating: 0, count: byteCount), resized: resized, status: 200, headers: [:], address: nil,
            origin: .network)
    }

    private func resized(_ width: Int, _ height: Int, processing: String = "") -> ResizedContent {
        ResizedContent(
            ResizedImage.Description(
                size: PixelSize(width: width, height: height), processedSize: nil, processing: processing,
                originalSize: PixelSize(width: 80, height: 60), originalFormat: .jpeg),
            of: StoredBody(name: "a", byteCount: 9, checksum: 5))
    }

    // MARK: Events

    @Test func `a late subscriber is told of the progress and the attempt, unless both are at their start`() {
        let jobs = scheduler()
        want("a", as: "first", on: jobs)
        jobs.advance(job(0), to: LoadProgress(completedByteCount: 0, totalByteCount: 9))
        want("a", as: "second", on: jobs)
        #expect(events("second") == [])
        jobs.advance(job(0), to: LoadProgress(completedByteCount: 1, totalByteCount: 9))
        want("a", as: "third", on: jobs)
        jobs.retry(job(0), after: .seconds(2))
        want("a", processors: ["blur"], as: "fourth", on: jobs)
        #expect(clock.nextDelay == .seconds(2))
        #expect(events("first") == ["0/9", "1/9", "attempt 2"])
        #expect(events("second") == ["1/9", "attempt 2"])
        #expect(events("third") == ["1/9", "attempt 2"])
        #expect(events("fourth") == ["attempt 2"], "the progress of the failed attempt does not count")
        clock.advance(by: .seconds(2))
        #expect(started == ["<a", "<a"])
        jobs.finish(job(1), with: .failure(ImageError(.timeout)))
        for label in ["first", "second", "third", "fourth"] {
            #expect(events(label).last == "timeout")
        }
        #expect(jobs.jobCount == 0)
    }

    @Test func `a request that comes too late is cancelled and starts nothing`() {
        let jobs = scheduler()
        want("a", unless: true, on: jobs)
        #expect(events("a") == ["cancelled"])
        #expect(jobs.jobCount == 0 && started.isEmpty)
    }

    @Test func `a preview reaches the subscribers of unprocessed images`() {
        let jobs = scheduler()
        want("a", target: .longestSide(9), as: "small", on: jobs)
        want("a", as: "full", on: jobs)
        want("a", processors: ["blur"], as: "blurred", on: jobs)
        jobs.show(TestImage(4).decoded, whileFetching: job(0))
        #expect(events("small") == ["preview 4"])
        #expect(events("full") == ["preview 4"])
        #expect(events("blurred") == [])
    }

    @Test func `a cancelled subscriber is told once, and the others stay`() {
        let jobs = scheduler()
        let subscribers = ["first", "second", "third"].map { want("a", as: $0, on: jobs) }
        jobs.cancel(subscribers[0])
        jobs.cancel(subscribers[0])
        jobs.cancel(subscribers[2])
        jobs.advance(job(0), to: LoadProgress(completedByteCount: 1, totalByteCount: 2))
        #expect(events("first") == ["cancelled"])
        #expect(events("second") == ["1/2"])
        #expect(events("third") == ["cancelled"])
        jobs.cancel(subscribers[1])
        #expect(events("second") == ["1/2", "cancelled"])
        #expect(jobs.jobCount == 0)
    }

    @Test func `the jobs that match are cancelled, and no others`() {
        let jobs = scheduler()
        want("a", as: "a", on: jobs)
        want("a", processors: ["blur"], as: "blurred", on: jobs)
        want("b", as: "b", on: jobs)
        let wanted = LoadKey(source("a"), ImageOptions())
        jobs.cancelAll { key in
            if case .image(let key, _) = key { key.load == wanted } else { false }
        }
        #expect(events("a") == ["cancelled"] && events("blurred") == ["cancelled"] && events("b") == [])
        #expect(jobs.jobCount == 2)
        jobs.cancelAll()
        #expect(events("b") == ["cancelled"])
        #expect(jobs.jobCount == 0)
        #expect(begun.withLock { $0.idleCount } == 1)
    }

    // MARK: Stopped jobs

    @Test func `a job that was stopped while it fetched changes nothing by its reports`() {
        let jobs = scheduler()
        for _ in 0..<2 { jobs.cancel(want("a", on: jobs)) }
        let stopped = job(0)
        jobs.retry(stopped, after: .seconds(1))
        jobs.retry(stopped, after: nil)
        jobs.reconnect()
        jobs.redirect(stopped, to: [(key("b").bytes, source("b"))])
        jobs.finish(stopped, with: .success(.bytes(data(3))))
        #expect(clock.nextDelay == nil)
        #expect(jobs.jobCount == 0)
        #expect(started == ["<a", "<a"])
        #expect(begun.withLock { $0.undecoded } == [3], "its data is kept")
        want("c", on: jobs)
        #expect(started.last == "<c")
    }

    @Test func `a job that was stopped while it decoded leaves its thread and fetches nothing`() throws {
        let reports: [(JobScheduler, Job) -> Void] = [
            { $0.fetchOriginal(for: $1) }, { $0.refetch($1) },
            { jobs, job in _ = jobs.pause(job, on: .bytes(data(3)), for: .seconds(1)) },
            { $0.finish($1, with: .success(.image(TestImage(1).decoded))) },
        ]
        for (index, report) in reports.enumerated() {
            begun.withLock { $0 = Begun() }
            let jobs = scheduler()
            let subscriber = want("a", on: jobs)
            jobs.finish(job(0), with: .success(.bytes(data())))
            jobs.cancel(subscriber)
            want("b", on: jobs)
            jobs.finish(job(2), with: .success(.bytes(data())))
            #expect(started == ["<a", "a", "<b"], "the thread is occupied until the decode ends")
            report(jobs, job(1))
            #expect(started == ["<a", "a", "<b", "b"], "report \(index)")
            #expect(jobs.jobCount == 1)
            #expect(begun.withLock { $0.undecoded } == (index == 2 ? [3] : []))
            #expect(clock.nextDelay == nil)
        }
    }

    // MARK: Pauses

    @Test func `a job waits for its decoder for 30 seconds in all`() {
        let jobs = scheduler()
        want("a", on: jobs)
        jobs.finish(job(0), with: .success(.bytes(data(7))))
        for count in 1...3 {
            #expect(jobs.pause(job(count), on: .bytes(data(7)), for: .seconds(10)))
            #expect(clock.nextDelay == .seconds(10))
            clock.advance(by: .seconds(10))
            #expect(started.count == count + 2)
        }
        #expect(!jobs.pause(job(4), on: .bytes(data(7)), for: .nanoseconds(1)))
        #expect(clock.nextDelay == nil)
        jobs.finish(job(4), with: .failure(ImageError(.io)))
        #expect(events("a") == ["io"])
    }

    @Test func `a job whose last subscriber leaves during a pause does not run again`() {
        let jobs = scheduler()
        let subscriber = want("a", on: jobs)
        jobs.finish(job(0), with: .success(.bytes(data(7))))
        #expect(jobs.pause(job(1), on: .bytes(data(7)), for: .seconds(1)))
        jobs.cancel(subscriber)
        let again = want("a", on: jobs)
        clock.advance(by: .seconds(1))
        #expect(started == ["<a", "a", "<a"])
        jobs.cancel(again)
        #expect(jobs.jobCount == 0)
    }

    // MARK: New data

    @Test func `damaged data is fetched again without the store`() throws {
        let jobs = scheduler()
        want("a", processors: ["blur"], on: jobs)
        jobs.finish(job(0), with: .success(.bytes(data())))
        jobs.refetch(job(1))
        #expect(started == ["<a", "a", "<a"])
        guard case .bytes(_, let constraints) = job(2).key else {
            Issue.record("no data is fetched")
            return
        }
        #expect(constraints.policy == .reload)
        jobs.finish(job(2), with: .success(.bytes(data())))
        jobs.finish(job(3), with: .success(.image(TestImage(1).decoded)))
        jobs.finish(job(4), with: .success(.image(TestImage(2).decoded)))
        #expect(started == ["<a", "a", "<a", "a", "a+blur"])
        #expect(events("a") == ["image 2"])
        #expect(jobs.jobCount == 0)
    }

    @Test func `an image whose resized image is damaged waits for the original`() {
        for processors in [[], ["blur"]] as [[String]] {
            begun.withLock { $0 = Begun() }
            let jobs = scheduler()
            let target = TargetSize.longestSide(20)
            want("a", processors: processors, target: target, on: jobs)
            let imageKey = ImageKey(load: LoadKey(source("a"), ImageOptions()), target: target, processors: processors)
            let small = resized(20, 15, processing: imageKey.processing)
            #expect(jobs.resizedImage(for: job(0), among: [small.description]) == 0)
            jobs.finish(job(0), with: .success(.bytes(data(resized: small))))
            let name = (["a"] + processors).joined(separator: "+")
            #expect(started == ["<a", name])
            jobs.fetchOriginal(for: job(1))
            #expect(started == ["<a", name, "<a"])
            #expect(jobs.resizedImage(for: job(2), among: [small.description]) == nil)
            jobs.finish(job(2), with: .success(.bytes(data())))
            #expect(started == ["<a", name, "<a", "a"])
            jobs.finish(job(3), with: .success(.image(TestImage(3).decoded)))
            if !processors.isEmpty { jobs.finish(job(4), with: .success(.image(TestImage(3).decoded))) }
            #expect(events("a") == ["image 3"])
            #expect(jobs.jobCount == 0)
        }
    }

    // MARK: Resized images

    @Test func `the smallest resized image that serves all requests is used, or a processed one`() throws {
        let jobs = scheduler()
        let sizes = [60, 20, 30, 40].map { resized($0, $0 * 3 / 4).description }
        want("a", target: .longestSide(25), on: jobs)
        #expect(jobs.resizedImage(for: job(0), among: sizes) == 2)
        want("a", target: .longestSide(35), on: jobs)
        #expect(jobs.resizedImage(for: job(0), among: sizes) == 3)
        #expect(jobs.resizedImage(for: job(0), among: []) == nil)
        let plain = ImageOptions(cachesResizedImages: false)
        want("b", target: .longestSide(25), options: plain, on: jobs)
        #expect(jobs.resizedImage(for: job(1), among: sizes) == nil)
        let round = ImageKey(
            load: LoadKey(source("c"), ImageOptions()), target: .longestSide(25), processors: ["round"])
        want("c", processors: ["round"], target: .longestSide(25), on: jobs)
        let processed = resized(50, 50, processing: round.processing).description
        #expect(jobs.resizedImage(for: job(2), among: sizes + [processed]) == 4)
        #expect(jobs.resizedImage(for: job(2), among: [processed] + sizes) == 0)
        want("a", as: "full", on: jobs)
        #expect(jobs.resizedImage(for: job(0), among: sizes) == nil)
    }

    @Test func `a request that joins after the store was read waits for the original if it needs more pixels`() {
        let jobs = scheduler(threadCount: 8)
        want("a", target: .longestSide(20), as: "small", on: jobs)
        want("a", target: .longestSide(10), as: "smaller", on: jobs)
        want("a", target: .longestSide(50), as: "large", on: jobs)
        jobs.finish(job(0), with: .success(.bytes(data(resized: resized(20, 15)))))
        #expect(started.sorted() == ["<a", "<a", "a", "a"])
        let originals = begun.withLock { $0.jobs }.filter { $0.input == nil }.map(\.job)
        #expect(originals.map(\.needsOriginal) == [false, true])
        for (job, input) in begun.withLock({ $0.jobs }) where input != nil {
            jobs.finish(job, with: .success(.image(TestImage(2).decoded)))
        }
        #expect(events("small") == ["image 2"] && events("smaller") == ["image 2"] && events("large") == [])
        jobs.finish(originals[1], with: .success(.bytes(data())))
        jobs.finish(job(4), with: .success(.image(TestImage(5).decoded)))
        #expect(events("large") == ["image 5"])
        #expect(jobs.jobCount == 0)
    }

    // MARK: Queries

    @Test func `a request hook sees the largest target without its maximum, and the attempt`() {
        let jobs = scheduler()
        func box(_ width: Int, _ height: Int, limit: PixelSize? = nil) -> TargetSize {
            let size = PixelSize(width: width, height: height)
            return limit.map { TargetSize(size, fit: .cover, maxPixelSize: $0) } ?? TargetSize(size, fit: .cover)
        }
        let bound = PixelSize(width: 50, height: 40)
        for target in [box(30, 10), box(20, 30, limit: bound), box(10, 30)] {
            want("a", target: target, on: jobs)
        }
        #expect(jobs.largestTarget(of: job(0)) == box(20, 30, limit: bound))
        want("a", processors: ["blur"], target: box(20, 30), on: jobs)
        #expect(jobs.largestTarget(of: job(0)) == box(20, 30), "without a maximum")
        #expect(jobs.context(of: job(0)).target == box(20, 30))
        #expect(jobs.context(of: job(0)).source == source("a"))
        jobs.retry(job(0), after: .zero)
        clock.advance(by: .zero)
        #expect(jobs.context(of: job(0)).attempt == 2)
        want("a", as: "full", on: jobs)
        #expect(jobs.largestTarget(of: job(0)) == nil)
        #expect(jobs.context(of: job(0)).target == nil)
    }

    // MARK: Limits

    @Test func `the number of transfers is limited in total and per host, also after a change`() {
        let jobs = scheduler(transferCount: 3, perHost: 2)
        for name in ["one/a", "one/b", "one/c", "two/d", "two/e", "two/f"] { want(name, on: jobs) }
        #expect(started == ["<a", "<b", "<d"])
        jobs.setConcurrency(transfers: 6, perHost: 3)
        #expect(started == ["<a", "<b", "<d", "<c", "<e"])
    }

    @Test func `a cancelled transfer costs a token, and one that ends does not`() {
        let jobs = scheduler(rate: ImagePipeline.RateLimit(transfersPerSecond: 1, burst: 2))
        for name in ["a", "b"] { want(name, on: jobs) }
        for index in 0...1 { jobs.finish(job(index), with: .failure(ImageError(.timeout))) }
        for name in ["c", "d"] { jobs.cancel(want(name, on: jobs)) }
        want("e", on: jobs)
        want("f", on: jobs)
        #expect(started == ["<a", "<b", "<c", "<d"])
        #expect(clock.nextDelay == .seconds(1) + .microseconds(1))
        clock.advance(by: .seconds(1) + .microseconds(1))
        #expect(started == ["<a", "<b", "<c", "<d", "<e"])
        clock.advance(by: .seconds(1) + .microseconds(1))
        #expect(started == ["<a", "<b", "<c", "<d", "<e", "<f"])
        // Files need no token, and a file that ends returns none.
        want("/g", on: jobs)
        jobs.finish(job(6), with: .failure(ImageError(.io)))
        want("h", on: jobs)
        #expect(started.last == "<g")
    }
}

extension JobKey {
    /// The key of the data of an image.
    fileprivate var bytes: JobKey {
        if case .image(let key, let constraints) = self { .bytes(key.load, constraints) } else { self }
    }
}

import Dispatch
import TestSupport
import Testing

@testable import RemoteImageCore

private let address = "http://test/a.png"
private let otherAddress = "http://test/b.png"

@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct NetworkImageModelTests {
    let transport = FakeTransport()
    let pipeline: ImagePipeline

    init() {
        pipeline = .test(transport)
    }

    private func model(_ source: String? = address, options: ImageOptions = ImageOptions()) -> NetworkImageModel {
        NetworkImageModel(source, pipeline: pipeline, options: options)
    }

    // MARK: Success and failure

    @Test func `a load goes from empty through loading to success`() async throws {
        let model = model()
        let recorder = PhaseRecorder(model)
        #expect(model.phase.kind == .empty)
        model.load()
        #expect(model.isLoading)
        try await transport.started(count: 1).succeed(TestImage(7).bytes)
        let phase = await model.reached(.success)
        #expect(phase?.image?.content == 7)
        #expect(model.image?.info.size == PixelSize(width: 8, height: 6))
        #expect(model.image?.info.origin == .network)
        #expect(model.error == nil)
        #expect(!model.isLoading)
        #expect(recorder.kinds.first == .loading && recorder.kinds.last == .success)
        #expect(recorder.kinds.filter { $0 == .success }.count == 1)
    }

    @Test func `a failed load says why`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed([], status: 404)
        await #expect(model.reached(.failure)?.error == .httpStatus(404))
        #expect(model.error?.code == .httpStatus)
        #expect(model.image == nil)
    }

    @Test func `retry after a failure loads again`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).fail(ImageError(.connection))
        #expect(await model.reached(.failure) != nil)
        model.retry()
        #expect(model.isLoading)
        try await transport.started(count: 2).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `load after a failure loads again`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).fail(ImageError(.timeout))
        #expect(await model.reached(.failure) != nil)
        model.load()
        try await transport.started(count: 2).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `retry does nothing unless there is a failure`() async {
        let model = model()
        model.retry()
        #expect(model.phase.kind == .empty)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.isEmpty)
    }

    @Test func `load after a success does nothing`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.load()
        #expect(model.phase.kind == .success)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `load while loading does nothing`() async throws {
        let model = model()
        model.load()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        #expect(transport.transfers.count == 1)
    }

    // MARK: Sources that name nothing

    @Test func `no source is the empty phase`() {
        let model = model(nil)
        model.load()
        #expect(model.phase.kind == .empty)
        #expect(transport.transfers.isEmpty)
    }

    @Test(arguments: ["", "not an address", "http://exa mple/", "/just/a/path"])
    func `an invalid source is a failure and no crash`(text: String) async {
        let model = model(text)
        model.load()
        await #expect(model.reached(.failure)?.error?.code == .invalidURL)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a source of another scheme is a failure`() async {
        let model = model("ftp://test/a.png")
        model.load()
        await #expect(model.reached(.failure)?.error?.code == .forbiddenScheme)
    }

    @Test func `a source that becomes nil empties the model and ends the load`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        model.source = nil
        #expect(model.phase.kind == .empty)
        try await transfer.cancelled()
    }

    @Test func `a source that comes after nil is loaded where one is wanted`() async throws {
        let model = model(nil)
        model.load()
        model.source = ImageSource(address)
        #expect(model.isLoading)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    // MARK: Cancelling and resetting

    @Test func `cancel before the image goes back to empty and closes the transfer`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        model.cancel()
        #expect(model.phase.kind == .empty)
        try await transfer.cancelled()
    }

    @Test func `cancel keeps the image that is shown`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success) != nil)
        model.reload()
        #expect(model.isLoading)
        model.cancel()
        #expect(model.image?.content == 3)
    }

    @Test func `reset shows nothing and closes the transfer`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.reload()
        let transfer = try await transport.started(count: 2)
        model.reset()
        #expect(model.phase.kind == .empty)
        #expect(model.progress == LoadProgress())
        try await transfer.cancelled()
    }

    @Test func `a load after cancel starts anew`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1)
        model.cancel()
        model.load()
        try await transport.started(count: 2).succeed(TestImage(9).bytes)
        await #expect(model.reached(.success)?.image?.content == 9)
    }

    /// The cancellation was carried out after the next load had joined the transfer.
    @Test func `a load after a cancel in the middle of its start starts anew`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let isFirst = Lock(true)
        let transport = FakeTransport { _ in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // The thread of loads stands still in the start of the first load.
            if waits { gate.wait() }
            return nil
        }
        let model = NetworkImageModel(address, pipeline: .test(transport))
        model.load()
        let first = try await transport.started(count: 1)
        model.cancel()
        model.load()
        gate.signal()
        try await transport.started(count: 2).succeed(TestImage(9).bytes)
        #expect(await model.reached(.success)?.image?.content == 9)
        #expect(first.isCancelled)
    }

    @Test func `a late answer of a cancelled load never arrives`() async throws {
        let model = model()
        let recorder = PhaseRecorder(model)
        model.load()
        let first = try await transport.started(count: 1)
        first.succeed(TestImage(1).bytes)
        // The answer may be on its way to the main actor already.
        model.cancel()
        model.source = ImageSource(otherAddress)
        model.load()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(recorder.contents == [2])
    }

    @Test func `a released model closes its transfer`() async throws {
        var model: NetworkImageModel? = model()
        weak let released = model
        model?.load()
        let transfer = try await transport.started(count: 1)
        model = nil
        #expect(released == nil)
        try await transfer.cancelled()
    }

    // MARK: Other sources

    @Test func `of A, B and A again only the last arrives`() async throws {
        let model = model(address)
        let recorder = PhaseRecorder(model)
        model.load()
        let first = try await transport.started(count: 1)
        model.source = ImageSource(otherAddress)
        let second = try await transport.started(count: 2)
        model.source = ImageSource(address)
        let third = try await transport.started(count: 3)
        second.succeed(TestImage(2).bytes)
        first.succeed(TestImage(1).bytes)
        third.succeed(TestImage(3).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(recorder.contents == [3])
    }

    @Test func `another source drops the old image`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.source = ImageSource(otherAddress)
        guard case .loading(let state) = model.phase else {
            Issue.record("not loading")
            return
        }
        #expect(state.preview == nil)
    }

    @Test func `another source keeps the old image meanwhile where that is asked for`() async throws {
        var options = ImageOptions()
        options.keepsImageWhileLoading = true
        let model = model(options: options)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(4).bytes)
        #expect(await model.reached(.success) != nil)
        model.source = ImageSource(otherAddress)
        guard case .loading(let state) = model.phase else {
            Issue.record("not loading")
            return
        }
        #expect(state.preview?.content == 4)
    }

    @Test func `another source is not loaded where none is wanted`() async {
        let model = model()
        model.source = ImageSource(otherAddress)
        #expect(model.phase.kind == .empty)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.isEmpty)
    }

    @Test func `the same source again changes nothing`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        let recorder = PhaseRecorder(model)
        model.source = ImageSource(address)
        #expect(recorder.phases.isEmpty)
        #expect(!transfer.isCancelled)
    }

    // MARK: Memory

    @Test func `an image in memory is there when load returns, with no loading phase`() async throws {
        let first = model()
        first.load()
        try await transport.started(count: 1).succeed(TestImage(5).bytes)
        #expect(await first.reached(.success) != nil)
        let second = model()
        let recorder = PhaseRecorder(second)
        second.load()
        #expect(second.image?.content == 5)
        #expect(second.image?.info.origin == .memory)
        #expect(recorder.kinds == [.success])
        #expect(transport.transfers.count == 1)
    }

    @Test func `reload asks the network although the image is in memory`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success) != nil)
        let recorder = PhaseRecorder(model)
        model.reload()
        guard case .loading(let state) = model.phase else {
            Issue.record("not loading")
            return
        }
        #expect(state.preview?.content == 1)
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        for await phase in model.phases where phase.image?.content == 2 { break }
        #expect(recorder.contents == [2])
    }

    // MARK: Sharing

    @Test func `two models of one address make one transfer`() async throws {
        let (first, second) = (model(), model())
        first.load()
        second.load()
        try await transport.started(count: 1).succeed(TestImage(6).bytes)
        let shown = (await first.reached(.success)?.image, await second.reached(.success)?.image)
        #expect(shown.0?.content == 6)
        #expect(shown.0?.pixels === shown.1?.pixels)
        #expect(transport.transfers.count == 1)
    }

    @Test func `cancelling one of two models leaves the other its transfer`() async throws {
        let (first, second) = (model(), model())
        first.load()
        second.load()
        let transfer = try await transport.started(count: 1)
        first.cancel()
        #expect(first.phase.kind == .empty)
        transfer.succeed(TestImage(8).bytes)
        await #expect(second.reached(.success)?.image?.content == 8)
        #expect(first.phase.kind == .empty)
    }

    @Test func `cancelling both closes the transfer`() async throws {
        let (first, second) = (model(), model())
        first.load()
        second.load()
        let transfer = try await transport.started(count: 1)
        first.cancel()
        second.cancel()
        try await transfer.cancelled()
    }

    // MARK: Appearing

    @Test func `appearing loads and disappearing cancels by default`() async throws {
        let model = model()
        model.appear()
        let transfer = try await transport.started(count: 1)
        model.disappear()
        #expect(model.phase.kind == .empty)
        try await transfer.cancelled()
        model.appear()
        try await transport.started(count: 2).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `an image that is there stays through disappearing and appearing`() async throws {
        let model = model()
        model.appear()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.disappear()
        #expect(model.phase.kind == .success)
        model.appear()
        #expect(model.phase.kind == .success)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `without load on appear only load loads`() async throws {
        var options = ImageOptions()
        options.loadOptions = [.cancelOnDisappear]
        let model = model(options: options)
        model.appear()
        #expect(model.phase.kind == .empty)
        model.load()
        #expect(model.isLoading)
    }

    @Test func `load immediately needs no appearance`() async throws {
        var options = ImageOptions()
        options.loadOptions = [.loadImmediately]
        let model = model(options: options)
        #expect(model.isLoading)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `a load goes on out of sight where it is not to be cancelled`() async throws {
        var options = ImageOptions()
        options.loadOptions = [.loadOnAppear, .lowerPriorityOnDisappear]
        let model = model(options: options)
        model.appear()
        let transfer = try await transport.started(count: 1)
        model.disappear()
        #expect(model.isLoading)
        transfer.succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    // MARK: Progress

    @Test func `progress has a fraction where the length is known`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        let bytes = TestImage().bytes
        transfer.respond(expected: bytes.count)
        transfer.send(Array(bytes[..<10]))
        await model.received(byteCount: 10)
        #expect(model.progress.totalByteCount == bytes.count)
        #expect(model.progress.fraction == 10 / Double(bytes.count))
        transfer.send(Array(bytes[10...]))
        transfer.finish()
        #expect(await model.reached(.success) != nil)
    }

    @Test func `progress has no fraction where the length is not known`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        transfer.respond()
        transfer.send([1, 2, 3])
        await model.received(byteCount: 3)
        #expect(model.progress.fraction == nil)
    }

    // MARK: Phases as a sequence

    @Test func `the sequence of phases has each kind once and in order`() async throws {
        let model = model()
        var kinds: [NetworkImagePhase.Kind] = []
        let phases = model.phases
        model.load()
        let transfer = try await transport.started(count: 1)
        let bytes = TestImage().bytes
        transfer.respond(expected: bytes.count)
        for byte in bytes { transfer.send([byte]) }
        transfer.finish()
        for await phase in phases {
            if kinds.last != phase.kind { kinds.append(phase.kind) }
            if phase.kind == .success { break }
        }
        #expect(kinds == [.empty, .loading, .success])
    }

    /// It kept every image that the model had ever shown.
    @Test func `a sequence of phases that is not read holds one image`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let model = NetworkImageModel(address, pipeline: pipeline)
        let phases = model.phases
        model.load()
        for content: UInt8 in 1...3 {
            let transfer = try await transport.started(count: Int(content))
            transfer.succeed(TestImage(content).bytes)
            for await phase in model.phases where phase.image?.content == content { break }
            if content < 3 { model.reload() }
        }
        var found: [String] = []
        for await phase in phases {
            switch phase {
            case .loading(let state): found.append(state.preview == nil ? "loading" : "loading with preview")
            case .success(let image): found.append("image \(image.content ?? 0)")
            default: found.append("\(phase.kind)")
            }
            if phase.kind == .success { break }
        }
        #expect(found == ["empty", "loading", "image 3"])
    }

    @Test func `the sequence of phases keeps the order of changes of kind`() async throws {
        let buffer = PhaseBuffer(.empty)
        let error = ImageError(.timeout)
        for _ in 0..<3 {
            buffer.append(.loading(LoadingState(attempt: 1)))
            buffer.append(.loading(LoadingState(attempt: 2)))
            buffer.append(.failure(error))
        }
        buffer.finish()
        var kinds: [NetworkImagePhase.Kind] = []
        while let phase = await buffer.next() { kinds.append(phase.kind) }
        #expect(kinds == [.empty, .loading, .failure, .loading, .failure, .loading, .failure])
        let long = PhaseBuffer(.empty)
        for _ in 0..<100 {
            long.append(.loading(LoadingState()))
            long.append(.failure(error))
        }
        long.finish()
        var count = 0
        while await long.next() != nil { count += 1 }
        #expect(count == 16)
    }

    @Test func `the sequence of phases ends with the model`() async throws {
        var model: NetworkImageModel? = model()
        let phases = try #require(model?.phases)
        model = nil
        var kinds: [NetworkImagePhase.Kind] = []
        for await phase in phases { kinds.append(phase.kind) }
        #expect(kinds == [.empty])
    }

    @Test func `an observation ends when it is cancelled`() {
        let model = model("")
        var count = 0
        let observation = model.observePhase { _, _ in count += 1 }
        model.load()
        #expect(count == 1)
        observation.cancel()
        model.reset()
        #expect(count == 1)
    }

    // MARK: What went wrong once

    /// An image that was only kept from the old source was taken for that of the new one, and never
    /// replaced.
    @Test func `an image kept from another source does not count as loaded after a cancellation`() async throws {
        var options = ImageOptions()
        options.keepsImageWhileLoading = true
        let model = model(options: options)
        model.appear()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success) != nil)
        model.source = ImageSource(otherAddress)
        await LoadExecutor.shared.settled()
        model.disappear()
        model.appear()
        #expect(model.isLoading)
        try await transport.started(count: 3).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
    }

    @Test func `a cancelled reload leaves an image that counts as loaded`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success) != nil)
        model.reload()
        model.cancel()
        model.load()
        #expect(model.image?.content == 1)
        #expect(!model.isLoading)
    }

    /// The outer call went on after an observer had begun something else, and loaded the old
    /// source.
    @Test func `an observer that sets a source in memory has the last word`() async throws {
        let known = PendingImage(ImageRequest(otherAddress), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(2).bytes)
        _ = try await known.image
        let model = model()
        let observation = model.observePhase { [weak model] _, new in
            if new.kind == .loading { model?.source = ImageSource(otherAddress) }
        }
        model.load()
        #expect(model.image?.content == 2)
        #expect(transport.transfers.count == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func `an observer that takes the source away ends the load`() async {
        let model = model()
        let observation = model.observePhase { [weak model] _, new in
            if new.kind == .loading { model?.source = nil }
        }
        model.load()
        #expect(model.phase.kind == .empty)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.isEmpty)
        withExtendedLifetime(observation) {}
    }

    /// What an observer brought about reached the sequence before what it was told of.
    @Test func `phases keep their order when an observer brings about another`() async throws {
        let model = model()
        let observation = model.observePhase { [weak model] _, new in
            if new.kind == .failure { model?.source = ImageSource(otherAddress) }
        }
        let recorder = PhaseRecorder(model)
        var iterator = model.phases.makeAsyncIterator()
        model.load()
        try await transport.started(count: 1).fail(ImageError(.timeout))
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        var kinds: [NetworkImagePhase.Kind] = []
        while let kind = await iterator.next()?.kind {
            if kinds.last != kind { kinds.append(kind) }
            if kind == .success { break }
        }
        #expect(kinds == [.empty, .loading, .failure, .loading, .success])
        var recorded: [NetworkImagePhase.Kind] = []
        for kind in recorder.kinds where recorded.last != kind { recorded.append(kind) }
        #expect(recorded == [.loading, .failure, .loading, .success])
        withExtendedLifetime(observation) {}
    }

    @Test func `a priority that is set before the load counts`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxTransferCount = 1 }
        let running = PendingImage(ImageRequest("http://test/running"), in: pipeline)
        try await transport.started(count: 1)
        let models = ["low", "high"].map { NetworkImageModel("http://test/\($0)", pipeline: pipeline) }
        models[1].priority = .veryHigh
        for model in models { model.load() }
        await LoadExecutor.shared.settled()
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        #expect(try await transport.started(count: 2).request.address.string == "http://test/high")
    }

    @Test func `a priority that is set during the delay counts`() async throws {
        let clock = TestClock()
        var options = ImageOptions()
        options.delay = .seconds(1)
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.maxTransferCount = 1
            configuration.clock = clock
        }
        let running = PendingImage(ImageRequest("http://test/running"), in: pipeline)
        try await transport.started(count: 1)
        let models = ["low", "high"].map {
            NetworkImageModel("http://test/\($0)", pipeline: pipeline, options: options)
        }
        for model in models { model.load() }
        try await clock.scheduled(count: 2)
        models[1].priority = .high
        clock.advance(by: .seconds(1))
        // Both have asked when the main actor has come to what the clock posted.
        try await waitUntil("five jobs") { pipeline.context.jobs.jobCount >= 5 }
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        #expect(try await transport.started(count: 2).request.address.string == "http://test/high")
    }

    @Test func `options of the pipeline hold for its models`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.options.loadOptions = [.loadImmediately] }
        let model = NetworkImageModel(address, pipeline: pipeline)
        #expect(model.isLoading)
        model.disappear()
        #expect(model.isLoading, "nothing says that disappearing cancels")
    }

    /// It compared with its own options and not with the pipeline's, and asked for more pixels for
    /// ever.
    @Test func `an image bounded by the pipeline's options is not asked for again`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.options.maxPixelSize = 50 }
        let model = NetworkImageModel(address, pipeline: pipeline)
        model.target = .longestSide(500)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(!model.needsMorePixels)
    }

    @Test func `an image that stays too small is asked for once for each size`() async throws {
        let model = NetworkImageModel(address, pipeline: .test(transport, memoryCache: nil))
        model.target = .longestSide(50)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        #expect(await model.reached(.success) != nil)
        model.target = .longestSide(500)
        #expect(model.needsMorePixels)
        model.refine()
        let failing = try await transport.started(count: 2)
        failing.succeed([], status: 500)
        // The failure has arrived when the model lets go of its load.
        try await waitUntil("the end of the refinement") { !model.isRefining }
        #expect(!model.needsMorePixels)
        model.refine()
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.count == 2)
        #expect(model.image != nil)
    }

    @Test func `another scale holds for the image that is shown`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success)?.image?.scale == 1)
        model.scale = 2
        #expect(model.image?.scale == 2)
    }

    @Test func `other processors make another image at once, the old one staying meanwhile`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(10, width: 40, height: 20).bytes)
        #expect(await model.reached(.success) != nil)
        model.options.processors = [.resize(to: PixelSize(width: 10, height: 10))]
        for await phase in model.phases where phase.image?.pixels.size == PixelSize(width: 10, height: 5) { break }
        #expect(transport.transfers.count == 1)
    }

    @Test func `a view without a size shows what memory has, or that it will load`() async throws {
        let model = model()
        model.prepareToAppear()
        #expect(model.isLoading)
        await LoadExecutor.shared.settled()
        #expect(transport.transfers.isEmpty)
        model.disappear()
        #expect(model.phase.kind == .empty)
        model.prepareToAppear()
        model.target = .longestSide(4)
        model.appear()
        try await transport.started(count: 1).succeed(TestImage(3, width: 80, height: 60).bytes)
        #expect(await model.reached(.success) != nil)
        let other = self.model()
        other.prepareToAppear()
        #expect(other.image?.content == 3)
        other.target = .longestSide(40)
        other.appear()
        try await transport.started(count: 2).succeed(TestImage(3, width: 80, height: 60).bytes)
        for await phase in other.phases where phase.image?.pixels.size.width == 40 { break }
    }

    /// The source was set before its options, and met those of the old one.
    @Test func `credentials never reach another source`() async throws {
        var secret = ImageOptions()
        secret.headers[.authorization] = "Bearer secret"
        let model = model("http://private/a", options: secret)
        model.load()
        try await transport.started(count: 1)
        model.update(source: "http://public/b", options: ImageOptions(), scale: 1)
        try await transport.started(count: 2)
        #expect(transport.transfers[1].request.headers[.authorization] == nil)
        #expect(transport.transfers.count == 2)
    }

    @Test func `an expired image is shown before the view has a size, and refreshed`() async throws {
        let clock = TestClock()
        var options = ImageOptions()
        options.expiry = .seconds(10)
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        let first = PendingImage(ImageRequest(address, options: options), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        _ = try await first.image
        clock.advance(by: .seconds(11))
        let model = NetworkImageModel(address, pipeline: pipeline, options: options)
        model.prepareToAppear()
        #expect(model.image?.content == 1)
        model.appear()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        for await phase in model.phases where phase.image?.content == 2 { break }
    }

    @Test func `a refinement that was cancelled is made when the view is back`() async throws {
        let model = model()
        model.target = .longestSide(50)
        model.appear()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        #expect(await model.reached(.success) != nil)
        model.target = .longestSide(500)
        model.refine()
        try await transport.started(count: 2)
        model.disappear()
        try await transport.transfers[1].cancelled()
        model.appear()
        try await transport.started(count: 3)
    }

    @Test func `a newly signed address is used though the image is the same`() async throws {
        func signed(_ token: Int) -> ImageSource {
            ImageSource("http://test/a?token=\(token)").ignoringQueryItems(["token"])
        }
        let model = NetworkImageModel(signed(1), pipeline: pipeline)
        model.load()
        try await transport.started(count: 1).succeed([], status: 403)
        #expect(await model.reached(.failure) != nil)
        model.source = signed(2)
        model.retry()
        #expect(try await transport.started(count: 2).request.address.string == "http://test/a?token=2")
    }

    @Test func `after growth a larger candidate is loaded`() async throws {
        let source = ImageSource.candidates([
            SourceCandidate("http://test/small", size: PixelSize(width: 100, height: 80)),
            SourceCandidate("http://test/large", size: PixelSize(width: 1000, height: 800)),
        ])
        let model = NetworkImageModel(source, pipeline: pipeline)
        model.target = .longestSide(100)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 100, height: 80).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(transport.addresses == ["http://test/small"])
        model.target = .longestSide(500)
        model.refine()
        #expect(try await transport.started(count: 2).request.address.string == "http://test/large")
    }
}

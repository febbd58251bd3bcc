import Dispatch
import RemoteImageTestSupport
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

    @Test func `a failed load reports its error`() async throws {
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

    @Test func `retry without a failure does nothing`() async {
        let model = model()
        model.retry()
        #expect(model.phase.kind == .empty)
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
    }

    @Test func `load after a success does nothing`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.load()
        #expect(model.phase.kind == .success)
        await LoadQueue.shared.settled()
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

    // MARK: Missing and invalid sources

    @Test func `a missing source is the empty phase`() {
        let model = model(nil)
        model.load()
        #expect(model.phase.kind == .empty)
        #expect(transport.transfers.isEmpty)
    }

    @Test(arguments: ["", "not an address", "http://exa mple/", "/just/a/path"])
    func `an invalid source is a failure`(text: String) async {
        let model = model(text)
        model.load()
        await #expect(model.reached(.failure)?.error?.code == .invalidURL)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a source with a forbidden scheme is a failure`() async {
        let model = model("ftp://test/a.png")
        model.load()
        await #expect(model.reached(.failure)?.error?.code == .forbiddenScheme)
    }

    @Test func `a source that becomes nil empties the model and cancels the load`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        model.source = nil
        #expect(model.phase.kind == .empty)
        try await transfer.cancelled()
    }

    @Test func `a source that is set after load is loaded`() async throws {
        let model = model(nil)
        model.load()
        model.source = ImageSource(address)
        #expect(model.isLoading)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    // MARK: Cancelling and resetting

    @Test func `cancel before the image arrives returns to empty and cancels the transfer`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        model.cancel()
        #expect(model.phase.kind == .empty)
        try await transfer.cancelled()
    }

    @Test func `cancel keeps the shown image`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success) != nil)
        model.reload()
        #expect(model.isLoading)
        model.cancel()
        #expect(model.image?.content == 3)
    }

    @Test func `reset shows nothing and cancels the transfer`() async throws {
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

    @Test func `a load after cancel starts again`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1)
        model.cancel()
        model.load()
        try await transport.started(count: 2).succeed(TestImage(9).bytes)
        await #expect(model.reached(.success)?.image?.content == 9)
    }

    /// The cancellation used to be carried out after the next load had joined the transfer.
    @Test func `a load after a cancel during its start starts a new transfer`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let isFirst = Lock(true)
        let transport = FakeTransport { _ in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // The load thread blocks in the start of the first load.
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

    @Test func `a late result of a cancelled load is dropped`() async throws {
        let model = model()
        let recorder = PhaseRecorder(model)
        model.load()
        let first = try await transport.started(count: 1)
        first.succeed(TestImage(1).bytes)
        // The result may be on its way to the main actor already.
        model.cancel()
        model.source = ImageSource(otherAddress)
        model.load()
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(recorder.contents == [2])
    }

    @Test func `a released model cancels its transfer`() async throws {
        var model: NetworkImageModel? = model()
        weak let released = model
        model?.load()
        let transfer = try await transport.started(count: 1)
        model = nil
        #expect(released == nil)
        try await transfer.cancelled()
    }

    // MARK: Changes of the source

    @Test func `after a change from A to B and back to A only the last load arrives`() async throws {
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

    @Test func `a new source drops the old image`() async throws {
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

    @Test func `a new source keeps the old image while loading if the options say so`() async throws {
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

    @Test func `a new source is not loaded before load is called`() async {
        let model = model()
        model.source = ImageSource(otherAddress)
        #expect(model.phase.kind == .empty)
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
    }

    @Test func `setting the same source again changes nothing`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        let recorder = PhaseRecorder(model)
        model.source = ImageSource(address)
        #expect(recorder.phases.isEmpty)
        #expect(!transfer.isCancelled)
    }

    // MARK: Memory

    @Test func `an image in memory is shown when load returns, without a loading phase`() async throws {
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

    @Test func `reload asks the network even if the image is in memory`() async throws {
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

    @Test func `two models of one address share a transfer`() async throws {
        let (first, second) = (model(), model())
        first.load()
        second.load()
        try await transport.started(count: 1).succeed(TestImage(6).bytes)
        let shown = (await first.reached(.success)?.image, await second.reached(.success)?.image)
        #expect(shown.0?.content == 6)
        #expect(shown.0?.pixels === shown.1?.pixels)
        #expect(transport.transfers.count == 1)
    }

    @Test func `cancelling a model keeps the transfer for the other model`() async throws {
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

    @Test func `cancelling both models cancels the transfer`() async throws {
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

    @Test func `a loaded image stays when the model disappears and reappears`() async throws {
        let model = model()
        model.appear()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
        model.disappear()
        #expect(model.phase.kind == .success)
        model.appear()
        #expect(model.phase.kind == .success)
        await LoadQueue.shared.settled()
        #expect(transport.transfers.count == 1)
    }

    @Test func `without loadOnAppear only load starts a load`() async throws {
        var options = ImageOptions()
        options.loadOptions = [.cancelOnDisappear]
        let model = model(options: options)
        model.appear()
        #expect(model.phase.kind == .empty)
        model.load()
        #expect(model.isLoading)
    }

    @Test func `loadImmediately needs no appearance`() async throws {
        var options = ImageOptions()
        options.loadOptions = [.loadImmediately]
        let model = model(options: options)
        #expect(model.isLoading)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `a load continues after disappearing without cancelOnDisappear`() async throws {
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

    @Test func `progress has a fraction if the length is known`() async throws {
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

    @Test func `progress has no fraction if the length is unknown`() async throws {
        let model = model()
        model.load()
        let transfer = try await transport.started(count: 1)
        transfer.respond()
        transfer.send([1, 2, 3])
        await model.received(byteCount: 3)
        #expect(model.progress.fraction == nil)
    }

    // MARK: Phases as a sequence

    @Test func `the phase sequence has each kind once and in order`() async throws {
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

    /// It used to keep every image that the model had shown.
    @Test func `a phase sequence that is not read holds one image`() async throws {
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

    @Test func `the phase sequence keeps the order of the kinds`() async throws {
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

    @Test func `the phase sequence ends with the model`() async throws {
        var model: NetworkImageModel? = model()
        let phases = try #require(model?.phases)
        model = nil
        var kinds: [NetworkImagePhase.Kind] = []
        for await phase in phases { kinds.append(phase.kind) }
        #expect(kinds == [.empty])
    }

    @Test func `an observation receives nothing after it is cancelled`() {
        let model = model("")
        var count = 0
        let observation = model.observePhase { _, _ in count += 1 }
        model.load()
        #expect(count == 1)
        observation.cancel()
        model.reset()
        #expect(count == 1)
    }

    // MARK: Regressions

    /// An image kept from the old source was taken for the image of the new source, and was never
    /// replaced.
    @Test func `an image kept from another source does not count as loaded after a cancellation`() async throws {
        var options = ImageOptions()
        options.keepsImageWhileLoading = true
        let model = model(options: options)
        model.appear()
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(await model.reached(.success) != nil)
        model.source = ImageSource(otherAddress)
        await LoadQueue.shared.settled()
        model.disappear()
        model.appear()
        #expect(model.isLoading)
        try await transport.started(count: 3).succeed(TestImage(2).bytes)
        #expect(await model.reached(.success)?.image?.content == 2)
    }

    @Test func `an image counts as loaded after a cancelled reload`() async throws {
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

    /// The outer call used to continue after an observer had started another load, and loaded the
    /// old source.
    @Test func `an observer that sets a source in memory replaces the load that is starting`() async throws {
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

    @Test func `an observer that sets the source to nil ends the load`() async {
        let model = model()
        let observation = model.observePhase { [weak model] _, new in
            if new.kind == .loading { model?.source = nil }
        }
        model.load()
        #expect(model.phase.kind == .empty)
        await LoadQueue.shared.settled()
        #expect(transport.transfers.isEmpty)
        withExtendedLifetime(observation) {}
    }

    /// A phase caused by an observer used to reach the sequence before the phase that the observer
    /// was told.
    @Test func `phases keep their order when an observer causes another phase`() async throws {
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
        while let kind = await iterator.next(isolation: #isolation)?.kind {
            if kinds.last != kind { kinds.append(kind) }
            if kind == .success { break }
        }
        #expect(kinds == [.empty, .loading, .failure, .loading, .success])
        var recorded: [NetworkImagePhase.Kind] = []
        for kind in recorder.kinds where recorded.last != kind { recorded.append(kind) }
        #expect(recorded == [.loading, .failure, .loading, .success])
        withExtendedLifetime(observation) {}
    }

    @Test func `a priority that is set before load counts`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfers = 1 }
        let running = PendingImage(ImageRequest("http://test/running"), in: pipeline)
        try await transport.started(count: 1)
        let models = ["low", "high"].map { NetworkImageModel("http://test/\($0)", pipeline: pipeline) }
        models[1].priority = .veryHigh
        for model in models { model.load() }
        await LoadQueue.shared.settled()
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        #expect(try await transport.started(count: 2).request.address.string == "http://test/high")
    }

    @Test func `a priority that is set during the delay counts`() async throws {
        let clock = TestClock()
        var options = ImageOptions()
        options.delay = .seconds(1)
        let pipeline = ImagePipeline.test(transport) { configuration in
            configuration.maxConcurrentTransfers = 1
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
        // Both loads have sent their requests once the main actor has handled the posts of the
        // clock.
        try await waitUntil("five jobs") { pipeline.context.jobs.jobCount >= 5 }
        transport.transfers[0].succeed(TestImage().bytes)
        _ = try await running.image
        #expect(try await transport.started(count: 2).request.address.string == "http://test/high")
    }

    @Test func `the options of a pipeline apply to its models`() async throws {
        let pipeline = ImagePipeline.test(transport) { $0.options.loadOptions = [.loadImmediately] }
        let model = NetworkImageModel(address, pipeline: pipeline)
        #expect(model.isLoading)
        model.disappear()
        #expect(model.isLoading, "nothing says that disappearing cancels")
    }

    /// The model used to compare with its own options instead of the pipeline's, and requested more
    /// pixels forever.
    @Test func `an image bounded by the pipeline's options is not requested again`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.options.maxPixelSize = 50 }
        let model = NetworkImageModel(address, pipeline: pipeline)
        model.target = .longestSide(500)
        model.load()
        try await transport.started(count: 1).succeed(TestImage(width: 1000, height: 800).bytes)
        #expect(await model.reached(.success) != nil)
        #expect(!model.needsMorePixels)
    }

    @Test func `an image that stays too small is requested once for each size`() async throws {
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
        // The failure has arrived when the model has released its load.
        try await waitUntil("the end of the refinement") { !model.isRefining }
        #expect(!model.needsMorePixels)
        model.refine()
        await LoadQueue.shared.settled()
        #expect(transport.transfers.count == 2)
        #expect(model.image != nil)
    }

    @Test func `a new scale applies to the shown image`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage().bytes)
        #expect(await model.reached(.success)?.image?.scale == 1)
        model.scale = 2
        #expect(model.image?.scale == 2)
    }

    @Test func `new processors make a new image at once, and the old image stays until then`() async throws {
        let model = model()
        model.load()
        try await transport.started(count: 1).succeed(TestImage(10, width: 40, height: 20).bytes)
        #expect(await model.reached(.success) != nil)
        model.options.processors = [.resize(to: PixelSize(width: 10, height: 10))]
        for await phase in model.phases where phase.image?.pixels.size == PixelSize(width: 10, height: 5) { break }
        #expect(transport.transfers.count == 1)
    }

    @Test func `a view without a size shows the image in memory, or the loading phase`() async throws {
        let model = model()
        model.prepareToAppear()
        #expect(model.isLoading)
        await LoadQueue.shared.settled()
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

    @Test func `a prepared view keeps its preview hash when its options change`() throws {
        var options = ImageOptions()
        options.previewHash = .thumbHash("FfYC9Kh4jD+Ah4h3d5ePePiIiA==")
        let model = model(options: options)
        model.prepareToAppear()
        let before = try #require(model.preview)
        options.processors = [.resize(to: PixelSize(width: 10, height: 10))]
        model.options = options
        #expect(try #require(model.preview).isSameImage(as: before))
    }

    /// The source used to be set before its options, and was loaded with the options of the old
    /// source.
    @Test func `credentials are never sent to another source`() async throws {
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

    @Test func `an expired image is shown before the view has a size, and is refreshed`() async throws {
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

    /// Processed images were never refined. A processor may change the size of the image, so that
    /// the decoded size does not tell whether more pixels are available.
    @Test func `a processed image is loaded again when the target grows`() async throws {
        var options = ImageOptions()
        options.processors = [.circle()]
        let transport = FakeTransport { _ in .ok(TestImage(width: 1000, height: 800).bytes) }
        let model = NetworkImageModel(address, pipeline: .test(transport), options: options)
        model.target = .longestSide(100)
        model.appear()
        let small = try #require(await model.reached(.success))
        #expect(small.image?.info.decodedSize == PixelSize(width: 80, height: 80))
        #expect(!model.needsMorePixels)
        model.target = .longestSide(60)
        #expect(!model.needsMorePixels)
        model.target = .longestSide(500)
        #expect(model.needsMorePixels)
        model.refine()
        for await phase in model.phases
        where phase.image?.info.decodedSize == PixelSize(width: 400, height: 400) { break }
        #expect(!model.needsMorePixels)
        // The image has no more pixels than these.
        model.target = .longestSide(5000)
        model.refine()
        for await phase in model.phases
        where phase.image?.info.decodedSize == PixelSize(width: 800, height: 800) { break }
        model.target = .longestSide(9000)
        #expect(!model.needsMorePixels)
    }

    @Test func `a cancelled refinement is repeated when the view reappears`() async throws {
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

    /// The signature of the old one may have expired.
    @Test(arguments: [false, true])
    func `a newly signed address of a failed image is loaded`(isDeclared: Bool) async throws {
        func signed(_ token: Int) -> ImageSource {
            ImageSource("http://test/a?signature=\(token)").identified(by: "a")
        }
        let model = NetworkImageModel(signed(1), pipeline: pipeline)
        @MainActor func change(to source: ImageSource) {
            if isDeclared {
                model.update(source: source, options: ImageOptions(), scale: 1)
            } else {
                model.source = source
            }
        }
        model.appear()
        try await transport.started(count: 1).succeed([], status: 403)
        #expect(await model.reached(.failure) != nil)
        change(to: signed(1))
        #expect(model.phase.kind == .failure, "the address is the same")
        change(to: signed(2))
        try await transport.started(count: 2).succeed([], status: 403)
        #expect(transport.addresses.last == "http://test/a?signature=2")
        #expect(await model.reached(.failure) != nil)
        model.disappear()
        change(to: signed(3))
        #expect(model.phase.kind == .failure, "it is not visible")
        model.appear()
        try await transport.started(count: 3).succeed(TestImage(3).bytes)
        #expect(await model.reached(.success) != nil)
    }

    @Test func `a newly signed address is used for the same image`() async throws {
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

    @Test func `a larger candidate is loaded when the target grows`() async throws {
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

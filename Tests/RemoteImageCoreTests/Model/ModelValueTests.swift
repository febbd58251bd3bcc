import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What each state of a model shows, and where its transitions lead.
@MainActor
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ModelValueTests {
    private let load = Load(priority: .normal, batch: nil)
    private let error = ImageError(.timeout)
    private let hash = PreviewHash.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image

    private func image(_ content: UInt8) -> LoadedImage {
        var image = TestImage(content).decoded
        image.source = ImageSource.file("/\(content)")
        return image
    }

    /// The parts of a state: its phase, image, complete image, load and source.
    private func parts(_ state: ModelState) -> String {
        let phase: String =
            switch state.phase {
            case .empty: "empty"
            case .loading(let loading): "loading \(content(loading.preview))"
            case .success(let image): "success \(content(image))"
            case .failure(let error): "failure \(error.code)"
            }
        let isLoading = state.load === load
        return "\(phase), image \(content(state.image)), complete \(content(state.completeImage)), "
            + "load \(isLoading), source \(state.shownSource?.identity ?? "-")"
    }

    private func content(_ image: LoadedImage?) -> String {
        image.map { $0.isPreviewHash ? "hash" : "\($0.content ?? 0)" } ?? "-"
    }

    @Test func `each state has its phase, its images and its load`() {
        let (one, two) = (image(1), image(2))
        let none = "image -, complete -, load false, source -"
        let states: [(ModelState, String)] = [
            (.idle, "empty, \(none)"), (.failed(error), "failure timeout, \(none)"),
            (.prepared(preview: nil), "loading -, \(none)"), (.prepared(preview: hash), "loading hash, \(none)"),
            (.prepared(preview: one), "loading 1, image 1, complete -, load false, source file:/1"),
            (
                .loading(LoadingState(), replacing: nil, load),
                "loading -, image -, complete -, load true, source -"
            ),
            (
                .loading(LoadingState(preview: hash), replacing: nil, load),
                "loading hash, image -, complete -, load true, source -"
            ),
            (
                .loading(LoadingState(preview: one), replacing: nil, load),
                "loading 1, image 1, complete -, load true, source file:/1"
            ),
            (
                .loading(LoadingState(preview: one), replacing: two, load),
                "loading 1, image 2, complete 2, load true, source file:/2"
            ),
            (
                .shown(one, isComplete: true, refresh: nil),
                "success 1, image 1, complete 1, load false, source file:/1"
            ),
            (
                .shown(one, isComplete: false, refresh: load),
                "success 1, image 1, complete -, load true, source file:/1"
            ),
            (
                .released(WeakImage(one), isComplete: true),
                "success 1, image 1, complete 1, load false, source file:/1"
            ),
            (
                .released(WeakImage(one), isComplete: false),
                "success 1, image 1, complete -, load false, source file:/1"
            ),
            (
                .released(WeakImage(image(3)), isComplete: true),
                "empty, image -, complete -, load false, source file:/3"
            ),
            (.released(nil, isComplete: false), "empty, \(none)"),
        ]
        for (state, expected) in states { #expect(parts(state) == expected) }
        withExtendedLifetime((one, two)) {}
    }

    @Test func `each transition leads to its state`() {
        let (one, two) = (image(1), image(2))
        let shown = ModelState.shown(one, isComplete: true, refresh: load)
        let loading = ModelState.loading(LoadingState(preview: one), replacing: two, load)
        let released = ModelState.released(WeakImage(one), isComplete: true)
        let one1 = "image 1, complete 1, load false, source file:/1"
        let transitions: [(ModelState, String)] = [
            (shown.cancelled, "success 1, \(one1)"), (shown.failed(with: error), "success 1, \(one1)"),
            (shown.outdated, "success 1, image 1, complete -, load true, source file:/1"),
            (loading.cancelled, "success 2, image 2, complete 2, load false, source file:/2"),
            (loading.failed(with: error), "success 2, image 2, complete 2, load false, source file:/2"),
            (loading.outdated, "loading 1, image 1, complete -, load true, source file:/1"),
            (loading.outdated.failed(with: error), parts(.failed(error))),
            (ModelState.prepared(preview: one).cancelled, "success 1, image 1, complete -, load false, source file:/1"),
            (ModelState.prepared(preview: nil).cancelled, parts(.idle)),
            (ModelState.prepared(preview: one).outdated, parts(.prepared(preview: one))),
            (ModelState.idle.cancelled, parts(.idle)), (ModelState.idle.outdated, parts(.idle)),
            (ModelState.failed(error).cancelled, parts(.failed(error))), (released.cancelled, parts(released)),
            (released.outdated, parts(.released(nil, isComplete: false))),
            (released.refreshing(with: load), parts(released)), (loading.refreshing(with: load), parts(loading)),
            (
                ModelState.shown(one, isComplete: false, refresh: nil).refreshing(with: load),
                "success 1, image 1, complete -, load true, source file:/1"
            ),
        ]
        for (state, expected) in transitions { #expect(parts(state) == expected) }
        withExtendedLifetime((one, two)) {}
    }

    // MARK: Phases

    @Test func `content fits a phase of the same kind with the same image or error`() {
        let (one, two) = (image(1), image(2))
        let phases: [NetworkImagePhase] = [
            .empty, .loading(LoadingState()), .success(one), .success(two), .failure(error), .failure(ImageError(.tls)),
        ]
        for (index, phase) in phases.enumerated() {
            for (other, another) in phases.enumerated() {
                #expect(phase.hasSameContent(as: another) == (index == other), "\(index) and \(other)")
            }
        }
        #expect(NetworkImagePhase.loading(LoadingState()).hasSameContent(as: .loading(LoadingState(preview: one))))
        #expect(phases.map(\.kind) == [.empty, .loading, .success, .success, .failure, .failure])
        #expect(phases.map { $0.image?.content } == [nil, nil, 1, 2, nil, nil])
        #expect(phases.map { $0.error?.code } == [nil, nil, nil, nil, .timeout, .tls])
    }

    @Test func `of phases that are not read, only the newest keeps its image`() async {
        func names(_ buffer: PhaseBuffer) async -> [String] {
            var names: [String] = []
            while let phase = await buffer.next() {
                switch phase {
                case .empty: names.append("empty")
                case .loading(let state): names.append("loading \(state.attempt) \(content(state.preview))")
                case .success(let image): names.append("success \(content(image))")
                case .failure(let error): names.append("failure \(error.detail ?? "")")
                }
            }
            return names
        }
        let buffer = PhaseBuffer(.empty)
        buffer.append(.loading(LoadingState(preview: image(1), attempt: 1)))
        buffer.append(.failure(ImageError(.timeout, "a")))
        buffer.append(.success(image(2)))
        buffer.append(.loading(LoadingState(attempt: 2)))
        buffer.append(.loading(LoadingState(attempt: 3)))
        buffer.append(.failure(ImageError(.timeout, "b")))
        buffer.append(.loading(LoadingState(preview: image(3), attempt: 4)))
        buffer.finish()
        #expect(
            await names(buffer) == ["empty", "loading 1 -", "failure a", "loading 3 -", "failure b", "loading 4 3"])
        let long = PhaseBuffer(.empty)
        for number in 1...20 { long.append(.failure(ImageError(.timeout, "\(number)"))) }
        long.finish()
        #expect(await names(long) == (5...20).map { "failure \($0)" })
        let full = PhaseBuffer(.empty)
        for number in 1...15 { full.append(.failure(ImageError(.timeout, "\(number)"))) }
        full.finish()
        #expect(await names(full) == ["empty"] + (1...15).map { "failure \($0)" })
    }

    @Test func `a waiting reader receives the next phase, and the end of the sequence`() async throws {
        let buffer = PhaseBuffer(.empty)
        #expect(await buffer.next()?.kind == .empty)
        let reader = Task { @MainActor in
            var kinds: [NetworkImagePhase.Kind] = []
            while let phase = await buffer.next() { kinds.append(phase.kind) }
            return kinds
        }
        await Task.yield()
        buffer.append(.success(image(1)))
        buffer.append(.failure(error))
        buffer.finish()
        #expect(await reader.value == [.success, .failure])
        #expect(await buffer.next() == nil)
        let cancelled = PhaseBuffer(.empty)
        _ = await cancelled.next()
        let waiting = Task { await cancelled.next()?.kind }
        await Task.yield()
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func `an observer that ends receives nothing more, and the others go on`() {
        let observers = PhaseObservers()
        var received: [String] = []
        var second: ObservationToken?
        let first = observers.add { old, new in
            received.append("first \(old.kind) \(new.kind)")
            // Ends while a change is being reported.
            if new.kind == .failure { second?.cancel() }
        }
        second = observers.add { old, new in received.append("second \(old.kind) \(new.kind)") }
        observers.report(.empty, .loading(LoadingState()))
        observers.report(.loading(LoadingState()), .failure(error))
        observers.report(.failure(error), .empty)
        #expect(
            received == [
                "first empty loading", "second empty loading", "first loading failure", "first failure empty",
            ])
        first.cancel()
        observers.report(.empty, .failure(error))
        #expect(received.count == 4)
        let third = observers.add { old, new in received.append("third \(old.kind) \(new.kind)") }
        observers.report(.empty, .failure(error))
        #expect(received.last == "third empty failure")
        withExtendedLifetime(third) {}
    }

    /// The first observer causes a second change while the first one is being reported.
    @Test func `all observers see changes in the same order`() {
        let observers = PhaseObservers()
        var received: [String] = []
        let error = error
        let first = observers.add { old, new in
            received.append("first \(new.kind)")
            if old.kind == .empty { observers.report(new, .failure(error)) }
        }
        let second = observers.add { _, new in received.append("second \(new.kind)") }
        observers.report(.empty, .loading(LoadingState()))
        #expect(received == ["first loading", "second loading", "first failure", "second failure"])
        observers.report(.failure(error), .loading(LoadingState()))
        #expect(received.suffix(2) == ["first loading", "second loading"])
        withExtendedLifetime((first, second)) {}
    }

    // MARK: Reasons

    @Test func `the reason of a load decides what is shown and used meanwhile`() {
        func parts(_ reason: LoadReason) -> String {
            let flags = [
                (reason.keepsImage, "keeps"), (reason.isBehind, "behind"), (reason.isRetry, "retry"),
                (reason.isDelayed, "delayed"),
            ]
            return ([reason.policy?.rawValue ?? "-"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
        }
        let reasons: [(LoadReason, String)] = [
            (.wanted, "- keeps delayed"), (.changed(keepsImage: true), "- keeps delayed"),
            (.changed(keepsImage: false), "- delayed"), (.reload, "reload keeps delayed"),
            (.retry, "- keeps retry delayed"), (.refinement, "- keeps behind delayed"),
            (.reloadedElsewhere(isInMemory: true), "- keeps behind delayed"),
            (.reloadedElsewhere(isInMemory: false), "revalidate keeps behind delayed"),
            (.stale, "revalidate keeps behind"), (.notStored(isRetry: false), "http keeps behind"),
            (.notStored(isRetry: true), "http keeps behind retry"),
        ]
        for (reason, expected) in reasons { #expect(parts(reason) == expected) }
    }

    // MARK: Waiting

    @Test func `the first result of a promise counts`() async throws {
        let early = Promise<Int>()
        #expect(early.keep(.success(1)))
        #expect(!early.keep(.success(2)))
        #expect(try await early.value == 1)
        let late = Promise<Int>()
        let waiting = Task { try? await late.value }
        await Task.yield()
        #expect(late.keep(.success(3)) && !late.keep(.failure(.cancelled)))
        #expect(await waiting.value == 3)
        let cancelled = Promise<Int>()
        let task = Task { try await cancelled.value }
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
        #expect(!cancelled.keep(.success(4)))
    }

    @Test func `work that takes too long is cancelled and named`() async throws {
        let clock = TestClock()
        let isCancelled = Watched(false)
        let slow = Task {
            try await withTimeLimit(.seconds(3), of: "the album", clock) { () -> Int in
                defer { isCancelled.update { $0 = Task.isCancelled } }
                try await Watched(false).wait { $0 }
                return 1
            }
        }
        try await clock.scheduled(count: 1)
        #expect(clock.nextDelay == .seconds(3))
        clock.advance(by: .seconds(3))
        await #expect(throws: ImageError(.source, "the album took longer than 3.0 seconds")) { try await slow.value }
        try await isCancelled.wait { $0 }
        #expect(try await withTimeLimit(.seconds(1), of: "a", clock) { 2 } == 2)
        let refused = Task {
            try await withTimeLimit(.seconds(1), of: "a", failingWith: .timeout, clock) { () -> Int in
                throw ImageError(.tls)
            }
        }
        await #expect(throws: ImageError(.tls)) { try await refused.value }
        let late = Task {
            try await withTimeLimit(.seconds(1), of: "a", failingWith: .timeout, clock) { () -> Int in
                try await Watched(false).wait { $0 }
                return 1
            }
        }
        try await clock.scheduled(count: 4)
        clock.advance(by: .seconds(1))
        await #expect(throws: ImageError(.timeout, "a took longer than 1.0 seconds")) { try await late.value }
    }
}

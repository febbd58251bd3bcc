import Observation

/// Runs a closure, and runs it again when an `@Observable` value that it read has changed.
///
/// All changes of one turn of the main actor are applied together, in the next one. Observers run
/// in the order of their creation: the closure of a container before those of its children, which
/// it may remove.
@MainActor
final class ValueObserver {
    /// Reads values, and returns what applies them. Reads of the latter are not observed.
    typealias Body = @MainActor () -> (@MainActor () -> Void)

    private static var lastNumber = 0
    private static var waiting: [ValueObserver] = []

    private let number: Int
    private var body: Body?
    /// The number of runs. Changes that an earlier run observed are ignored.
    private var runCount = 0

    init() {
        // Changes are applied by tasks of the main actor.
        MainLoop.installOrExplain(for: "WidgetDeclaration")
        Self.lastNumber += 1
        number = Self.lastNumber
    }

    /// Runs `body`, now and after changes, instead of the body so far.
    func observe(_ body: @escaping Body) {
        self.body = body
        run()
    }

    func end() {
        body = nil
        runCount += 1
    }

    private func run() {
        guard let body else { return }
        runCount += 1
        let run = runCount
        let apply = withObservationTracking {
            body()
        } onChange: { [weak self] in
            Task { @MainActor in self?.changed(in: run) }
        }
        apply()
    }

    private func changed(in run: Int) {
        guard run == runCount else { return }
        // The run that follows does not depend on `run`: a container may run this observer first.
        Self.waiting.append(self)
        guard Self.waiting.count == 1 else { return }
        // The tasks of other observers of the same change are queued before this one.
        Task { @MainActor in Self.runWaiting() }
    }

    private static func runWaiting() {
        let changed = waiting.map { ($0, $0.runCount) }
        waiting = []
        for (observer, run) in changed.sorted(by: { $0.0.number < $1.0.number }) where observer.runCount == run {
            observer.run()
        }
    }
}

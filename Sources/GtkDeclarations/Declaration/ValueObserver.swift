import Observation

/// Stops while its widget is removed, or in a row that shows no item.
@MainActor
protocol Pausable: AnyObject {
    func pause()
    func resume()
}

/// Runs a closure, and runs it again when an `@Observable` value that it read has changed.
///
/// All changes of one turn of the main actor are applied together, in the next one. Observers run
/// in the order of their creation: the closure of a container runs before those of its children,
/// which it may remove.
@MainActor
package final class ValueObserver: Pausable {
    /// Reads values and returns a closure that applies them. Only the reads of the outer closure
    /// are observed.
    package typealias Body = @MainActor () -> (@MainActor () -> Void)

    private static var lastNumber = 0
    private static var waiting: [ValueObserver] = []
    /// Whether a body reads values.
    private static var isReading = false
    /// The observers that began while another body was reading. They run after it, since the reads
    /// of a nested observation count for the outer one, too.
    private static var nested: [ValueObserver] = []

    private let number: Int
    private var body: Body?
    /// The number of runs. Changes that an earlier run observed are ignored.
    private var runCount = 0
    package private(set) var isPaused = false

    package init() {
        // Changes are applied by tasks of the main actor.
        MainLoop.installOrExplain(for: "WidgetDeclaration")
        Self.lastNumber += 1
        number = Self.lastNumber
    }

    /// Runs `body`, now and after changes, instead of the body so far.
    package func observe(_ body: @escaping Body) {
        self.body = body
        isPaused = false
        guard !Self.isReading else { return Self.nested.append(self) }
        run()
    }

    /// Ignores changes until ``resume()``.
    package func pause() {
        isPaused = true
        runCount += 1
    }

    /// Runs the body again after ``pause()``.
    package func resume() {
        guard isPaused else { return }
        isPaused = false
        run()
    }

    private func run() {
        guard let body, !isPaused else { return }
        runCount += 1
        let run = runCount
        let isNested = Self.isReading
        Self.isReading = true
        let apply = withObservationTracking {
            body()
        } onChange: { [weak self] in
            Task { @MainActor in self?.changed(in: run) }
        }
        Self.isReading = isNested
        let begun = Self.nested
        Self.nested = []
        for observer in begun { observer.run() }
        // The body may have been replaced by what it called.
        if run == runCount { apply() }
    }

    private func changed(in run: Int) {
        guard run == runCount else { return }
        // `runWaiting` compares the counts again, since a container may run this observer first.
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

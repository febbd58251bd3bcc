import Logging

/// The changes that a program makes to the configuration of the shared pipeline.
///
/// They are kept until the first use of the pipeline, since the id of the application, which names
/// the folder of the store, is not known when the program starts.
final class SharedConfiguration: Sendable {
    typealias Change = @Sendable (inout ImagePipeline.Configuration) -> Void

    private enum State {
        case open([Change])
        /// The pipeline was made.
        case used
    }

    static let process = SharedConfiguration { Logger(label: "remote-image").critical("\($0)") }

    private let state = Lock(State.open([]))
    private let report: @Sendable (String) -> Void

    /// - Parameter report: Called with the description of a programming error.
    init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    /// Adds a change; after ``finish(_:)``, reports an error instead.
    func add(_ change: @escaping Change) {
        let isAdded = state.withLock { state in
            guard case .open(let changes) = state else { return false }
            state = .open(changes + [change])
            return true
        }
        guard !isAdded else { return }
        report(
            "ImagePipeline.configureShared was called after the first use of ImagePipeline.shared and has no effect. "
                + "Call it when the program starts, before the first view or load.")
    }

    /// Applies all changes in order. Further changes are errors.
    func finish(_ configuration: inout ImagePipeline.Configuration) {
        let changes = state.withLock { state -> [Change] in
            defer { state = .used }
            guard case .open(let changes) = state else { return [] }
            return changes
        }
        for change in changes { change(&configuration) }
    }
}

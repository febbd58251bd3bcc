/// An observation, for example of a cached image, which ends when this object is released.
public final class ObservationToken: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: Ends the observation. Called once, on the thread of the last release.
    public init(_ end: @escaping @Sendable () -> Void = {}) {
        self.end = end
    }

    deinit { end() }
}

/// An observation, for example of a model or of a cached image, which ends with ``cancel()`` or
/// when this object is released.
public final class ObservationToken: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    /// - Parameter end: Ends the observation. Called once, on the thread that cancels or releases.
    public init(_ end: @escaping @Sendable () -> Void = {}) {
        self.end = Lock(end)
    }

    deinit { cancel() }

    /// Ends the observation.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}

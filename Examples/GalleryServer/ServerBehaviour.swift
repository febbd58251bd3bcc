/// The simulated speed and failures of the gallery's server.
public struct ServerBehaviour: Hashable, Sendable {
    public enum Failures: Hashable, Sendable, CaseIterable {
        /// Only the failing exhibits fail.
        case few
        /// Every third image also fails, with status 503.
        case some
        /// All images fail with status 503.
        case all
    }

    /// The transfer rate of each image in bytes per second. Default: `nil`, unlimited.
    public var bytesPerSecond: Int?
    public var failures = Failures.few

    public init() {}

    /// Whether the image with this number fails now.
    func fails(_ number: Int) -> Bool {
        switch failures {
        case .few: false
        case .some: number.isMultiple(of: 3)
        case .all: true
        }
    }
}

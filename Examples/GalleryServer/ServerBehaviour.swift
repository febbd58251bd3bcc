/// How well the gallery's server does, for those who want to see what happens when it does not.
public struct ServerBehaviour: Hashable, Sendable {
    public enum Failures: Hashable, Sendable, CaseIterable {
        /// Only the exhibits that are there to fail.
        case few
        /// 503 for every third image too.
        case some
        /// 503 for everything.
        case all
    }

    /// How much of each image comes in a second; nil, the default, is all of it.
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

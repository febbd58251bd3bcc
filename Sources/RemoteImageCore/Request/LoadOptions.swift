/// When a view loads its image, and what happens to the load when the view leaves the viewport.
public struct LoadOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Load as soon as the view has a source, visible or not.
    public static let loadImmediately = LoadOptions(rawValue: 1 << 0)
    /// Load when the view appears.
    public static let loadOnAppear = LoadOptions(rawValue: 1 << 1)
    /// Cancel a running load when the view disappears.
    public static let cancelOnDisappear = LoadOptions(rawValue: 1 << 2)
    /// Lower a running load to the lowest priority when the view disappears.
    public static let lowerPriorityOnDisappear = LoadOptions(rawValue: 1 << 3)

    /// `loadOnAppear` and `cancelOnDisappear`.
    public static let standard: LoadOptions = [.loadOnAppear, .cancelOnDisappear]
}

/// When a view loads its image, and what happens to the load when the view goes out of sight.
public struct LoadOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// As soon as there is a source, visible or not.
    public static let loadImmediately = LoadOptions(rawValue: 1 << 0)
    /// When the view appears.
    public static let loadOnAppear = LoadOptions(rawValue: 1 << 1)
    /// A load under way is cancelled when the view disappears.
    public static let cancelOnDisappear = LoadOptions(rawValue: 1 << 2)
    /// A load under way goes on at the lowest priority when the view disappears.
    public static let lowerPriorityOnDisappear = LoadOptions(rawValue: 1 << 3)

    /// `loadOnAppear` and `cancelOnDisappear`.
    public static let standard: LoadOptions = [.loadOnAppear, .cancelOnDisappear]
}

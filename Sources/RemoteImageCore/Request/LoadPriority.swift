/// The priority of an image among those that wait to be loaded.
public enum LoadPriority: Int8, Comparable, Hashable, Sendable, CaseIterable {
    case veryLow = -2
    case low = -1
    case normal = 0
    case high = 1
    case veryHigh = 2

    public static func < (left: LoadPriority, right: LoadPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

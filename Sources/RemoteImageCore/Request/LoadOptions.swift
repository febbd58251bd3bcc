/// When a view loads its picture, and what happens to the load when the view goes out of sight.
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

extension ImageOptions {
    private enum LoadOptionsKey: ImageOptionKey {
        static let defaultValue = LoadOptions.standard
    }

    private enum PriorityKey: ImageOptionKey {
        static let defaultValue = LoadPriority.normal
    }

    private enum MaxPixelSizeKey: ImageOptionKey {
        static let defaultValue: Int? = nil
    }

    private enum KeepWhileLoadingKey: ImageOptionKey {
        static let defaultValue = false
    }

    /// When a view loads: ``LoadOptions/standard`` by default.
    public var loadOptions: LoadOptions {
        get { self[LoadOptionsKey.self] }
        set { self[LoadOptionsKey.self] = newValue }
    }

    /// How urgent the picture is: `normal` by default.
    public var priority: LoadPriority {
        get { self[PriorityKey.self] }
        set { self[PriorityKey.self] = newValue }
    }

    /// No more than this many pixels are decoded on the longer side, however large the view; nil, the
    /// default, leaves it to the view. At least 1.
    public var maxPixelSize: Int? {
        get { self[MaxPixelSizeKey.self] }
        set { self[MaxPixelSizeKey.self] = newValue.map { max(1, $0) } }
    }

    /// Whether the picture shown stays while that of another source loads: false by default. A reload
    /// of the same source always keeps it.
    public var keepsImageWhileLoading: Bool {
        get { self[KeepWhileLoadingKey.self] }
        set { self[KeepWhileLoadingKey.self] = newValue }
    }
}

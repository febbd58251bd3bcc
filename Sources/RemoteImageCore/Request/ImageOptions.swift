// How an image is loaded: one value with typed keys, so that each module adds its own.

/// Names one option and its default.
public protocol ImageOptionKey {
    /// The type of the option. Equal values have the same effect.
    associatedtype Value: Sendable & Equatable
    /// The value of options that do not set the key.
    static var defaultValue: Value { get }
}

/// Options of an image. An option that is not set has its key's default, or what is set around.
public struct ImageOptions: Sendable, Equatable {
    private var values: [ObjectIdentifier: any Sendable & Equatable] = [:]

    /// Creates options that set nothing: all of them follow the view, the widgets around it and the
    /// pipeline.
    public init() {}

    /// The value of an option of the program's own.
    public subscript<Key: ImageOptionKey>(key: Key.Type) -> Key.Value {
        get {
            // Most options of most images are not set, and a cast that fails takes its time.
            guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
            return value as? Key.Value ?? Key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Whether no option is set.
    public var isEmpty: Bool { values.isEmpty }

    /// Whether the option is set here, be it to its default.
    public func isSet<Key: ImageOptionKey>(_ key: Key.Type) -> Bool {
        values[ObjectIdentifier(key)] != nil
    }

    /// These options, and where one is not set here that of `outer`.
    public func merged(over outer: ImageOptions) -> ImageOptions {
        if outer.values.isEmpty { return self }
        if values.isEmpty { return outer }
        var merged = outer
        merged.values.merge(values) { _, mine in mine }
        return merged
    }

    public static func == (left: ImageOptions, right: ImageOptions) -> Bool {
        left.values.count == right.values.count
            && left.values.allSatisfy { key, value in
                right.values[key].map { isEqual(value, $0) } ?? false
            }
    }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
    left == right as? Value
}

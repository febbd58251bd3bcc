// How an image is loaded: one value with typed keys, so that each module can add its own options.

/// The key of one option, with the option's default.
public protocol ImageOptionKey {
    /// The type of the option. Equal values have the same effect.
    associatedtype Value: Sendable & Equatable
    /// The value of the option where it is not set.
    static var defaultValue: Value { get }
}

/// Options of an image. An option that is not set inherits its value from the enclosing options,
/// and finally from the key's default.
public struct ImageOptions: Sendable, Equatable {
    private var values: [ObjectIdentifier: any Sendable & Equatable] = [:]

    /// Creates options that set nothing: all are inherited from the view, the widgets around it and
    /// the pipeline.
    public init() {}

    /// The value of a custom option.
    public subscript<Key: ImageOptionKey>(key: Key.Type) -> Key.Value {
        get {
            // The lookup comes first: most options are not set, and a failing cast is slow.
            guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
            return value as? Key.Value ?? Key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Whether no option is set.
    public var isEmpty: Bool { values.isEmpty }

    /// Whether the option is set here, even to its default.
    public func isSet<Key: ImageOptionKey>(_ key: Key.Type) -> Bool {
        values[ObjectIdentifier(key)] != nil
    }

    /// Removes an option, which then inherits its value again.
    mutating func unset<Key: ImageOptionKey>(_ key: Key.Type) { values[ObjectIdentifier(key)] = nil }

    /// These options, with those of `outer` where an option is not set here.
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

// The properties of GObject classes that are written in Swift. Each class has one table, which
// GObject's property functions use.

import CRemoteImageGtk

/// One property: its specification, and how it is read and written.
package struct ObjectProperty<Owner: ObjectState>: Sendable {
    package typealias Path<Value> = WritableKeyPath<Owner.Properties, Value> & Sendable

    let name: String
    /// Makes the specification. The initial values of the owner are the defaults.
    let makeSpec: @Sendable (_ initial: Owner.Properties, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?
    private(set) var read: @MainActor @Sendable (Owner, UnsafeMutablePointer<GValue>) -> Void
    /// Returns whether the value has changed. `nil` for a read-only property.
    package var write: (@MainActor @Sendable (Owner, UnsafePointer<GValue>) -> Bool)?
    /// Whether the property is set only when an object is created.
    var isConstructOnly = false

    package static func writable<Value: Equatable & SendableMetatype>(
        _ name: String, _ type: PropertyType<Value>, _ path: Path<Value>
    ) -> ObjectProperty {
        ObjectProperty(
            name: name, makeSpec: { type.makeSpec(name, $0[keyPath: path], $1) },
            read: { owner, value in type.set(owner.properties[keyPath: path], value) },
            write: { owner, value in
                let (old, new) = (owner.properties[keyPath: path], type.get(value))
                guard old != new else { return false }
                owner.properties[keyPath: path] = new
                // An owner may refuse a value.
                return owner.properties[keyPath: path] != old
            })
    }

    /// - Parameter initial: The value of a new object.
    package static func readOnly<Value>(
        _ name: String, _ type: PropertyType<Value>, initially initial: @autoclosure @escaping @Sendable () -> Value,
        _ read: @escaping @MainActor @Sendable (Owner) -> Value
    ) -> ObjectProperty {
        ObjectProperty(
            name: name, makeSpec: { _, flags in type.makeSpec(name, initial(), flags) },
            read: { owner, value in type.set(read(owner), value) })
    }

    /// The property, which reads as another value than the one that was set.
    package func reading<Value>(
        _ type: PropertyType<Value>, _ read: @escaping @MainActor @Sendable (Owner) -> Value
    ) -> ObjectProperty {
        var property = self
        property.read = { owner, value in type.set(read(owner), value) }
        return property
    }

    /// The property, set only when an object is created.
    package func constructOnly() -> ObjectProperty {
        var property = self
        property.isConstructOnly = true
        return property
    }
}

/// How GObject specifies the values of a type, and how a `GValue` holds them.
package struct PropertyType<Value>: Sendable {
    let makeSpec: @Sendable (_ name: String, _ initial: Value, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?
    let set: @Sendable (Value, UnsafeMutablePointer<GValue>) -> Void
    let get: @Sendable (UnsafePointer<GValue>) -> Value
}

extension PropertyType<String?> {
    package static var string: Self {
        Self(
            makeSpec: { g_param_spec_string($0, nil, nil, $1, $2) }, set: { g_value_set_string($1, $0) },
            get: { g_value_get_string($0).map { String(cString: $0) } })
    }
}

extension PropertyType<[String]> {
    package static var strings: Self {
        Self(
            makeSpec: { name, _, flags in g_param_spec_boxed(name, nil, nil, shim_type_strv(), flags) },
            set: { strings, value in g_value_take_boxed(value, StringVector.make(strings)) },
            get: { StringVector.strings(g_value_get_boxed($0)) })
    }
}

extension PropertyType<Bool> {
    package static var boolean: Self {
        Self(
            makeSpec: { g_param_spec_boolean($0, nil, nil, $1 ? 1 : 0, $2) },
            set: { g_value_set_boolean($1, $0 ? 1 : 0) }, get: { g_value_get_boolean($0) != 0 })
    }
}

extension PropertyType<UnsafeMutablePointer<GError>?> {
    static var error: Self {
        Self(
            makeSpec: { name, _, flags in g_param_spec_boxed(name, nil, nil, shim_type_error(), flags) },
            set: { g_value_set_boxed($1, $0) },
            get: { g_value_get_boxed($0)?.assumingMemoryBound(to: GError.self) })
    }
}

extension PropertyType {
    package static func integer(_ range: ClosedRange<Int32>) -> Self where Value == Int32 {
        Self(
            makeSpec: { g_param_spec_int($0, nil, nil, range.lowerBound, range.upperBound, $1, $2) },
            set: { g_value_set_int($1, $0) }, get: { g_value_get_int($0) })
    }

    static func long(_ range: ClosedRange<Int64>) -> Self where Value == Int64 {
        Self(
            makeSpec: {
                g_param_spec_int64($0, nil, nil, gint64(range.lowerBound), gint64(range.upperBound), gint64($1), $2)
            },
            set: { g_value_set_int64($1, gint64($0)) }, get: { Int64(g_value_get_int64($0)) })
    }

    package static func double(_ range: ClosedRange<Double>) -> Self where Value == Double {
        Self(
            makeSpec: { g_param_spec_double($0, nil, nil, range.lowerBound, range.upperBound, $1, $2) },
            set: { g_value_set_double($1, $0) }, get: { g_value_get_double($0) })
    }

    package static func enumeration(_ type: GType) -> Self where Value == Int32 {
        Self(
            makeSpec: { g_param_spec_enum($0, nil, nil, type, $1, $2) },
            set: { g_value_set_enum($1, $0) }, get: { g_value_get_enum($0) })
    }

    static func flags(_ type: GType) -> Self where Value == UInt32 {
        Self(
            makeSpec: { g_param_spec_flags($0, nil, nil, type, $1, $2) },
            set: { g_value_set_flags($1, $0) }, get: { g_value_get_flags($0) })
    }

    package static func object(_ type: GType) -> Self where Value == ObjectSlot {
        Self(
            makeSpec: { name, _, flags in g_param_spec_object(name, nil, nil, type, flags) },
            set: { g_value_set_object($1, $0.pointer) }, get: { ObjectSlot(g_value_get_object($0)) })
    }
}

/// A strong reference to the object of a property, compared by address.
package struct ObjectSlot: Equatable {
    private let reference: ObjectReference?

    package init(_ pointer: UnsafeMutableRawPointer?) {
        reference = pointer.map { ObjectReference(sinking: $0) }
    }

    /// The object of a property that programs only read. A floating reference stays theirs.
    package init(borrowing pointer: UnsafeMutableRawPointer?) {
        reference = pointer.map { ObjectReference(borrowing: $0) }
    }

    package var pointer: UnsafeMutableRawPointer? { reference?.pointer }

    package static func == (left: ObjectSlot, right: ObjectSlot) -> Bool { left.pointer == right.pointer }
}

/// `NULL`-terminated arrays of C strings.
package enum StringVector {
    /// Makes a copy. The caller frees it with `g_strfreev`.
    package static func make(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        let size = gsize((strings.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)
        let vector = g_malloc0(size)?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        for (index, string) in strings.enumerated() { vector?[index] = g_strdup(string) }
        return vector
    }

    package static func strings(_ vector: UnsafeRawPointer?) -> [String] {
        guard let vector = vector?.assumingMemoryBound(to: UnsafePointer<CChar>?.self) else { return [] }
        var strings: [String] = []
        while let string = vector[strings.count] { strings.append(String(cString: string)) }
        return strings
    }
}

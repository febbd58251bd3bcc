// The properties of GObject classes that are written in Swift. Each class has one table, which
// GObject's property functions use.

import CRemoteImageGtk

/// One property: its specification, and how it is read and written.
struct ObjectProperty<Owner: ObjectState>: Sendable {
    typealias Path<Value> = WritableKeyPath<Owner.Properties, Value> & Sendable

    let name: String
    let makeSpec: @Sendable (_ name: String, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?
    let read: @MainActor @Sendable (Owner, UnsafeMutablePointer<GValue>) -> Void
    /// Returns whether the value has changed. `nil` for a read-only property.
    var write: (@MainActor @Sendable (Owner, UnsafePointer<GValue>) -> Bool)?
    /// Whether the property is set only when an object is created.
    var isConstructOnly = false

    /// The property, set only when an object is created.
    func constructOnly() -> ObjectProperty {
        var property = self
        property.isConstructOnly = true
        return property
    }

    private static func declared<Value: Equatable>(
        _ name: String, _ path: Path<Value>,
        makeSpec: @escaping @Sendable (String, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?,
        read: @escaping @Sendable (Value, UnsafeMutablePointer<GValue>) -> Void,
        write: @escaping @Sendable (UnsafePointer<GValue>) -> Value
    ) -> ObjectProperty {
        ObjectProperty(
            name: name, makeSpec: makeSpec,
            read: { owner, value in read(owner.properties[keyPath: path], value) },
            write: { owner, value in
                let (old, new) = (owner.properties[keyPath: path], write(value))
                guard old != new else { return false }
                owner.properties[keyPath: path] = new
                // An owner may refuse a value.
                return owner.properties[keyPath: path] != old
            })
    }

    // MARK: Kinds of values

    /// A text, by default `NULL`.
    static func string(_ name: String, _ path: Path<String?>, default initial: String? = nil) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_string($0, nil, nil, initial, $1) },
            read: { g_value_set_string($1, $0) },
            write: { g_value_get_string($0).map { String(cString: $0) } })
    }

    /// A list of texts. Default: empty.
    static func strings(_ name: String, _ path: Path<[String]>) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_boxed($0, nil, nil, shim_type_strv(), $1) },
            read: { strings, value in g_value_take_boxed(value, StringVector.make(strings)) },
            write: { StringVector.strings(g_value_get_boxed($0)) })
    }

    static func boolean(_ name: String, _ path: Path<Bool>, default initial: Bool = false) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_boolean($0, nil, nil, initial ? 1 : 0, $1) },
            read: { g_value_set_boolean($1, $0 ? 1 : 0) },
            write: { g_value_get_boolean($0) != 0 })
    }

    static func integer(
        _ name: String, _ path: Path<Int32>, in range: ClosedRange<Int32>, default initial: Int32
    ) -> ObjectProperty {
        declared(
            name, path,
            makeSpec: { g_param_spec_int($0, nil, nil, range.lowerBound, range.upperBound, initial, $1) },
            read: { g_value_set_int($1, $0) }, write: { g_value_get_int($0) })
    }

    static func long(
        _ name: String, _ path: Path<Int64>, in range: ClosedRange<Int64>, default initial: Int64
    ) -> ObjectProperty {
        declared(
            name, path,
            makeSpec: {
                g_param_spec_int64(
                    $0, nil, nil, gint64(range.lowerBound), gint64(range.upperBound), gint64(initial), $1)
            },
            read: { g_value_set_int64($1, gint64($0)) }, write: { Int64(g_value_get_int64($0)) })
    }

    static func double(
        _ name: String, _ path: Path<Double>, in range: ClosedRange<Double>, default initial: Double
    ) -> ObjectProperty {
        declared(
            name, path,
            makeSpec: { g_param_spec_double($0, nil, nil, range.lowerBound, range.upperBound, initial, $1) },
            read: { g_value_set_double($1, $0) }, write: { g_value_get_double($0) })
    }

    static func enumeration(
        _ name: String, _ path: Path<Int32>, _ type: @escaping @Sendable () -> GType, default initial: Int32
    ) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_enum($0, nil, nil, type(), initial, $1) },
            read: { g_value_set_enum($1, $0) }, write: { g_value_get_enum($0) })
    }

    static func flags(
        _ name: String, _ path: Path<UInt32>, _ type: @escaping @Sendable () -> GType, default initial: UInt32
    ) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_flags($0, nil, nil, type(), initial, $1) },
            read: { g_value_set_flags($1, $0) }, write: { g_value_get_flags($0) })
    }

    /// An object. Default: `NULL`.
    static func object(
        _ name: String, _ path: Path<ObjectSlot>, _ type: @escaping @Sendable () -> GType
    ) -> ObjectProperty {
        declared(
            name, path, makeSpec: { g_param_spec_object($0, nil, nil, type(), $1) },
            read: { g_value_set_object($1, $0.pointer) },
            write: { ObjectSlot(g_value_get_object($0)) })
    }

    /// A read-only property.
    static func readOnly(
        _ name: String, _ makeSpec: @escaping @Sendable (String, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?,
        _ read: @escaping @MainActor @Sendable (Owner, UnsafeMutablePointer<GValue>) -> Void
    ) -> ObjectProperty {
        ObjectProperty(name: name, makeSpec: makeSpec, read: read, write: nil)
    }
}

/// A strong reference to the object of a property, compared by address.
package struct ObjectSlot: Equatable {
    private let reference: ObjectReference?

    package init(_ pointer: UnsafeMutableRawPointer?) {
        reference = pointer.map { ObjectReference(sinking: $0) }
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

// Access to the objects that C callers pass: checks of the object and the thread, and texts that
// the caller reads without owning them. For a pointer to another type or a call on another thread,
// the functions log a critical message with the name of the C function and do nothing else.

import CRemoteImageGtk
import RemoteImageGtk

typealias View = RemoteImageViewState

extension StaticString {
    /// The name of a C function whose `#function` this is.
    var functionName: String { String("\(self)".prefix { $0 != "(" }) }
}

extension ObjectState {
    /// Calls `body` on the main actor.
    ///
    /// - Parameter name: The name of the parameter, for the message.
    nonisolated static func with<Result>(
        _ pointer: OpaquePointer?, default fallback: Result, as name: StaticString = "self",
        function: StaticString = #function, _ body: @MainActor (Self) -> Result
    ) -> Result {
        guard let checked = check(pointer, function, as: name) else { return fallback }
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let object = checked
        nonisolated(unsafe) var result = fallback
        MainActor.assumeIsolated { result = body(of(object)) }
        return result
    }

    /// Sets a text, string-list or object property. GObject warns about invalid values.
    nonisolated static func set(
        _ pointer: OpaquePointer?, _ property: String, _ value: UnsafeRawPointer?, function: StaticString = #function
    ) {
        if let object = check(pointer, function) { shim_set_pointer(object, property, value) }
    }

    /// Sets a number, boolean, enumeration or flags property. GObject warns about invalid values.
    nonisolated static func set(
        _ pointer: OpaquePointer?, _ property: String, number: Int32, function: StaticString = #function
    ) {
        if let object = check(pointer, function) { shim_set_number(object, property, number) }
    }

    /// Sets a property that is a number with a fraction. GObject warns about invalid values.
    nonisolated static func set(
        _ pointer: OpaquePointer?, _ property: String, double: Double, function: StaticString = #function
    ) {
        if let object = check(pointer, function) { shim_set_double(object, property, double) }
    }

    /// Returns the object if it has the type and can be used on this thread.
    nonisolated private static func check(
        _ pointer: OpaquePointer?, _ function: StaticString, as name: StaticString = "self"
    ) -> UnsafeMutableRawPointer? {
        guard MainLoop.isUsable(in: function.functionName) else { return nil }
        let object = pointer.map { UnsafeMutableRawPointer($0) }
        guard shim_is_a(object, type) != 0 else {
            shim_critical("\(function.functionName): \(name) is no \(typeName)")
            return nil
        }
        return object
    }
}

extension ObjectState {
    /// Returns a copy that the object owns until it is read with another value.
    nonisolated static func string(
        _ pointer: OpaquePointer?, _ name: String, function: StaticString = #function,
        _ read: @MainActor (Self) -> String?
    ) -> UnsafePointer<CChar>? {
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let object = pointer
        return with(pointer, default: nil, function: function) { state in
            object.flatMap { KeptText.keep(read(state), as: name, on: UnsafeMutablePointer($0)) }
        }
    }

    /// Returns a copy that the object owns until it is read with another value.
    nonisolated static func strings(
        _ pointer: OpaquePointer?, _ name: String, function: StaticString = #function,
        _ read: @MainActor (Self) -> [String]
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let object = pointer
        return with(pointer, default: nil, function: function) { state in
            object.flatMap { KeptText.keep(read(state), as: name, on: UnsafeMutablePointer($0)) }
        }
    }
}

extension ImageObject {
    nonisolated static func value<Value>(
        _ pointer: OpaquePointer?, _ path: KeyPath<ImageProperties, Value> & Sendable, default fallback: Value,
        function: StaticString = #function
    ) -> Value {
        with(pointer, default: fallback, function: function) { $0.properties[keyPath: path] }
    }

    nonisolated static func object(
        _ pointer: OpaquePointer?, _ path: KeyPath<ImageProperties, ObjectSlot> & Sendable,
        function: StaticString = #function
    ) -> UnsafeMutableRawPointer? {
        with(pointer, default: nil, function: function) { $0.properties[keyPath: path].pointer }
    }

    /// Returns a copy that the object owns until the property is read with another value.
    nonisolated static func string(
        _ pointer: OpaquePointer?, _ property: String, _ path: KeyPath<ImageProperties, String?> & Sendable,
        function: StaticString = #function
    ) -> UnsafePointer<CChar>? {
        with(pointer, default: nil, function: function) {
            KeptText.keep($0.properties[keyPath: path], as: property, on: $0.object)
        }
    }

    nonisolated static func strings(
        _ pointer: OpaquePointer?, _ property: String, _ path: KeyPath<ImageProperties, [String]> & Sendable,
        function: StaticString = #function
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        with(pointer, default: nil, function: function) {
            KeptText.keep($0.properties[keyPath: path], as: property, on: $0.object)
        }
    }
}

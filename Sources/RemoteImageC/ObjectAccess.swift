// Common code of the C functions: checks of the object and the thread, and strings that the C
// caller reads without owning them.

import CGtk
import RemoteImageGtk

/// Access to the view behind a C pointer. For a pointer to another type or a call on another
/// thread, the functions log a critical message and do nothing.
enum View {
    /// Calls `body` on the main actor.
    static func with<Result>(
        _ pointer: OpaquePointer?, _ function: StaticString, default fallback: Result,
        _ body: @MainActor (RemoteImageViewState) -> Result
    ) -> Result {
        guard let pointer = Instance.check(pointer, RemoteImageViewState.type, "\(function)") else { return fallback }
        return Instance.onMain(pointer) { body(RemoteImageViewState.of($0)) }
    }

    /// Sets a text, string-list or object property. GObject warns about invalid values.
    static func set(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String, _ value: UnsafeRawPointer?
    ) {
        guard let view = Instance.check(pointer, RemoteImageViewState.type, "\(function)") else { return }
        shim_set_pointer(view, property, value)
    }

    /// Sets a number, boolean, enumeration or flags property. GObject warns about invalid values.
    static func set(_ pointer: OpaquePointer?, _ function: StaticString, _ property: String, number: Int32) {
        guard let view = Instance.check(pointer, RemoteImageViewState.type, "\(function)") else { return }
        shim_set_number(view, property, number)
    }

    static func value<Value>(
        _ pointer: OpaquePointer?, _ function: StaticString, _ path: KeyPath<ImageProperties, Value> & Sendable,
        default fallback: Value
    ) -> Value {
        with(pointer, function, default: fallback) { $0.properties[keyPath: path] }
    }

    /// Returns a copy that the view owns until the property is read with another value.
    static func string(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String,
        _ path: KeyPath<ImageProperties, String?> & Sendable
    ) -> UnsafePointer<CChar>? {
        with(pointer, function, default: nil) { view in
            Instance.keep(view.properties[keyPath: path], as: property, in: view.object)
        }
    }

    static func strings(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String,
        _ path: KeyPath<ImageProperties, [String]> & Sendable
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        with(pointer, function, default: nil) { view in
            Instance.keep(view.properties[keyPath: path], as: property, in: view.object)
        }
    }

    static func object(
        _ pointer: OpaquePointer?, _ function: StaticString, _ path: KeyPath<ImageProperties, ObjectSlot> & Sendable
    ) -> UnsafeMutableRawPointer? {
        with(pointer, function, default: nil) { $0.properties[keyPath: path].pointer }
    }
}

/// Checks and access for objects that C callers pass.
enum Instance {
    /// Returns the object if it has the type and can be used on this thread; else logs a critical
    /// message and returns `nil`.
    static func check(
        _ pointer: OpaquePointer?, _ type: GType, _ function: @autoclosure () -> String
    ) -> UnsafeMutableRawPointer? {
        guard MainLoop.isUsable(in: function()) else { return nil }
        let object = pointer.map { UnsafeMutableRawPointer($0) }
        guard shim_is_a(object, type) != 0 else {
            shim_critical("\(function()): self is no \(String(cString: g_type_name(type)))")
            return nil
        }
        return object
    }

    /// Runs `body` on the main actor. The caller has checked that this is the main thread.
    static func onMain<Result>(
        _ pointer: UnsafeMutableRawPointer, _ body: @MainActor (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        // The pointer never leaves this call.
        nonisolated(unsafe) let object = pointer
        return withoutActuallyEscaping(body) { body in
            MainActor.assumeIsolated { Returned(value: body(object)) }.value
        }
    }

    /// A result that the main actor returns on the main thread.
    private struct Returned<Value>: @unchecked Sendable {
        // Unchecked: the value never leaves the main thread.
        let value: Value
    }

    /// Returns a copy of a text. The object owns the copy until this is called with another text.
    static func keep(
        _ text: String?, as name: String, in object: UnsafeMutablePointer<GObject>
    ) -> UnsafePointer<CChar>? {
        let kept = g_object_get_qdata(object, quark(name))?.assumingMemoryBound(to: CChar.self)
        if let kept, let text, text == String(cString: kept) { return UnsafePointer(kept) }
        let copy = text.flatMap { g_strdup($0) }
        g_object_set_qdata_full(object, quark(name), copy, g_free)
        return copy.map { UnsafePointer($0) }
    }

    static func keep(
        _ texts: [String], as name: String, in object: UnsafeMutablePointer<GObject>
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        guard !texts.isEmpty else { return nil }
        let kept = UnsafeRawPointer(g_object_get_qdata(object, quark(name)))
        if let kept, StringVector.strings(kept) == texts {
            return kept.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
        }
        let copy = StringVector.make(texts)
        g_object_set_qdata_full(object, quark(name), copy) { vector in
            g_strfreev(vector?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self))
        }
        return copy.map { UnsafeRawPointer($0).assumingMemoryBound(to: UnsafePointer<CChar>?.self) }
    }

    private static func quark(_ name: String) -> GQuark { g_quark_from_string("remote-image-\(name)") }
}

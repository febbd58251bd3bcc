// What the functions of the widget have in common: the check of the object and of the thread, and strings that C gets to
// read without owning them.

import CGtk
import RemoteImageGtk

/// Access to the widget behind a pointer of C. A pointer to something else, or a call on another thread, is told in a
/// critical message and does nothing.
enum View {
    /// Calls `body` on the main actor.
    static func with<Result>(
        _ pointer: OpaquePointer?, _ function: StaticString, default fallback: Result,
        _ body: @MainActor (ViewObject) -> Result
    ) -> Result {
        guard let pointer = Instance.check(pointer, RemoteImageViewType.type, "\(function)") else { return fallback }
        return Instance.onMain(pointer) { body(ViewObject.of($0)) }
    }

    /// Sets a property: a text, a list of texts or an object. GObject warns of what it does not take.
    static func set(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String, _ value: UnsafeRawPointer?
    ) {
        guard let view = Instance.check(pointer, RemoteImageViewType.type, "\(function)") else { return }
        shim_set_pointer(view, property, value)
    }

    /// Sets a property: a number, a truth value, an enumeration or flags. GObject warns of what it does not take.
    static func set(_ pointer: OpaquePointer?, _ function: StaticString, _ property: String, number: Int32) {
        guard let view = Instance.check(pointer, RemoteImageViewType.type, "\(function)") else { return }
        shim_set_number(view, property, number)
    }

    static func value<Value>(
        _ pointer: OpaquePointer?, _ function: StaticString, _ path: KeyPath<ImageDeclaration, Value> & Sendable,
        default fallback: Value
    ) -> Value {
        with(pointer, function, default: fallback) { $0.declaration[keyPath: path] }
    }

    /// The widget keeps the text until it is asked for another one.
    static func string(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String,
        _ path: KeyPath<ImageDeclaration, String?> & Sendable
    ) -> UnsafePointer<CChar>? {
        with(pointer, function, default: nil) { view in
            Instance.keep(view.declaration[keyPath: path], as: property, in: view.object)
        }
    }

    static func strings(
        _ pointer: OpaquePointer?, _ function: StaticString, _ property: String,
        _ path: KeyPath<ImageDeclaration, [String]> & Sendable
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        with(pointer, function, default: nil) { view in
            Instance.keep(view.declaration[keyPath: path], as: property, in: view.object)
        }
    }

    static func object(
        _ pointer: OpaquePointer?, _ function: StaticString, _ path: KeyPath<ImageDeclaration, ObjectSlot> & Sendable
    ) -> UnsafeMutableRawPointer? {
        with(pointer, function, default: nil) { $0.declaration[keyPath: path].pointer }
    }
}

/// Objects that C hands over.
enum Instance {
    /// The object, where it is of the type and can be used on this thread.
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

    /// Runs `body` as the main actor, which the thread has been checked to be.
    static func onMain<Result>(
        _ pointer: UnsafeMutableRawPointer, _ body: @MainActor (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        // Neither leaves this call.
        nonisolated(unsafe) let object = pointer
        return withoutActuallyEscaping(body) { body in
            MainActor.assumeIsolated { Returned(value: body(object)) }.value
        }
    }

    /// What the main actor gives to its own thread.
    private struct Returned<Value>: @unchecked Sendable {
        // Unchecked: it never leaves the thread that it was made on.
        let value: Value
    }

    /// A copy of a text that the object owns, until the text is another one and is asked for.
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

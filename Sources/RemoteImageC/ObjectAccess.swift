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
        let object = pointer.map { UnsafeMutableRawPointer($0) }
        guard canUse(object, type, as: name, in: function.functionName), let object else { return fallback }
        // Neither leaves this call, which is on the main thread.
        nonisolated(unsafe) let checked = object
        nonisolated(unsafe) var result = fallback
        MainActor.assumeIsolated { result = body(of(checked)) }
        return result
    }

    /// Returns a copy that the object owns until it is read with another value.
    nonisolated static func string(
        _ pointer: OpaquePointer?, _ name: String, function: StaticString = #function,
        _ read: @MainActor (Self) -> String?
    ) -> UnsafePointer<CChar>? {
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let object = pointer.map { UnsafeMutableRawPointer($0) }
        return with(pointer, default: nil, function: function) { state in
            shim_keep_text(object, "remote-image-\(name)", read(state).flatMap { g_strdup($0) })
        }
    }

    /// Returns a copy that the object owns until it is read with another value; `nil` for no texts.
    nonisolated static func strings(
        _ pointer: OpaquePointer?, _ name: String, function: StaticString = #function,
        _ read: @MainActor (Self) -> [String]
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        // Never leaves this call, which is on the main thread.
        nonisolated(unsafe) let object = pointer.map { UnsafeMutableRawPointer($0) }
        return with(pointer, default: nil, function: function) { state in
            shim_keep_texts(object, "remote-image-\(name)", StringVector.make(read(state)))
        }
    }
}

/// Whether an object has the type and can be used on this thread.
///
/// - Parameter name: The name of the parameter, for the message.
private func canUse(
    _ object: gpointer?, _ type: @autoclosure () -> GType, as name: StaticString = "self",
    in function: @autoclosure () -> String
) -> Bool {
    guard MainLoop.isUsable(in: function()) else { return false }
    guard shim_is_a(object, type()) != 0 else {
        shim_critical("\(function()): \(name) is no \(String(cString: g_type_name(type())))")
        return false
    }
    return true
}

/// The check of the accessors in `CRemoteImage`.
@c(remote_image_can_use)
public func canUse(
    _ object: gpointer?, _ type: @convention(c) () -> GType, _ function: UnsafePointer<CChar>
) -> gboolean {
    canUse(object, type(), in: String(cString: function)) ? 1 : 0
}

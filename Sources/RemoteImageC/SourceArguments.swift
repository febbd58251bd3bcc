// The arguments of the functions that make sources. A wrong argument logs a critical message with
// the name of the C function.

import CRemoteImage
import CRemoteImageGtk
import RemoteImageGtk

enum SourceArguments {
    /// Makes an object for a source, which the caller releases.
    static func make(_ source: ImageSource?, function: StaticString = #function) -> OpaquePointer? {
        guard let source, MainLoop.isUsable(in: function.functionName) else { return nil }
        nonisolated(unsafe) var object: OpaquePointer?  // Never leaves this call, which is on the main thread.
        MainActor.assumeIsolated { object = OpaquePointer(SourceObject.make(source)) }
        return object
    }

    static func text(_ text: UnsafePointer<CChar>?) -> String { optional(text) ?? "" }

    static func optional(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

    /// The identity of a source; `nil` without one, since different images would then be one.
    static func identity(_ identity: UnsafePointer<CChar>?, function: StaticString = #function) -> String? {
        let text = text(identity)
        if text.isEmpty { shim_critical("\(function.functionName): identity is missing") }
        return text.isEmpty ? nil : text
    }

    /// A copy of a `GBytes`.
    static func bytes(_ bytes: OpaquePointer?, function: StaticString = #function) -> [UInt8]? {
        if bytes == nil { shim_critical("\(function.functionName): bytes is NULL") }
        return bytes.map { [UInt8](gbytes: $0) }
    }

    /// The options of a service; the defaults for `NULL`.
    static func options(_ pointer: OpaquePointer?, function: StaticString = #function) -> SizeOptions? {
        guard let pointer else { return SizeOptions() }
        return SizeOptionsObject.with(pointer, default: nil, as: "options", function: function) { $0.properties }
    }

    static func source(
        _ pointer: OpaquePointer?, as name: StaticString = "source", function: StaticString = #function
    ) -> ImageSource? {
        SourceObject.with(pointer, default: nil, as: name, function: function) { $0.source }
    }

    static func sources(
        _ pointers: UnsafePointer<OpaquePointer?>?, _ count: gsize, function: StaticString = #function
    ) -> [ImageSource]? {
        var sources: [ImageSource] = []
        for index in 0..<Int(clamping: count) {
            let pointer = pointers.flatMap { $0[index] }
            guard let source = source(pointer, as: "an element of sources", function: function) else { return nil }
            sources.append(source)
        }
        return sources
    }
}

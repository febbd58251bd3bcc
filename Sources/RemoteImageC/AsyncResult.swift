// The results of the finish functions of asynchronous calls.

import CRemoteImageGtk
import RemoteImageGtk

enum AsyncResult {
    /// The object or memory of a result. The caller releases it.
    static func pointer(
        _ source: OpaquePointer?, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?, function: StaticString = #function
    ) -> gpointer? {
        isOne(result, of: source, function) ? g_task_propagate_pointer(result, error) : nil
    }

    /// The number of a result, or -1 with an error.
    static func count(
        _ source: OpaquePointer?, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?, function: StaticString = #function
    ) -> gssize {
        isOne(result, of: source, function) ? g_task_propagate_int(result, error) : -1
    }

    /// The source tag of the results of an asynchronous function and its finish function.
    static func tag(of function: StaticString) -> gpointer? {
        g_intern_string(call(of: function)).map { UnsafeMutableRawPointer(mutating: $0) }
    }

    /// The name without `_async` or `_finish`.
    private static func call(of function: StaticString) -> String {
        let words = function.functionName.split(separator: "_")
        return words.dropLast().joined(separator: "_")
    }

    private static func isOne(_ result: OpaquePointer?, of source: OpaquePointer?, _ function: StaticString) -> Bool {
        let isValid =
            g_task_is_valid(result.map { UnsafeMutableRawPointer($0) }, source.map { UnsafeMutableRawPointer($0) }) != 0
            && g_task_get_source_tag(result) == tag(of: function)
        if !isValid {
            shim_critical(
                "\(function.functionName): the result is not that of \(call(of: function))_async() on this object")
        }
        return isValid
    }
}

// The results of the finish functions of asynchronous calls.

import CGtk
import RemoteImageGtk

enum AsyncResult {
    /// The object or memory of a result. The caller releases it.
    static func pointer(
        _ source: OpaquePointer?, _ call: StaticString, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gpointer? {
        guard isOne(result, of: source, call) else { return nil }
        return g_task_propagate_pointer(result, error)
    }

    /// The number of a result, or -1 with an error.
    static func count(
        _ source: OpaquePointer?, _ call: StaticString, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gssize {
        guard isOne(result, of: source, call) else { return -1 }
        return g_task_propagate_int(result, error)
    }

    /// The source tag of the results of a call, such as `remote_image_pipeline_load_texture`.
    static func tag(of call: StaticString) -> gpointer? {
        g_intern_string("\(call)").map { UnsafeMutableRawPointer(mutating: $0) }
    }

    private static func isOne(_ result: OpaquePointer?, of source: OpaquePointer?, _ call: StaticString) -> Bool {
        let isValid =
            g_task_is_valid(result.map { UnsafeMutableRawPointer($0) }, source.map { UnsafeMutableRawPointer($0) }) != 0
            && g_task_get_source_tag(result) == tag(of: call)
        if !isValid { shim_critical("\(call)_finish: the result is not that of \(call)_async() on this object") }
        return isValid
    }
}

// The ends of asynchronous calls: what the finish functions give.

import CGtk
import RemoteImageGtk

enum AsyncResult {
    /// An object or other memory, the caller's to release.
    static func pointer(
        _ source: OpaquePointer?, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gpointer? {
        guard isOne(result, of: source) else { return nil }
        return g_task_propagate_pointer(result, error)
    }

    /// A number, -1 with an error.
    static func count(
        _ source: OpaquePointer?, _ result: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gssize {
        guard isOne(result, of: source) else { return -1 }
        return g_task_propagate_int(result, error)
    }

    private static func isOne(_ result: OpaquePointer?, of source: OpaquePointer?) -> Bool {
        let isValid = g_task_is_valid(
            result.map { UnsafeMutableRawPointer($0) }, source.map { UnsafeMutableRawPointer($0) })
        if isValid == 0 { shim_critical("The result is not one of a call on this pipeline.") }
        return isValid != 0
    }
}

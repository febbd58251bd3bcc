import CRemoteImageGtk
import RemoteImageGtk

/// Copies of texts that C callers read without owning them.
@MainActor
enum KeptText {
    /// Returns a copy that `object` owns until another text is kept under `name`.
    static func keep(
        _ text: String?, as name: String, on object: UnsafeMutablePointer<GObject>
    ) -> UnsafePointer<CChar>? {
        let quark = quark(name)
        let kept = g_object_get_qdata(object, quark)?.assumingMemoryBound(to: CChar.self)
        if let kept, let text, text == String(cString: kept) { return UnsafePointer(kept) }
        let copy = text.flatMap { g_strdup($0) }
        g_object_set_qdata_full(object, quark, copy, g_free)
        return copy.map { UnsafePointer($0) }
    }

    /// Returns a copy that `object` owns until other texts are kept under `name`; `nil` for no
    /// texts.
    static func keep(
        _ texts: [String], as name: String, on object: UnsafeMutablePointer<GObject>
    ) -> UnsafePointer<UnsafePointer<CChar>?>? {
        guard !texts.isEmpty else { return nil }
        let quark = quark(name)
        let kept = UnsafeRawPointer(g_object_get_qdata(object, quark))
        if let kept, StringVector.strings(kept) == texts {
            return kept.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
        }
        let copy = StringVector.make(texts)
        g_object_set_qdata_full(object, quark, copy) { vector in
            g_strfreev(vector?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self))
        }
        return copy.map { UnsafeRawPointer($0).assumingMemoryBound(to: UnsafePointer<CChar>?.self) }
    }

    private static func quark(_ name: String) -> GQuark { g_quark_from_string("remote-image-\(name)") }
}

import CRemoteImageGtk

/// The bytes of an array as `GBytes`, without a copy: files of images may have hundreds of
/// megabytes, and a copy would block the main thread.
package enum SharedBytes {
    /// New `GBytes` that keep the storage of the array until they are released, on any thread. The
    /// caller releases them.
    package static func make(_ bytes: [UInt8]) -> OpaquePointer? {
        let owner = Box(bytes)
        // The storage of an array is on the heap, and neither moves nor changes while a constant in
        // an object refers to it. Arrays on Linux are never bridged to other storage.
        return owner.value.withUnsafeBytes { memory in
            g_bytes_new_with_free_func(
                memory.baseAddress, gsize(memory.count),
                { @Sendable owner in
                    if let owner { Unmanaged<Box<[UInt8]>>.fromOpaque(owner).release() }
                }, Unmanaged.passRetained(owner).toOpaque())
        }
    }
}

extension [UInt8] {
    /// A copy of a `GBytes`.
    package init(gbytes bytes: OpaquePointer) {
        var count: gsize = 0
        guard let data = g_bytes_get_data(bytes, &count) else {
            self = []
            return
        }
        self.init(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }
}

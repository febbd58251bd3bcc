// One texture per image, shared by all views that show it.

import CRemoteImageGtk

/// Makes and shares the `GdkTexture` of pixels. A texture wraps their memory without copying it,
/// and lives while it is referenced.
@MainActor
package enum TextureStore {
    /// The live textures by the addresses of their pixel buffers, which they keep alive. An entry
    /// is removed when its texture is finalized, on any thread.
    private nonisolated static let textures = Lock<[UInt: WeakObject]>([:])

    /// The number of live textures, for tests of leaks.
    package static var count: Int { textures.withLock { $0.count } }

    /// The longest side that cairo draws, in pixels.
    private static let maxSide = 32_767

    /// The texture of pixels, scaled down if a side is longer than cairo allows. `nil` only if GDK
    /// cannot make a texture.
    package static func texture(of pixels: PixelBuffer) -> ObjectReference? {
        let pixels = pixels.scaledDown(to: TargetSize.longestSide(maxSide).drawnSize(of: pixels.size))
        let owner = Unmanaged.passUnretained(pixels).toOpaque()
        let identity = UInt(bitPattern: owner)
        if let texture = textures.withLock({ $0[identity] })?.strong() { return texture }
        let bytes = pixels.withUnsafeBytes { memory in
            // The `GBytes` keep the pixel buffer alive until they are released, on any thread.
            g_bytes_new_with_free_func(
                memory.baseAddress, gsize(memory.count),
                { @Sendable owner in
                    if let owner { Unmanaged<PixelBuffer>.fromOpaque(owner).release() }
                }, Unmanaged.passRetained(pixels).toOpaque())
        }
        defer { g_bytes_unref(bytes) }
        let format = pixels.format == .rgb8 ? GDK_MEMORY_R8G8B8 : GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        guard
            let texture = gdk_memory_texture_new(
                Int32(pixels.size.width), Int32(pixels.size.height), format, bytes, gsize(pixels.stride))
        else { return nil }
        let entry = WeakObject(UnsafeMutableRawPointer(texture))
        textures.withLock { $0[identity] = entry }
        g_object_weak_ref(
            UnsafeMutableRawPointer(texture).assumingMemoryBound(to: GObject.self),
            { @Sendable identity, texture in TextureStore.remove(UInt(bitPattern: identity), UInt(bitPattern: texture))
            }, owner)
        return ObjectReference(owned: UnsafeMutableRawPointer(texture))
    }

    /// Removes the entry of a finalized texture, unless it already belongs to another one: the
    /// texture releases its pixels before this call, and new pixels may reuse their address.
    private nonisolated static func remove(_ identity: UInt, _ texture: UInt) {
        textures.withLock { if $0[identity]?.address == texture { $0[identity] = nil } }
    }
}

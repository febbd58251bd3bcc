// Textures of images: one for each, however many views show it.

import CGtk

/// Gives the `GdkTexture` of pixels. It wraps their memory without a copy, and lives while it is shown.
@MainActor
package enum TextureStore {
    /// Textures that are alive, by the addresses of their pixels, which they keep alive. An entry goes with its texture,
    /// on the thread that lets go of it: programs may take textures to any.
    private nonisolated static let textures = Lock<[UInt: WeakObject]>([:])

    /// How many textures are alive, for tests of what is left.
    package static var count: Int { textures.withLock { $0.count } }

    /// Nil only where GDK cannot make one.
    static func texture(of pixels: PixelBuffer) -> ObjectReference? {
        let owner = Unmanaged.passUnretained(pixels).toOpaque()
        let identity = UInt(bitPattern: owner)
        if let texture = textures.withLock({ $0[identity] })?.strong() { return texture }
        let bytes = pixels.withUnsafeBytes { memory in
            // The bytes keep the buffer, and with it the memory, until the last thread lets go of them.
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

    /// The texture has let go of its pixels before it says that it goes: others, with a texture of their own, may have
    /// their address by now.
    private nonisolated static func remove(_ identity: UInt, _ texture: UInt) {
        textures.withLock { if $0[identity]?.address == texture { $0[identity] = nil } }
    }
}

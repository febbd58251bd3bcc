// Textures of pictures: one for each, however many views show it.

import CGtk

/// Gives the `GdkTexture` of pixels. It wraps their memory without a copy, and lives as long as somebody shows it.
@MainActor
package enum TextureStore {
    /// Textures that are alive, by the addresses of their pixels, which they keep alive. Not owned: an entry goes with
    /// its texture.
    private static var textures: [UnsafeMutableRawPointer: OpaquePointer] = [:]

    /// How many textures are alive, for tests of what is left.
    package static var count: Int { textures.count }

    /// Nil only where GDK cannot make one.
    static func texture(of pixels: PixelBuffer) -> ObjectReference? {
        let identity = Unmanaged.passUnretained(pixels).toOpaque()
        if let texture = textures[identity] { return ObjectReference(UnsafeMutableRawPointer(texture)) }
        let bytes = pixels.withUnsafeBytes { memory in
            // The bytes keep the buffer, and with it the memory.
            g_bytes_new_with_free_func(
                memory.baseAddress, gsize(memory.count),
                { owner in
                    if let owner { Unmanaged<PixelBuffer>.fromOpaque(owner).release() }
                }, Unmanaged.passRetained(pixels).toOpaque())
        }
        defer { g_bytes_unref(bytes) }
        let format = pixels.format == .rgb8 ? GDK_MEMORY_R8G8B8 : GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        guard
            let texture = gdk_memory_texture_new(
                Int32(pixels.size.width), Int32(pixels.size.height), format, bytes, gsize(pixels.stride))
        else { return nil }
        textures[identity] = texture
        g_object_weak_ref(
            UnsafeMutableRawPointer(texture).assumingMemoryBound(to: GObject.self),
            { identity, _ in
                // Only compared: the texture has let go of its pixels before it says that it goes. Others cannot take
                // their address in between, since textures are made on this thread.
                nonisolated(unsafe) let identity = identity
                // On the main thread: every reference that we give out is released there.
                MainActor.assumeIsolated {
                    if let identity { TextureStore.textures[identity] = nil }
                }
            }, identity)
        return ObjectReference(owned: UnsafeMutableRawPointer(texture))
    }
}

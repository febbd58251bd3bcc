// The caches of a pipeline, for programs in other languages.

import CRemoteImageGtk
import RemoteImageGtk

extension PipelineObject {
    /// Loads the texture of a request.
    func texture(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        let image = try await pipeline.image(for: request)
        guard let texture = TextureStore.texture(of: image.pixels) else { throw ImageError(.processing, "no texture") }
        return .object(texture)
    }

    /// The texture of a cached image, or `nil`. The caller releases it.
    func cachedTexture(for request: ImageRequest) -> UnsafeMutableRawPointer? {
        pipeline.cachedImage(for: request).flatMap { TextureStore.texture(of: $0.pixels) }
            .map { g_object_ref($0.pointer) }
    }

    func bytes(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        .bytes(try await pipeline.data(for: request).bytes)
    }

    // MARK: The caches

    var memoryUsage: Int { (pipeline.configuration.memoryCache as? MemoryCache)?.cost ?? 0 }

    func clearMemory() { pipeline.configuration.memoryCache?.removeAll() }

    /// Runs `work` with the disk cache on a thread that may block. Returns 0 without one.
    func withStore(
        _ work: @escaping @Sendable (DiskCache) throws(ImageError) -> Int
    ) async throws(ImageError) -> AsyncAnswer {
        guard let store = pipeline.configuration.diskCache else { return .count(0) }
        await pipeline.finishWriting()
        return .count(try await WorkerThreads.disk.run { () throws(ImageError) in try work(store) })
    }

    /// Removes the images of an address from memory and disk.
    func remove(_ text: String) async throws(ImageError) -> AsyncAnswer {
        .count(try await pipeline.remove(named: try WebAddress(text).string))
    }
}

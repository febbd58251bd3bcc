// The caches of a pipeline, for programs in other languages.

import CRemoteImageGtk

extension PipelineObject {
    /// Loads the texture of a request.
    package func texture(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        let image = try await pipeline.image(for: request)
        guard let texture = TextureStore.texture(of: image.pixels) else { throw ImageError(.processing, "no texture") }
        return .object(texture)
    }

    /// The texture of a cached image, or `nil`. The caller releases it.
    package func cachedTexture(for request: ImageRequest) -> UnsafeMutableRawPointer? {
        pipeline.cachedImage(for: request).flatMap { TextureStore.texture(of: $0.pixels) }
            .map { g_object_ref($0.pointer) }
    }

    package func bytes(for request: ImageRequest) async throws(ImageError) -> AsyncAnswer {
        .bytes(try await pipeline.data(for: request).bytes)
    }

    // MARK: The caches

    package var memoryUsage: Int { (pipeline.configuration.memoryCache as? MemoryCache)?.cost ?? 0 }

    package func clearMemory() { pipeline.configuration.memoryCache?.removeAll() }

    /// Runs `work` with the disk store on a thread that may block. Returns a count of 0 without a
    /// disk store.
    package func withStore(
        _ work: @escaping @Sendable (DiskCache) -> Result<Int, ImageError>
    ) async throws(ImageError) -> AsyncAnswer {
        guard let store = pipeline.configuration.responseStore as? DiskCache else { return .count(0) }
        await pipeline.finishWriting()
        return .count(try await Task(executorPreference: WorkerThreads.disk) { work(store) }.value.get())
    }

    /// Removes the image of an address from memory and its responses from disk.
    package func remove(_ text: String) async throws(ImageError) -> AsyncAnswer {
        let address = try WebAddress(text)
        pipeline.configuration.memoryCache?.remove(pipeline.cacheKey(for: ImageRequest(ImageSource(address))))
        return try await withStore { $0.removeAll(named: address.string) }
    }
}

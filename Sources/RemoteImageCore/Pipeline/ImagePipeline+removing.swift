// The removal of images from memory and disk. That of an account is beside the accounts.

extension ImagePipeline {
    /// Removes the image of a source from memory and disk: in all sizes and with all processors,
    /// headers and accounts. Returns when the files are removed, after all pending writes of the
    /// pipeline. A view that shows the image keeps it. Of a choice, all sources are removed.
    ///
    /// The response of a source that resolves to another one is stored under the name of that one:
    /// remove it, too.
    ///
    /// From a ``ResponseStore`` other than ``DiskCache``, only the responses are removed whose key
    /// is the identity of the source: not those of other headers, of accounts or of size steps.
    ///
    /// Throws ``ImageError/Code/io`` if a stored response could not be removed, and the error of an
    /// invalid source.
    public func remove(_ source: some ImageSourceConvertible) async throws(ImageError) {
        let source = source.imageSource
        var failure: ImageError?
        for part in source.parts {
            if case .invalid(let error) = part.kind { failure = error }
            do throws(ImageError) { try await remove(named: part.identity) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Removes all images from memory and disk. Returns when the files are removed, after all
    /// pending writes of the pipeline. Views keep the images that they show.
    ///
    /// Throws ``ImageError/Code/io`` if a stored response could not be removed.
    public func removeAll() async throws(ImageError) {
        _ = try await removing {
            $0.removeAll()
        } disk: { store throws(ImageError) in
            try store.removeAll()
            return 0
        }
    }

    /// Removes the images with an identity, an address or another, from memory and disk.
    ///
    /// - Returns: The number of removed keys in the disk cache.
    @discardableResult
    package func remove(named name: String) async throws(ImageError) -> Int {
        let names = ImageSource.names(of: name)
        return try await removing { cache in
            cache.removeAll { key in
                let identity = UserInformation.withoutHash(key.identity)
                return names.contains { ImageSource.isName(identity, of: $0) }
            }
        } disk: { store throws(ImageError) in
            if let disk = store as? DiskCache { return try disk.remove(named: name) }
            for name in Set(names + [name]) { store.remove(name) }
            return 0
        }
    }

    /// Removes images at once, since the program may exit during the wait for pending writes, and
    /// again after the writes that had started before.
    private func removing(
        _ memory: (any ImageCache) -> Void, disk: @escaping @Sendable (any ResponseStore) throws(ImageError) -> Int
    ) async throws(ImageError) -> Int {
        if let cache = context.cache { memory(cache) }
        guard let store = configuration.responseStore else { return 0 }
        let count = try? await WorkerThreads.disk.run { () throws(ImageError) in try disk(store) }
        await finishWriting()
        let laterCount = try await WorkerThreads.disk.run { () throws(ImageError) in try disk(store) }
        if let cache = context.cache { memory(cache) }
        return (count ?? 0) + laterCount
    }
}

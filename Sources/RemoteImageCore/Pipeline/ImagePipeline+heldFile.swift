extension ImagePipeline {
    /// Loads the encoded data of an image into a file that other programs can read.
    ///
    /// Throws ``ImageError/Code/notAnImage`` for data that is not an image, the error of the decode
    /// for an image that cannot be decoded, and ``ImageError/Code/io`` if the file cannot be
    /// written.
    ///
    /// - Parameter application: The name of the cache folder if the pipeline has no disk store.
    package func heldFile(for request: ImageRequest, application: String) async throws(ImageError) -> HeldFile {
        let store = configuration.responseStore as? DiskCache
        guard let base = store?.base ?? DiskCache.standardPath(application: application) else {
            throw ImageError(.io, "there is no folder for the file: neither XDG_CACHE_HOME nor HOME is set")
        }
        let bytes = try await data(for: request).bytes
        if let refusal = await context.http.refusal(bytes, options(of: request).decodeLimits) { throw refusal }
        return try await WorkerThreads.disk.run { () throws(ImageError) in
            let folder = HeldFileFolder.inStore(at: base)
            return try folder.hold(bytes, extension: ImageFormat.sniff(bytes)?.facts.fileExtension)
        }
    }
}

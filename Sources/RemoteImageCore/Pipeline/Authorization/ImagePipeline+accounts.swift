extension ImagePipeline {
    /// Removes all images of an account from the memory cache and the store, including partial
    /// ones, for example after the user has signed out. Images of other accounts stay.
    ///
    /// Loads of the account that were requested before, including those that wait in an
    /// ``ImagePrefetcher`` or a series of images, end with ``ImageError/cancelled``, and their
    /// responses are not stored. A view that belongs to the account shows its image until its
    /// options change, and loads it again when it appears: change the options first. Returns when
    /// the files are removed, after all pending writes of the pipeline have ended.
    ///
    /// Throws ``ImageError/Code/io`` if a stored response could not be removed; the others are
    /// removed nevertheless.
    ///
    /// - Parameter account: The name in an ``AuthorizationProvider`` or a ``RequestHook``.
    public func removeAll(ofAccount account: String) async throws(ImageError) {
        let hash = SHA256.name(of: account)
        context.http.background.discardWrites(ofAccount: hash)
        context.jobs.cancelAll { $0.belongs(toAccount: hash) }
        context.refresher.forget(account)
        context.cache?.removeAll { $0.belongs(toAccountWithHash: hash) }
        guard let store = configuration.responseStore else { return }
        let removal = { @Sendable in
            await Task(executorPreference: WorkerThreads.disk) { store.removeAll(ofAccount: account) }.value
        }
        // The files are removed first, since the program may exit during the wait, and again after
        // the writes that had started before.
        _ = await removal()
        await finishWriting()
        try await removal().get()
    }

    /// ``PipelineContext/removalCount(for:)`` for a request, with the options of the pipeline.
    func removalCount(for request: ImageRequest) -> Int? {
        context.removalCount(for: configuration.options) ?? context.removalCount(for: request.options)
    }
}

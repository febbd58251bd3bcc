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
        context.http.background.removeAccount(hash)
        context.jobs.cancelAll { $0.belongs(toAccount: hash) }
        context.refresher.forget(account)
        context.cache?.removeAll { $0.belongs(toAccountWithHash: hash) }
        guard let store = configuration.responseStore else { return }
        // The files are removed first, since the program may exit during the wait, and again after
        // the writes that had started before.
        try? await WorkerThreads.disk.run { () throws(ImageError) in try store.removeAll(ofAccount: account) }
        await finishWriting()
        try await WorkerThreads.disk.run { () throws(ImageError) in try store.removeAll(ofAccount: account) }
    }

    // MARK: Removals before a request has a job
    //
    // A request may wait for the disk, for a delay or for other requests before it has a job. A
    // removal cannot cancel it then. So the keys of a request that may have an account contain the
    // generation of accounts in which it was made; it fails if its account was removed since.

    /// The request with the current generation of accounts, for a later start.
    func marked(_ request: ImageRequest) -> ImageRequest {
        guard configuration.options.mayHaveAccount || request.options.mayHaveAccount else { return request }
        var request = request
        request.options = options(of: request)
        return request
    }

    /// The options of a request over those of the pipeline. If it may have an account, they contain
    /// the generation in which it was made: the current one, unless it was marked before.
    func options(of request: ImageRequest) -> ImageOptions {
        var options = request.options.merged(over: configuration.options)
        if options.mayHaveAccount, options[AccountGeneration.self] == nil {
            options[AccountGeneration.self] = context.http.background.accountGeneration
        }
        return options
    }
}

extension ImageOptions {
    /// Whether requests with these options may belong to an account.
    fileprivate var mayHaveAccount: Bool { authorization != nil || requestHook?.accountHash != nil }
}

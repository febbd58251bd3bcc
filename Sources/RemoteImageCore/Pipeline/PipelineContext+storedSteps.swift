// Stored steps of sized sources.

extension PipelineContext {
    /// Whether a larger step of the same image may be stored. Performs no I/O.
    func mayBeStoredLarger(_ source: ImageSource, _ options: ImageOptions) -> Bool {
        guard http.store != nil, let step = source.step, step.index + 1 < step.sized.steps.count else { return false }
        switch options.cachePolicy {
        case .http, .cacheElseLoad, .cacheOnly: break
        case .reload, .noStore, .revalidate: return false
        }
        let key = LoadKey(source, options)
        // Without an account, the store key is known only after the hook has run.
        guard key.isShared else { return false }
        // A running load is joined at once. Otherwise a prefetch that a view replaces would be
        // cancelled before the view joins it.
        return !jobs.isRunning(.bytes(key, RequestConstraints(options)))
    }

    /// The smallest step from `source` upwards whose stored response may be used without waiting
    /// for the server; otherwise `source`. May block.
    ///
    /// Only decides what is loaded: the load asks the store again, then also with the headers that
    /// `Vary` names. If it finds nothing, it downloads the larger step.
    func smallestStored(_ source: ImageSource, _ options: ImageOptions) -> ImageSource {
        guard let step = source.step, let store = http.store else { return source }
        let asked = headers + options.headers
        return ([source] + step.larger).first { source in
            let key = LoadKey(source, options).storeKey(common: headers)
            return store.responses(for: key).contains { stored in
                guard (200..<300).contains(stored.status) else { return false }
                let decision = CacheDecision(
                    for: asked, policy: options.cachePolicy, stored: stored, expiry: options.expiryInSeconds,
                    now: clock.secondsSince1970)
                switch decision {
                case .use, .useAndValidate: return true
                case .validate, .fetch, .refuse: return false
                }
            }
        } ?? source
    }
}

extension JobScheduler {
    /// Whether a job of this key is queued or running.
    fileprivate func isRunning(_ key: JobKey) -> Bool { state.withLock { $0.jobs[key] != nil } }
}

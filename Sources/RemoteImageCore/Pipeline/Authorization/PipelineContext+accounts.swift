// The removal of an account between a request and its job.
//
// A request may wait for the disk or for a delay before it has a job. A removal cannot cancel it
// then, so the request records how many removals preceded it, and asks whether more have followed.

extension PipelineContext {
    /// The number of account removals so far; `nil` for a request without an account.
    func removalCount(for options: ImageOptions) -> Int? {
        options.mayHaveAccount ? http.background.removalCount : nil
    }

    /// Whether an account of a load was removed after ``removalCount(for:)`` had the value `count`.
    func isRemoved(_ key: @autoclosure () -> LoadKey, since count: Int?) -> Bool {
        guard let count else { return false }
        return http.background.isRemoved(key(), since: count)
    }
}

extension ImageOptions {
    /// Whether requests with these options may belong to an account.
    fileprivate var mayHaveAccount: Bool { authorization != nil || requestHook?.accountHash != nil }
}

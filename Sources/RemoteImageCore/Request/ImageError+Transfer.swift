// Errors of transfers, as the pipeline treats them.

extension ImageError {
    /// Whether the server did not respond, so that a stored response may be used instead.
    var isDisconnection: Bool { code == .connection || code == .timeout }

    /// Whether the transfer was interrupted, so that a later request may continue it.
    var isInterruption: Bool {
        [.connection, .timeout, .incomplete, .cancelled].contains(code)
    }

    /// Whether the server could not be reached.
    var isCausedByConnection: Bool {
        code == .connection || code == .notStored && underlying.contains(where: \.isCausedByConnection)
    }

    /// Whether a retry on a better network may succeed.
    package var mayRecoverWithNetwork: Bool {
        isInterruption && code != .cancelled
            || code == .notStored && underlying.contains(where: \.mayRecoverWithNetwork)
    }

    /// The error of several sources that failed one after the other: that of the last, with all of
    /// them as `underlying`.
    static func ofFallbacks(_ errors: [ImageError]) -> ImageError {
        guard let last = errors.last else { return ImageError(.invalidURL, "no source") }
        guard errors.count > 1 else { return last }
        return ImageError(last.code, last.detail, status: last.status, underlying: errors)
    }
}

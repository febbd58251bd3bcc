// Errors of transfers, as the pipeline treats them.

extension ImageError {
    /// The error of a ``Transport`` whose HTTP client failed: ``Code/connection`` with the
    /// description of `error`; an ``ImageError`` as it is, and ``cancelled`` for a
    /// `CancellationError`.
    public static func connection(_ error: any Error) -> ImageError { ImageError(thrown: error, as: .connection) }

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
        return ImageError(
            last.code, last.detail, status: last.status, underlying: errors, message: last.ownSentence)
    }
}

extension ImageError {
    /// The error of a task that may run code of the program.
    init(thrown error: any Error, as code: Code = .source) {
        self =
            switch error {
            case let error as ImageError: error
            case is CancellationError: .cancelled
            default: ImageError(code, "\(error)")
            }
    }
}

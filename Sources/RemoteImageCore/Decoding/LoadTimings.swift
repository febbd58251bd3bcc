/// The times at which the steps of a load ended, each since the first request for the image.
///
/// Requests that share a load share its timings, so a late one may receive times before its own
/// start. A step that ended before the first request, because another image needed the same data,
/// has the time zero. After retries, the times are those of the last attempt. All are measured with
/// the clock of the pipeline.
///
/// ```swift
/// let image = try await pipeline.image(for: "https://example.org/cat.jpg")
/// if let timings = image.info.timings {
///     print("transfer", timings.transferred - timings.queued)
///     print("decode", timings.decoded - timings.transferred)
/// }
/// ```
public struct LoadTimings: Hashable, Sendable {
    /// The end of the wait for a place among the transfers.
    public var queued: Duration
    /// The connection to the server, including TLS, was established. `nil` if an open connection
    /// was used, if the transport does not measure it, or if no request was sent.
    public var connected: Duration?
    /// The head of the response was received, from the server or the store. `nil` for files and
    /// data of the program.
    public var firstByte: Duration?
    /// All bytes were received or read.
    public var transferred: Duration
    /// The pixels were decoded. Processors run later.
    public var decoded: Duration

    /// Creates timings from times since the first request.
    public init(
        queued: Duration, connected: Duration? = nil, firstByte: Duration? = nil, transferred: Duration,
        decoded: Duration
    ) {
        self.queued = queued
        self.connected = connected
        self.firstByte = firstByte
        self.transferred = transferred
        self.decoded = decoded
    }
}

extension LoadTimings: CustomStringConvertible {
    /// The times in milliseconds with one decimal, such as `queued 0.2 ms, first byte 41.3 ms,
    /// transferred 44.0 ms, decoded 52.7 ms`. Steps without a time are left out.
    public var description: String {
        let steps = [
            ("queued", queued), ("connected", connected), ("first byte", firstByte), ("transferred", transferred),
            ("decoded", decoded),
        ]
        return steps.compactMap { name, time in time.map { "\(name) \(Self.text(of: $0))" } }
            .joined(separator: ", ")
    }

    private static func text(of time: Duration) -> String {
        // Limited, since a program may create any timings.
        let tenths = Int(min(1e15, max(0, (time / .microseconds(100)).rounded())))
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

/// The times of the steps that made the data of an image, on the clock of the pipeline.
struct TransferTimes: Sendable {
    var started: Duration
    var connected: Duration?
    var firstByte: Duration?
    var ended: Duration

    func timings(since request: Duration, decodedAt decoded: Duration) -> LoadTimings {
        func time(_ moment: Duration) -> Duration { max(.zero, moment - request) }
        return LoadTimings(
            queued: time(started), connected: connected.map(time), firstByte: firstByte.map(time),
            transferred: time(ended), decoded: time(decoded))
    }
}

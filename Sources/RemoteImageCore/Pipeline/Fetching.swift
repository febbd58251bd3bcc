import HTTPTypes

/// Brings the bytes of a job.
struct Fetching: Sendable {
    private let transport: any Transport
    private let limits: TransferLimits
    private let headers: HTTPFields

    init(_ configuration: ImagePipeline.Configuration) {
        transport = configuration.transport
        limits = configuration.transferLimits
        var headers = configuration.headers
        if headers[.accept] == nil { headers[.accept] = Self.accept(configuration.decoders) }
        self.headers = headers
    }

    func start(_ job: Job, reportingTo board: JobBoard) -> any Transfer {
        let sink = TransferSink(job: job, board: board)
        switch job.request.source.recipe {
        case .web(let address):
            return transport.start(TransferRequest(address, headers: headers, limits: limits), receiver: sink)
        case .invalid(_, let error):
            sink.transferDidFinish(.failure(error))
            return EndedTransfer()
        }
    }

    /// The formats that can be shown, in the order in which they are preferred (RFC 9110 section 12.5.1).
    private static func accept(_ decoders: [any ImageDecoder]) -> String {
        let formats = decoders.reduce(into: Set<ImageFormat>()) { $0.formUnion($1.formats) }
        let known: [ImageFormat] = [.avif, .webp, .jpeg, .png, .gif]
        let names = known.filter(formats.contains).map { "image/\($0.rawValue)" }
        return (names + ["image/*;q=0.5", "*/*;q=0.1"]).joined(separator: ",")
    }
}

/// A transfer that is over before it began.
private struct EndedTransfer: Transfer {
    func cancel() {}
}

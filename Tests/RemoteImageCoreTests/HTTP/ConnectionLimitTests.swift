import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The connections of the shared transport.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct ConnectionLimitTests {
    private let origin: RawOrigin

    init() throws {
        origin = try RawOrigin()
        for number in 0..<9 { origin.respond(to: "/\(number)", with: .silence) }
    }

    /// Starts transfers that the origin does not answer.
    private func start(_ numbers: Range<Int>, _ transport: CurlTransport) throws -> [Task<Void, Never>] {
        try numbers.map { number in
            transport.start(
                TransferRequest(try origin.address("/\(number)"), limits: TransferLimits(stallTimeout: .seconds(600))),
                receiver: RecordingReceiver())
        }
    }

    @Test func `a pipeline that allows more transfers per host opens as many connections`() async throws {
        let transport = CurlTransport(.direct, .system, followsPipelines: true)
        let pipeline = ImagePipeline.test(transport) { $0.maxConcurrentTransfersPerHost = 9 }
        let transfers = try start(0..<9, transport)
        try await origin.received(count: 9)
        transfers.forEach { $0.cancel() }
        #expect(pipeline.configuration.maxConcurrentTransfersPerHost == 9)
    }

    @Test func `the limits of a running transport are raised`() async throws {
        let transport = CurlTransport(.direct, .system, followsPipelines: true)
        let pipeline = ImagePipeline.test(transport)
        let first = try start(0..<6, transport)
        try await origin.received(count: 6)
        pipeline.setConcurrency(transfers: 16, perHost: 9)
        let second = try start(6..<9, transport)
        try await origin.received(count: 9)
        (first + second).forEach { $0.cancel() }
    }

    @Test func `limits are raised and never lowered`() {
        var configuration = CurlTransport.Configuration(maxConnectionsPerHost: 4)
        configuration.raiseLimits(connections: 10, perHost: 2)
        #expect(configuration.maxConnectionsPerHost == 4)
        #expect(configuration.maxConnections == 16)
        configuration.raiseLimits(connections: 20, perHost: 12)
        #expect(configuration.maxConnectionsPerHost == 12)
        #expect(configuration.maxConnections == 20)
    }
}

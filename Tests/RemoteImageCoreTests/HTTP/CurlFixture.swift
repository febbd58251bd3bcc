// Shared parts of the tests of the curl transport.

import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

extension CurlTransport.Configuration {
    /// No proxy, whatever the environment of the tests says.
    static var direct: CurlTransport.Configuration { direct { _ in } }

    static func direct(_ change: (inout CurlTransport.Configuration) -> Void) -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .direct
        change(&configuration)
        return configuration
    }
}

extension TransferLimits {
    static func limits(_ change: (inout TransferLimits) -> Void) -> TransferLimits {
        var limits = TransferLimits()
        change(&limits)
        return limits
    }
}

extension CurlTransport {
    /// Runs a transfer to its end.
    func load(
        _ address: WebAddress, headers: HTTPFields = [:], limits: TransferLimits = TransferLimits()
    ) async throws -> RecordingReceiver.Record {
        let receiver = RecordingReceiver()
        start(TransferRequest(address, headers: headers, limits: limits), receiver: receiver)
        return try await receiver.ended()
    }
}

extension CurlTransport {
    /// Transfers this response of the origin, and checks that the receiver was told one end and
    /// nothing after it.
    func load(
        _ path: String, of origin: RawOrigin, answering response: RawResponse, limits: TransferLimits = TransferLimits()
    ) async throws -> RecordingReceiver.Record {
        origin.respond(to: path, with: response)
        let record = try await load(try origin.address(path), limits: limits)
        #expect(record.results.count == 1)
        #expect(record.callsAfterEnd == 0)
        return record
    }
}

extension RawResponse {
    /// Text with the line ends of HTTP.
    static func lines(_ text: String, then ending: Ending) -> RawResponse {
        .raw(text.replacing("\n", with: "\r\n"), then: ending)
    }
}

extension RecordingReceiver.Record {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the transfer ended once, with success, and without a call after its end.
    var isSuccess: Bool {
        guard results.count == 1, case .success = results[0] else { return false }
        return callsAfterEnd == 0
    }

    var errorCode: ImageError.Code? { error?.code }
}

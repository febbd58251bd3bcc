// What the tests of the curl transport share.

import HTTPTypes
import RemoteImageCore
import TestSupport
import Testing

extension CurlTransport.Configuration {
    /// Whatever the environment of the tests says about proxies.
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
    /// Transfers from start to end.
    func load(
        _ address: WebAddress, headers: HTTPFields = [:], limits: TransferLimits = TransferLimits()
    ) async throws -> RecordingReceiver.Record {
        let receiver = RecordingReceiver()
        _ = start(TransferRequest(address, headers: headers, limits: limits), receiver: receiver)
        return try await receiver.ended()
    }
}

extension CurlTransport {
    /// Transfers what an origin is made to say, and sees to it that the receiver is told as is
    /// promised.
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
    /// Text whose lines end as HTTP's do.
    static func lines(_ text: String, then ending: Ending) -> RawResponse {
        .raw(text.replacing("\n", with: "\r\n"), then: ending)
    }
}

extension RecordingReceiver.Record {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether it ended once, well, and with nothing after the end.
    var isSuccess: Bool {
        guard results.count == 1, case .success = results[0] else { return false }
        return callsAfterEnd == 0
    }

    var errorCode: ImageError.Code? { error?.code }
}

import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The retries of `remote-image get`.
@Suite(.timeLimit(.minutes(5)))
struct HTTPClientTests {
    @Test func `a failure that a retry can cure is tried again, as often as the policy says`() async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let client = HTTPClient(
            store: nil, transport: transport, concurrency: 1, clock: clock,
            retryPolicy: .standard(maxRetryCount: 1))
        let request = TransferRequest(try WebAddress("http://test/a"))
        let answer = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await clock.scheduled(count: 1)
        clock.advance(by: .seconds(1))
        try await transport.started(count: 2).succeed([1])
        #expect(try await answer.value.bytes == [1])
    }
}

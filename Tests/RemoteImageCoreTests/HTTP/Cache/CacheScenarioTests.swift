import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Runs every case twice: over a fake network, and with curl over the loopback interface.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct CacheScenarioTests {
    private let folder: TemporaryFolder
    private let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: CacheScenario.all)
    func `the cache follows the RFC over a fake network`(scenario: CacheScenario) async throws {
        let server = ScriptedServer()
        let transport = FakeTransport { server.answer($0.headers).fake }
        try await play(scenario, server, transport, try WebAddress("http://test/a"))
    }

    @Test(arguments: CacheScenario.all)
    func `the cache follows the RFC over the loopback interface`(scenario: CacheScenario) async throws {
        let server = ScriptedServer()
        let origin = try RawOrigin()
        origin.respond(to: "/a") { server.answer($0.fields).raw }
        try await play(scenario, server, CurlTransport(.direct), try origin.address("/a"))
    }

    private func play(
        _ scenario: CacheScenario, _ server: ScriptedServer, _ transport: any Transport, _ address: WebAddress
    ) async throws {
        let client = HTTPCache(store: DiskCache(path: folder.path), transport: transport, clock: clock)
        for (number, step) in scenario.steps.enumerated() {
            let name: Comment = "step \(number + 1)"
            if step.time < 0 { clock.setBack(by: -step.time) } else { clock.advance(by: .seconds(step.time)) }
            server.expect(step.server)
            let request = TransferRequest(address, headers: HTTPFields(step.request))
            var fields = HTTPFields()
            do throws(ImageError) {
                let response = try await client.response(for: request, policy: step.policy)
                #expect(CacheScenario.Answer(response) == step.answer, name)
                fields = response.headers
            } catch {
                #expect(CacheScenario.Answer.failure(error.code) == step.answer, name)
            }
            // Background work after the answer belongs to the step.
            await client.finished()
            #expect(server.requests.count == step.server.count, name)
            expect(fields, step.says, name)
            expect(server.requests.last ?? [:], step.tells, name)
        }
    }

    private func expect(_ fields: HTTPFields, _ expected: CacheScenario.Fields, _ name: Comment) {
        for (field, value) in expected {
            let values = HTTPField.Name(field).map { fields[values: $0] }
            #expect(values == (value.isEmpty ? [] : [value]), "\(name): \(field)")
        }
    }
}

/// Replies as the step says, and records the requests.
private final class ScriptedServer: Sendable {
    private let state = Lock<(replies: [CacheScenario.Reply], requests: [HTTPFields])>(([], []))

    func expect(_ replies: [CacheScenario.Reply]) {
        state.withLock { $0 = (replies, []) }
    }

    var requests: [HTTPFields] { state.withLock { $0.requests } }

    func answer(_ request: HTTPFields) -> CacheScenario.Reply {
        state.withLock { state in
            state.requests.append(request)
            return state.replies.isEmpty ? .silence : state.replies.removeFirst()
        }
    }
}

extension CacheScenario.Reply {
    fileprivate var fake: FakeAnswer {
        switch self {
        case .silence: .failure(ImageError(.connection))
        case .response(let status, let fields, let body):
            .response(status: status, headers: HTTPFields(fields), body: Array(body.utf8))
        }
    }

    fileprivate var raw: RawResponse {
        switch self {
        case .silence: return RawResponse([], then: .close)
        case .response(let status, let fields, let body):
            // Each reply closes its connection: on a reused connection curl repeats the request by
            // itself.
            var text = "HTTP/1.1 \(status) Status\r\nConnection: close\r\n"
            for (name, value) in fields { text += "\(name): \(value)\r\n" }
            if status != 204, status != 304 { text += "Content-Length: \(body.utf8.count)\r\n" }
            let head = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            return RawResponse(head + Array("\r\n\(body)".utf8), then: .close)
        }
    }
}

extension CacheScenario.Answer {
    fileprivate init(_ response: LoadedData) {
        let (body, status) = (String(decoding: response.bytes, as: UTF8.self), response.status ?? 0)
        self =
            switch response.origin {
            case .network: .network(body, status: status)
            case .disk: .disk(body, status: status)
            case .stale: .stale(body)
            case .revalidated: .revalidated(body)
            case .generated where status == 504: .generated
            default: .failure(.io)
            }
    }
}

extension RawRequest {
    /// The header fields that the transport was given.
    fileprivate var fields: HTTPFields {
        var fields = HTTPFields()
        for line in head.split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            fields.append(HTTPField(name: name, value: String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
        return fields
    }
}

import RemoteImageGtk
import RemoteImageTestSupport

/// Answers each request with the same image, or holds the answers back.
@MainActor
final class AnsweringServer {
    private let held = Lock(false)
    private let failing = Lock(false)
    let transport: FakeTransport

    private nonisolated static let body = TestImage(200, width: 120, height: 90).bytes

    init() {
        let (held, failing) = (held, failing)
        transport = FakeTransport { _ in
            if failing.withLock({ $0 }) { return .status(404) }
            return held.withLock { $0 } ? nil : .ok(Self.body)
        }
    }

    var addresses: [String] { transport.addresses }

    var isFailing: Bool {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    var isHeld: Bool {
        get { held.withLock { $0 } }
        set {
            held.withLock { $0 = newValue }
            guard !newValue else { return }
            for transfer in transport.transfers where transfer.state == .running { transfer.succeed(Self.body) }
        }
    }
}

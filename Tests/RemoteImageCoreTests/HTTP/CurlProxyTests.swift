import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite("Proxies of the curl transport", .timeLimit(.minutes(5)))
struct CurlProxyTests {
    let origin: RawOrigin

    init() throws {
        origin = try RawOrigin()
    }

    @Test("A transfer uses the configured proxy until another is set")
    func proxy() async throws {
        origin.respond(to: "http://images.example/a", with: .ok("from the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .address("http://127.0.0.1:\(origin.port)") })
        #expect(try await transport.load(try WebAddress("http://images.example/a")).text == "from the proxy")

        let other = try RawOrigin()
        other.respond(to: "http://images.example/a", with: .ok("from the other"))
        transport.setProxy(.address("http://127.0.0.1:\(other.port)"))
        #expect(try await transport.load(try WebAddress("http://images.example/a")).text == "from the other")
    }

    /// Transfers that began before the desktop reported its proxy bypassed it.
    @Test("A transfer waits until the proxy is known")
    func pendingProxy() async throws {
        origin.respond(to: "/a", with: .ok("past the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .pending })
        let receiver = RecordingReceiver()
        _ = transport.start(TransferRequest(try origin.address("/a")), receiver: receiver)
        let left = RecordingReceiver()
        let leaving = transport.start(TransferRequest(try origin.address("/a")), receiver: left)
        let impatient = try await transport.load(
            try origin.address("/a"), limits: .limits { $0.timeout = .milliseconds(20) })
        #expect(impatient.errorCode == .timeout)
        // The transfers before that one wait too.
        leaving.cancel()
        #expect(try await left.ended().errorCode == .cancelled)
        let proxy = try RawOrigin()
        proxy.respond(to: "\(try origin.address("/a"))", with: .ok("from the proxy"))
        transport.setProxy(.address("http://127.0.0.1:\(proxy.port)"))
        #expect(try await receiver.ended().text == "from the proxy")
        #expect(origin.connectionCount == 0)
        #expect(proxy.requests.count == 1)
    }

    @Test("A redirect waits until the proxy is known")
    func pendingProxyOfARedirect() async throws {
        origin.hold("/lead")
        origin.respond(to: "/end", with: .ok("past the proxy"))
        let transport = CurlTransport(.direct)
        let receiver = RecordingReceiver()
        let limits = TransferLimits.limits { $0.timeout = .seconds(1) }
        _ = transport.start(TransferRequest(try origin.address("/lead"), limits: limits), receiver: receiver)
        let exchange = try await origin.exchange(for: "/lead")
        transport.setProxy(.pending)
        // The end of this transfer shows that the transport has taken the proxy.
        let other = RecordingReceiver()
        transport.start(TransferRequest(try origin.address("/end")), receiver: other).cancel()
        _ = try await other.ended()
        exchange.send(.redirect(to: "/end"))
        #expect(try await receiver.ended().errorCode == .timeout)
        #expect(origin.requests.count == 1)
    }

    @Test("The desktop's proxy serves all hosts but the local machine")
    func desktopProxy() async throws {
        let proxy = try RawOrigin()
        proxy.respond(to: "http://images.example/a", with: .ok("from the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .desktop("http://127.0.0.1:\(proxy.port)") })
        #expect(try await transport.load(try WebAddress("http://images.example/a")).text == "from the proxy")
        origin.respond(to: "/a", with: .ok("from here"))
        for host in ["127.0.0.1", "localhost"] {
            let address = try WebAddress("http://\(host):\(origin.port)/a")
            #expect(try await transport.load(address).text == "from here")
        }
    }

    /// Two pipelines share a transport, and one of them must not use the other one's proxy.
    @Test("The proxy of a pipeline applies to its later requests alone")
    func pipelineProxy() async throws {
        let proxy = try RawOrigin()
        proxy.respond(to: "http://images.example/a", with: .ok("from the proxy"))
        origin.respond(to: "/c", with: .ok("from here"))
        let transport = CurlTransport(.direct { $0.proxy = .address("http://127.0.0.1:9") })
        let (pipeline, other) = (transport.pipeline, transport.pipeline)
        #expect(pipeline.proxy == nil)
        pipeline.proxy = .address("http://127.0.0.1:\(proxy.port)")
        #expect(try await pipeline.data(for: "http://images.example/a").bytes == Array("from the proxy".utf8))
        await #expect(throws: ImageError.self) { try await other.data(for: "http://images.example/a") }
        pipeline.proxy = .direct
        #expect(try await pipeline.data(for: "\(try origin.address("/c"))").bytes == Array("from here".utf8))
        #expect(proxy.requests.count == 1)
    }
}

extension CurlTransport {
    fileprivate var pipeline: ImagePipeline {
        var configuration = ImagePipeline.Configuration(transport: self, decoders: [])
        configuration.retryPolicy = .standard(maxRetryCount: 0)
        return ImagePipeline(configuration)
    }
}

extension ImagePipeline {
    fileprivate func data(for text: String) async throws(ImageError) -> LoadedData {
        try await data(for: ImageRequest(ImageSource(text)))
    }
}

import RemoteImageCore
import TestSupport
import Testing

@Suite("The proxies of the curl transport", .timeLimit(.minutes(5)))
struct CurlProxyTests {
    let origin: RawOrigin

    init() throws {
        origin = try RawOrigin()
    }

    @Test("A transfer goes through the proxy of the configuration, until another is set")
    func proxy() async throws {
        origin.respond(to: "http://pictures.example/a", with: .ok("from the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .address("http://127.0.0.1:\(origin.port)") })
        #expect(try await transport.load(try WebAddress("http://pictures.example/a")).text == "from the proxy")

        let other = try RawOrigin()
        other.respond(to: "http://pictures.example/a", with: .ok("from the other"))
        transport.setProxy(.address("http://127.0.0.1:\(other.port)"))
        #expect(try await transport.load(try WebAddress("http://pictures.example/a")).text == "from the other")
    }

    @Test("The machine itself is not behind the desktop's proxy, everything else is")
    func desktopProxy() async throws {
        let proxy = try RawOrigin()
        proxy.respond(to: "http://pictures.example/a", with: .ok("from the proxy"))
        let transport = CurlTransport(.direct { $0.proxy = .desktop("http://127.0.0.1:\(proxy.port)") })
        #expect(try await transport.load(try WebAddress("http://pictures.example/a")).text == "from the proxy")
        origin.respond(to: "/a", with: .ok("from here"))
        for host in ["127.0.0.1", "localhost"] {
            let address = try WebAddress("http://\(host):\(origin.port)/a")
            #expect(try await transport.load(address).text == "from here")
        }
    }
}

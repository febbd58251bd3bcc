import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@Suite("Privacy of the curl transport", .timeLimit(.minutes(5)))
struct CurlPrivacyTests {
    let origin: RawOrigin
    let transport = CurlTransport(.direct)

    init() throws {
        origin = try RawOrigin()
        origin.respond(to: "/set", with: .ok("a", headers: [("Set-Cookie", "id=1; Path=/")]))
        origin.respond(
            to: "/lead", with: .status(302, headers: [("Location", "/set"), ("Set-Cookie", "id=2; Path=/")]))
    }

    @Test("Cookies are not kept after their transfer, also not on the same connection (RFC 6265 section 5)")
    func cookies() async throws {
        for path in ["/set", "/lead", "/set"] { _ = try await transport.load(try origin.address(path)) }
        #expect(origin.requests.count == 4)
        #expect(origin.requests.map { $0.value("Cookie") } == [nil, nil, "id=2", nil])
    }

    @Test("Requests carry no Referer, From, Expect or conditional fields (RFC 9110 section 10.1.3)")
    func referrer() async throws {
        _ = try await transport.load(try origin.address("/lead"))
        let names = ["Referer", "From", "If-Modified-Since", "If-None-Match", "Expect"]
        #expect(try await origin.received(count: 2).names.isDisjoint(with: names))
    }

    @Test("Error messages contain no user name or password")
    func messages() async throws {
        let refusing = try RefusingPort()
        origin.respond(to: "/loop", with: .redirect(to: "/loop"))
        origin.respond(to: "/elsewhere", with: .redirect(to: "ftp://test/"))
        origin.respond(to: "/broken", with: .truncated([1], announced: 9))
        origin.respond(to: "/large", with: .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"))
        origin.respond(to: "/nonsense", with: .raw("nonsense", then: .close))
        origin.respond(to: "/silent", with: .silence)
        let limits = TransferLimits.limits {
            $0.maxBodyByteCount = 50
            $0.timeout = .milliseconds(300)
        }
        var addresses = try ["/loop", "/elsewhere", "/broken", "/large", "/nonsense", "/silent"].map {
            try origin.address($0, userInfo: "anna:secret")
        }
        addresses.append(try WebAddress("http://anna:secret@127.0.0.1:\(refusing.port)/"))
        for address in addresses {
            let error = try #require(try await transport.load(address, limits: limits).error)
            #expect(!error.description.contains("secret"), "\(error.code)")
            #expect(!"\(error)".contains("anna"), "\(error.code)")
        }
    }
}

extension RawRequest {
    fileprivate var names: Set<String> {
        Set(head.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ":").first.map(String.init) })
    }
}

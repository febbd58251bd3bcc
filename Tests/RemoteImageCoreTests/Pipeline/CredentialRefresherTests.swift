import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Which requests share the replacement of a refused credential, and for how long.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct CredentialRefresherTests {
    private let clock = TestClock()
    private let refresher: CredentialRefresher
    private let request: TransferRequest
    /// The refused credentials with which the program was asked for a replacement.
    private let asked = Watched<[String]>([])

    init() throws {
        refresher = CredentialRefresher(limit: .seconds(3600), clock: clock)
        request = TransferRequest(try WebAddress("https://test/a"))
    }

    /// A provider whose first credential is `first`, and that replaces credentials by a table.
    private func provider(
        _ first: String? = "1", _ replacements: [String: String?] = [:], account: String = "anna",
        origins: [String] = ["https://test"], field: HTTPField.Name = .authorization, failure: ImageError? = nil
    ) -> AuthorizationProvider {
        AuthorizationProvider(account: account, origins: origins, field: field) { [asked] request in
            guard let refusal = request.refusal else { return first }
            let refused = refusal.credential ?? "-"
            asked.update { $0.append(refused) }
            if let failure { throw failure }
            return replacements[refused] ?? nil
        }
    }

    /// The new credential; `nil` if the refusal is final.
    private func replacement(
        of credential: String?, by provider: AuthorizationProvider, requestedAt: Duration = .zero
    ) async throws -> String? {
        let refusal = AuthorizationRequest.Refusal(credential: credential, status: 401, challenges: [])
        let renewal = try await refresher.renew(after: refusal, of: request, by: provider, requestedAt: requestedAt)
        return renewal.map { $0.credential ?? "none" }
    }

    private func credential(by provider: AuthorizationProvider) async throws -> String? {
        try await refresher.credential(for: request, by: provider)
    }

    @Test func `a final refusal holds for loads that were requested before it, for a minute`() async throws {
        let provider = provider("1", ["1": "1"])
        clock.advance(by: .seconds(10))
        #expect(try await replacement(of: "1", by: provider) == nil)
        #expect(try await replacement(of: "1", by: provider, requestedAt: .seconds(10)) == nil)
        #expect(asked.value == ["1"])
        #expect(try await replacement(of: "1", by: provider, requestedAt: .milliseconds(10_001)) == nil)
        #expect(asked.value == ["1", "1"], "a later load asks again")
        clock.advance(by: .milliseconds(59_999))
        #expect(try await replacement(of: "1", by: provider, requestedAt: .seconds(10)) == nil)
        #expect(asked.value.count == 2)
        clock.advance(by: .milliseconds(1))
        #expect(try await replacement(of: "1", by: provider, requestedAt: .seconds(10)) == nil)
        #expect(asked.value.count == 3)
    }

    /// The account stayed without its credential until the program ended.
    @Test func `a credential that was replaced by none is sent again after a minute`() async throws {
        let provider = provider("1")
        #expect(try await replacement(of: "1", by: provider) == "none")
        clock.advance(by: .milliseconds(59_999))
        #expect(try await credential(by: provider) == nil)
        clock.advance(by: .milliseconds(1))
        #expect(try await credential(by: provider) == "1")
    }

    /// It caused a replacement of its own, which a single-use token does not survive.
    @Test func `a refused credential waits for a running replacement that may have brought it`() async throws {
        let isOpen = Watched(false)
        let provider = AuthorizationProvider(account: "anna", origins: ["https://test"]) { [asked] request in
            guard let refusal = request.refusal else { return "2" }
            asked.update { $0.append(refusal.credential ?? "-") }
            try await isOpen.wait { $0 }
            return "2"
        }
        let first = Task { try await replacement(of: "1", by: provider) }
        try await asked.wait { $0 == ["1"] }
        let second = Task { try await replacement(of: "2", by: provider) }
        // The time limits of the program's call and of the two refusals that wait for its result.
        try await clock.scheduled(count: 3)
        isOpen.update { $0 = true }
        #expect(try await first.value == "2")
        #expect(try await second.value == nil)
        #expect(asked.value == ["1"])
    }

    @Test func `the refusal of a new credential is final for the loads that were requested before it`() async throws {
        let provider = provider("1", ["1": "2", "2": "3"])
        clock.advance(by: .seconds(10))
        #expect(try await replacement(of: "1", by: provider) == "2")
        #expect(try await replacement(of: "1", by: provider) == "2")
        #expect(try await replacement(of: "2", by: provider) == nil)
        #expect(asked.value == ["1"])
        #expect(try await replacement(of: "2", by: provider, requestedAt: .seconds(11)) == "3")
        #expect(asked.value == ["1", "2"])
    }

    @Test func `an error of a replacement is shared, unless the network was missing`() async throws {
        for (error, count) in [(ImageError(.source, "signed out"), 1), (ImageError(.connection), 3)] {
            let provider = provider("1", account: error.code.rawValue, failure: error)
            asked.update { $0 = [] }
            for _ in 0..<3 {
                await #expect(throws: error) { try await replacement(of: "1", by: provider) }
            }
            #expect(asked.value.count == count)
        }
    }

    /// The refused credential was new before.
    @Test func `of two replacements that concern a credential, the last one counts`() async throws {
        let failing = provider("1", failure: ImageError(.source, "signed out"))
        clock.advance(by: .seconds(10))
        #expect(try await replacement(of: "0", by: provider("0", ["0": "1"])) == "1")
        clock.advance(by: .seconds(1))
        for time in [11, 5] {
            await #expect(throws: ImageError(.source, "signed out")) {
                try await replacement(of: "1", by: failing, requestedAt: .seconds(time))
            }
        }
        #expect(asked.value == ["0", "1"])
    }

    @Test func `replacements are followed to the last one`() async throws {
        let provider = provider("1", ["1": "2", "8": "9", "2": "3"])
        for (number, credential) in ["1", "8", "2"].enumerated() {
            clock.advance(by: .seconds(1))
            _ = try await replacement(of: credential, by: provider, requestedAt: .seconds(number + 1))
        }
        #expect(try await credential(by: provider) == "3")
        #expect(try await replacement(of: "1", by: provider, requestedAt: .seconds(100)) == "3")
        #expect(asked.value == ["1", "8", "2"])
        #expect(try await credential(by: self.provider("8")) == "9")
        #expect(try await credential(by: self.provider("7")) == "7")
    }

    @Test func `a credential that is returned again is valid again`() async throws {
        let provider = provider("1", ["1": "2", "2": "1"])
        #expect(try await replacement(of: "1", by: provider) == "2")
        clock.advance(by: .seconds(1))
        #expect(try await replacement(of: "2", by: provider, requestedAt: .seconds(1)) == "1")
        #expect(try await credential(by: provider) == "1")
        #expect(try await credential(by: self.provider("2")) == "1")
    }

    @Test func `a request goes on without a credential if that is the replacement`() async throws {
        for empty in [nil, ""] as [String?] {
            let provider = provider("1", ["1": empty], account: empty ?? "nil")
            #expect(try await replacement(of: "1", by: provider) == "none")
            #expect(try await credential(by: provider) == nil)
            #expect(try await replacement(of: nil, by: provider) == nil, "a request without one was refused")
        }
        #expect(try await credential(by: provider("")) == nil)
    }

    @Test func `the last eight replacements are known`() async throws {
        let provider = provider("0", Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", "new \($0)") }))
        for number in 0..<8 { _ = try await replacement(of: "\(number)", by: provider) }
        #expect(try await credential(by: provider) == "new 0")
        _ = try await replacement(of: "8", by: provider)
        #expect(try await credential(by: provider) == "0")
        for number in 1...8 { #expect(try await credential(by: self.provider("\(number)")) == "new \(number)") }
    }

    @Test func `accounts, origins and fields share no replacement, and the order of origins does not count`()
        async throws
    {
        let origins = ["https://test", "https://other"]
        _ = try await replacement(of: "1", by: provider("1", ["1": "2"], origins: origins))
        #expect(try await credential(by: provider(origins: origins.reversed())) == "2")
        #expect(try await credential(by: provider(account: "ben", origins: origins)) == "1")
        #expect(try await credential(by: provider(origins: ["https://test"])) == "1")
        #expect(try await credential(by: provider(origins: origins, field: .cookie)) == "1")
    }

    @Test func `a removed account forgets its replacements, and others keep theirs`() async throws {
        for account in ["anna", "ben"] {
            _ = try await replacement(of: "1", by: provider("1", ["1": "2"], account: account))
        }
        refresher.forget("anna")
        #expect(try await credential(by: provider(account: "anna")) == "1")
        #expect(try await credential(by: provider(account: "ben")) == "2")
    }

    @Test func `a replacement that ends after its account was removed replaces nothing`() async throws {
        let gates = [Watched(false), Watched(false)]
        let asked = asked
        let provider = AuthorizationProvider(account: "anna", origins: ["https://test"]) { request in
            guard request.refusal != nil else { return "1" }
            let number = asked.update { asked -> Int in
                asked.append("1")
                return asked.count
            }
            try await gates[number - 1].wait { $0 }
            return "of \(number)"
        }
        let first = Task { try await replacement(of: "1", by: provider) }
        try await asked.wait { $0.count == 1 }
        refresher.forget("anna")
        let second = Task { try await replacement(of: "1", by: provider) }
        try await asked.wait { $0.count == 2 }
        gates[0].update { $0 = true }
        #expect(try await first.value == "of 1")
        let waiting = Task { try await credential(by: provider) }
        gates[1].update { $0 = true }
        #expect(try await second.value == "of 2")
        #expect(try await waiting.value == "of 2")
        #expect(try await credential(by: provider) == "of 2")
        #expect(asked.value.count == 2)
    }

    @Test(arguments: [(" ~", true), ("a\u{1F}", false), ("a\u{7F}", false), ("\t", false)])
    func `a credential has the characters of a header`(text: String, isValid: Bool) async throws {
        if isValid {
            #expect(try await credential(by: provider(text)) == text)
        } else {
            await #expect(throws: ImageError.self) { try await credential(by: provider(text)) }
        }
    }

    @Test func `providers are equal if account, origins and field are equal`() {
        let one = provider()
        #expect(one == provider("2", ["1": "2"]))
        for other in [
            provider(account: "ben"), provider(origins: ["https://other"]), provider(field: .cookie),
            provider(origins: ["https://test", "https://other"]),
        ] {
            #expect(one != other)
        }
    }
}

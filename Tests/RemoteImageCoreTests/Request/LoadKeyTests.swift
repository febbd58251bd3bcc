import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The keys by which requests share data, and those of stored responses.
@Suite(.endsInTime)
struct LoadKeyTests {
    private let source: ImageSource = "http://test/a"

    private func key(
        _ options: ImageOptions = ImageOptions(), _ source: ImageSource? = nil, number: Int? = nil
    ) -> LoadKey {
        LoadKey(source ?? self.source, options, requestNumber: number)
    }

    private func headers(_ fields: HTTPFields) -> ImageOptions { ImageOptions(headers: fields) }

    private func hook(_ name: String, _ account: String?) -> ImageOptions {
        ImageOptions(requestHook: RequestHook(name, account: account) { _ in })
    }

    private func authorization(_ account: String, _ origin: String = "http://test") -> ImageOptions {
        ImageOptions(authorization: AuthorizationProvider(account: account, origins: [origin]) { _ in nil })
    }

    @Test func `a request without headers has the identity of its source`() {
        let plain = key()
        #expect(plain.identity == "http://test/a" && plain.headers == "")
        #expect(plain.storeKey(common: [:]) == "http://test/a")
        #expect(plain.isShared && !plain.hasAccount && plain.requestNumber == nil && plain.accountGeneration == nil)
        #expect(plain == LoadKey(identity: "http://test/a"))
        #expect(plain != LoadKey(identity: "http://test/b"))
    }

    @Test func `headers are compared in any order, and their values count`() {
        let (one, two) = (key(headers([.accept: "1", .cookie: "2"])), key(headers([.cookie: "2", .accept: "1"])))
        #expect(one == two && one.headers == "accept:1\ncookie:2")
        #expect(
            one != key() && one != key(headers([.accept: "1"])) && one != key(headers([.accept: "1", .cookie: "3"])))
        #expect(one.hashValue == two.hashValue)
    }

    @Test func `the key of a stored response hides the headers, also those of the pipeline`() {
        let own = key(headers([.accept: "1"]))
        let names = [
            key().storeKey(common: [:]), key().storeKey(common: [.accept: "1"]), own.storeKey(common: [:]),
            own.storeKey(common: [.accept: "1"]), own.storeKey(common: [.accept: "2"]),
        ]
        #expect(Set(names).count == names.count)
        for name in names.dropFirst() {
            let lines = name.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "http://test/a")
            #expect(lines[1].hasPrefix("headers ") && lines[1].count == 40)
        }
        #expect(
            own.storeKey(common: [.accept: "1", .cookie: "2"]) == own.storeKey(common: [.cookie: "2", .accept: "1"]))
    }

    @Test func `an account has a line of its own, so that its responses can be removed`() {
        let (anna, bob) = (SHA256.name(of: "anna"), SHA256.name(of: "bob"))
        var both = authorization("anna")
        both.requestHook = RequestHook("hook", account: "bob") { _ in }
        both.headers = [.accept: "1"]
        for (options, hashes) in [
            (authorization("anna"), [anna]), (hook("hook", "anna"), [anna]), (both, [anna, bob].sorted()),
        ] {
            let key = key(options)
            #expect(key.hasAccount && key.isShared)
            #expect(key.headers.split(separator: "\n").prefix(hashes.count) == hashes.map { "account \($0)" }[...])
            let storeKey = key.storeKey(common: [:])
            let lines = storeKey.split(separator: "\n").map(String.init)
            #expect(lines.dropLast() == ["http://test/a"] + hashes.map { "account \($0)" })
            for hash in [anna, bob] {
                #expect(key.belongs(toAccount: hash) == hashes.contains(hash))
                #expect(LoadKey.isStoreKey(storeKey, ofAccount: hash) == hashes.contains(hash))
            }
            #expect(!key.belongs(toAccount: String(anna.dropLast())))
        }
        #expect(key(authorization("anna")) != key(authorization("bob")))
        #expect(key(authorization("anna")) == key(authorization("anna")))
        // The credential is not sent to another server, nor to a file.
        #expect(key(authorization("anna", "http://other")) == key())
        #expect(key(authorization("anna"), .file("/a")) == LoadKey(identity: "file:/a"))
        #expect(key(hook("hook", "anna"), .file("/a")) == LoadKey(identity: "file:/a"))
    }

    @Test func `a hook without an account shares nothing in memory`() {
        let (first, second) = (key(hook("hook", nil)), key(hook("hook", nil)))
        #expect(first != second && !first.isShared && !first.hasAccount)
        #expect(first == key(hook("hook", nil), number: first.requestNumber))
        #expect(key(hook("hook", "")).isShared && !key(hook("hook", "")).hasAccount)
        #expect(key(hook("hook", "")) == key(hook("hook", "")))
        #expect(key(hook("hook", "anna")) != key(hook("other", "anna")))
        #expect(key(hook("hook", nil), .file("/a")).isShared)
    }

    @Test func `a response to a changed request is found by what was sent`() throws {
        let key = key(hook("hook", nil))
        func sent(_ address: String, _ fields: HTTPFields = [:]) throws -> String {
            key.storeKey(sent: TransferRequest(try WebAddress(address), headers: fields))
        }
        let names = try [sent("http://test/a"), sent("http://test/a?b"), sent("http://test/a", [.accept: "1"])]
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { $0.hasPrefix("http://test/a\nheaders ") })
        #expect(try sent("http://test/a") == names[0])
    }

    @Test func `a source to which a provider resolved has a key of its own and the same stored response`() {
        let own = key(headers([.accept: "1"]))
        #expect(own.resolved != own && own.resolved == own.resolved)
        #expect(own.resolved.storeKey(common: [:]) == own.storeKey(common: [:]))
    }

    @Test func `the input of the last processor has the key without it`() {
        let full = ImageKey(load: key(), target: .longestSide(3), processors: ["a", "b", "c"])
        #expect(full.unprocessed == ImageKey(load: key(), target: .longestSide(3), processors: ["a", "b"]))
        #expect(full.unprocessed != ImageKey(load: key(), target: nil, processors: ["a", "b"]))
    }
}

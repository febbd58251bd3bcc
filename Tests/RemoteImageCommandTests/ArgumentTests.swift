import ArgumentParser
import HTTPTypes
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import remote_image

/// The values that options set, and their limits.
@Suite(.timeLimit(.minutes(5)))
struct ArgumentTests {
    private func isValid(_ arguments: String...) -> Bool {
        (try? FetchCommand.parse(arguments + ["http://test/"])) != nil
    }

    @Test func `numbers have the documented limits`() {
        #expect(isValid("--size", "1") && !isValid("--size", "0"))
        #expect(isValid("--concurrency", "1") && !isValid("--concurrency", "0"))
        #expect(isValid("--concurrency", "1000") && !isValid("--concurrency", "1001"))
        #expect(isValid("--timeout", "86400") && !isValid("--timeout", "86400.1"))
        #expect(isValid("--timeout", "0.001") && !isValid("--timeout", "0") && !isValid("--timeout=-1"))
        #expect(!isValid("--timeout", "nan") && !isValid("--timeout", "inf"))
        #expect(isValid("--max-body", "1") && !isValid("--max-body", "0"))
        #expect(isValid("--max-pixels", "1") && !isValid("--max-pixels", "0"))
        #expect(isValid("--retries", "0") && !isValid("--retries=-1"))
        #expect((try? CacheCommand.Trim.parse(["--to", "0"])) != nil)
        #expect((try? CacheCommand.Trim.parse(["--to=-1"])) == nil)
    }

    @Test func `addresses come from arguments, from lists, or from both`() {
        for arguments in [["a"], ["--urls", "a"], ["--urls", "a", "b", "c"]] {
            #expect((try? FetchCommand.parse(arguments)) != nil)
        }
        #expect((try? FetchCommand.parse([])) == nil)
        #expect((try? FetchCommand.parse(["a", "--output", ""])) == nil)
        for option in [["--format", "webp"], ["--output-name", "{index}"]] {
            #expect((try? FetchCommand.parse(["a"] + option)) == nil)
            #expect((try? FetchCommand.parse(["a", "--output", "b"] + option)) != nil)
        }
        #expect((try? GetCommand.parse(["a"])) != nil && (try? GetCommand.parse(["--jsonl"])) != nil)
        #expect((try? GetCommand.parse([])) == nil && (try? GetCommand.parse(["a", "--jsonl"])) == nil)
        #expect((try? GetCommand.parse(["a", "--allow-errors"])) != nil)
        #expect((try? GetCommand.parse(["--jsonl", "--allow-errors"])) == nil)
    }

    @Test func `options that are left out have the documented defaults`() throws {
        let command = try FetchCommand.parse(["http://test/"])
        #expect(command.size == nil && command.concurrency == 6 && !command.json)
        #expect(command.output == nil && command.outputName == nil && command.format == nil)
        #expect(command.storedSizes == .automatic)
        let transfer = command.transfer
        #expect(!transfer.blockPrivateNetworks && !transfer.enableSVG && !transfer.noDiskCache)
        #expect(transfer.isolate == nil && transfer.policy == .http)
        #expect(transfer.limits == TransferLimits())
        #expect(transfer.retryPolicy == .standard())
        var configuration = ImagePipeline.Configuration(transport: FakeTransport(), decoders: [])
        transfer.apply(to: &configuration)
        #expect(configuration.options.headers.isEmpty && configuration.options.cachePolicy == .http)
        #expect(configuration.transferLimits == TransferLimits() && configuration.decodeLimits == DecodeLimits())
        let get = try GetCommand.parse(["http://test/"])
        #expect(!get.include && !get.allowErrors && !get.jsonl)
    }

    @Test func `the options of a transfer reach requests and pipelines`() throws {
        let transfer = try TransferOptions.parse([
            "--header", "X-Own: 1", "--header", "Accept:image/x", "--timeout", "1.5", "--max-body", "7", "--max-pixels",
            "8", "--retries", "3", "--policy", "reload", "--enable-svg", "--no-isolate",
        ])
        let limits = TransferLimits(maxBodyByteCount: 7, timeout: .milliseconds(1500))
        let fields: HTTPFields = [try #require(HTTPField.Name("X-Own")): "1", .accept: "image/x"]
        #expect(transfer.limits == limits && transfer.fields == fields)
        #expect(transfer.retryPolicy == .standard(maxRetryCount: 3))
        let request = try transfer.request(for: "http://test/a")
        #expect(request.address.string == "http://test/a" && request.headers == fields && request.limits == limits)
        var configuration = ImagePipeline.Configuration(transport: FakeTransport(), decoders: [])
        transfer.apply(to: &configuration)
        #expect(configuration.options.headers == fields && configuration.transferLimits == limits)
        #expect(configuration.options.cachePolicy == .reload)
        #expect(configuration.decodeLimits == DecodeLimits(maxPixelCount: 8))
        #expect(configuration.retryPolicy == .standard(maxRetryCount: 3))
        #expect(transfer.decoders.last is DrawingDecoder)
        let plain = try TransferOptions.parse(["--no-isolate"])
        #expect(plain.decoders.count == transfer.decoders.count - 1)
        #expect(!plain.decoders.contains { $0 is DrawingDecoder })
    }

    @Test(
        arguments: [
            ("X-Own: a b ", "a b"), ("X-Own:\t a\t", "a"), ("X-Own:", ""), ("X-Own: a: b", "a: b"), ("X-Own:é", "é"),
            ("X-Own a", nil), (": a", nil), ("X Own: a", nil), ("X-Own: a\nb", nil), ("X-Own: a\0", nil),
        ] as [(String, String?)])
    func `a header is a name and a value without the spaces around it`(argument: String, value: String?) {
        #expect(HeaderArgument(argument: argument)?.field.value == value)
    }

    @Test func `the policies of the command are those of requests`() {
        #expect(
            CachePolicy.allValueStrings == ["http", "stored", "stored-only", "reload", "no-store", "revalidate"])
        #expect(CachePolicy(argument: "stored-only") == .cacheOnly)
        #expect(CachePolicy(argument: "stale-while-revalidate") == nil && CachePolicy(argument: "") == nil)
    }

    @Test func `each format has its extension`() {
        #expect(OutputFormat.allCases.map(\.fileExtension) == ["jpg", "png", "webp"])
    }
}

/// JSON on one line.
@Suite struct JSONLineTests {
    @Test func `fields keep their order and their types`() {
        var inner = JSONLine()
        inner.add("a", 1)
        var line = JSONLine()
        #expect(line.object == "{}")
        line.add("text", "x")
        line.add("number", -5)
        line.add("truth", true)
        line.add("pairs", [["a", "b\""], ["c", "d"]])
        line.add("object", inner)
        line.add("objects", [inner, JSONLine()])
        line.add("none", [JSONLine]())
        line.add("time", .milliseconds(1050))
        #expect(
            line.object == #"{"text":"x","number":-5,"truth":true,"pairs":[["a","b\""],["c","d"]],"object":{"a":1},"#
                + #""objects":[{"a":1},{}],"none":[],"time":1.050}"#)
    }

    @Test(arguments: [
        ("", #""""#), (" ~", #"" ~""#), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1F}", #""\u0000\u001f""#), ("\u{7F}\u{9F}", #""\u007f\u009f""#), ("\u{A0}é😀", "\"\u{A0}é😀\""),
        ("\u{202E}", #""\u202e""#), ("a\u{1B}é\"", #""a\u001bé\"""#),
    ])
    func `text is quoted`(text: String, quoted: String) {
        #expect(JSONLine.quoted(text) == quoted)
    }

    @Test(arguments: [
        (Duration.zero, "0.000"), (.milliseconds(1), "0.001"), (.milliseconds(10), "0.010"),
        (.milliseconds(999), "0.999"),
        (.milliseconds(1000), "1.000"), (.milliseconds(61_234), "61.234"), (.microseconds(1999), "0.001"),
        (.seconds(3600), "3600.000"),
    ])
    func `seconds have three decimals`(duration: Duration, text: String) {
        #expect(duration.secondsText == text)
    }
}

/// The limits of the store in memory, and of the names of files.
@Suite(.timeLimit(.minutes(5)))
struct CommandLimitTests {
    private func keep(_ byteCount: Int, for key: String, in store: MemoryResponseStore, replacing: Bool = true) throws {
        let response = StoredResponse(
            status: 200, headers: [:], address: try WebAddress("http://test/a"), requestTime: 1, responseTime: 1)
        store.store(response, body: Array(repeating: 7, count: byteCount), for: key) { _ in replacing }
    }

    private func kept(_ keys: some Sequence<String>, in store: MemoryResponseStore) -> [String] {
        keys.filter { key in store.responses(for: key).contains { store.body(of: $0, for: key) != nil } }
    }

    /// An entry counts 2,048 bytes more than its body.
    @Test(arguments: [(9144, ["a", "b", "c"]), (9143, ["b", "c"])])
    func `entries that fill the limit exactly stay`(limit: Int, expected: [String]) throws {
        let store = MemoryResponseStore(byteLimit: limit)
        for key in ["a", "b", "c"] { try keep(1000, for: key, in: store) }
        #expect(kept(["a", "b", "c"], in: store) == expected)
    }

    @Test func `an entry that is replaced or removed frees its bytes`() throws {
        let store = MemoryResponseStore(byteLimit: 9144)
        for key in ["a", "b"] { try keep(1000, for: key, in: store) }
        for _ in 0..<20 { try keep(1000, for: "c", in: store) }
        #expect(kept(["a", "b", "c"], in: store) == ["a", "b", "c"])
        for _ in 0..<20 {
            store.remove("c")
            try keep(1000, for: "c", in: store)
        }
        #expect(kept(["a", "b", "c"], in: store) == ["a", "b", "c"])
        store.removeAll()
        for key in ["d", "e", "f"] { try keep(1000, for: key, in: store) }
        #expect(kept(["a", "d", "e", "f"], in: store) == ["d", "e", "f"])
        try keep(1000, for: "g", in: store)
        #expect(kept(["d", "e", "f", "g"], in: store) == ["e", "f", "g"])
    }

    @Test func `a body of an eighth of the limit is kept`() throws {
        let store = MemoryResponseStore(byteLimit: 80_000)
        try keep(10_000, for: "a", in: store)
        #expect(kept(["a"], in: store) == ["a"])
        try keep(10_001, for: "a", in: store)
        #expect(kept(["a"], in: store) == [])
        let standard = MemoryResponseStore()
        try keep(4 << 20, for: "a", in: standard)
        try keep(4 << 20 + 1, for: "b", in: standard)
        #expect(kept(["a", "b"], in: standard) == ["a"])
    }

    @Test func `a key has at most eight variants, the newest first`() throws {
        let store = MemoryResponseStore()
        for byteCount in 1...10 { try keep(byteCount, for: "a", in: store, replacing: false) }
        let sizes = store.responses(for: "a").map { store.body(of: $0, for: "a")?.count }
        #expect(sizes == [10, 9, 8, 7, 6, 5, 4, 3])
        #expect(store.responses(for: "a").map(\.body.byteCount) == sizes)
    }

    @Test func `many uses keep the order of eviction`() throws {
        let store = MemoryResponseStore(byteLimit: 9144)
        for key in ["a", "b", "c"] { try keep(1000, for: key, in: store) }
        for _ in 0..<500 { for key in ["b", "a"] { _ = store.responses(for: key) } }
        try keep(1000, for: "d", in: store)
        try keep(1000, for: "e", in: store)
        #expect(kept(["a", "b", "c", "d", "e"], in: store) == ["a", "d", "e"])
    }

    @Test(arguments: [(242, true), (243, false)])
    func `a name has room for a number and an extension`(length: Int, isValid: Bool) {
        #expect(((try? NameTemplate(String(repeating: "a", count: length))) != nil) == isValid)
        // The name has up to 80 bytes, and the index seven.
        let name = String(repeating: "a", count: length - 80)
        #expect(((try? NameTemplate("\(name){name}")) != nil) == isValid)
        let index = String(repeating: "a", count: length - 7)
        #expect(((try? NameTemplate("\(index){index}")) != nil) == isValid)
    }

    @Test(arguments: [
        ("http://test/a.b.jpg", "a_b"), ("http://test/a/", "a"), ("http://test/a?b=/c.png", "a"),
        ("http://test/a#b/c", "a"),
        ("http://test/---a-", "a-"), ("http://test/é", "image"), ("http://test/é1", "__1"), ("a b", "a_b"),
        ("", "image"), ("http://test/_", "image"),
        ("http://test/0", "0"), ("http://test/-_-", "image"),
    ])
    func `a name is the last part of a path without its extension`(address: String, name: String) {
        #expect(NameTemplate.name(for: address) == name)
    }

    @Test func `each retry waits longer, until the policy gives up`() async throws {
        let (transport, clock) = (FakeTransport(), TestClock())
        let client = HTTPClient(
            store: nil, transport: transport, concurrency: 1, clock: clock,
            retryPolicy: .standard(maxRetryCount: 2, jitter: 0))
        let request = TransferRequest(try WebAddress("http://test/a"))
        let answer = Task { try await client.response(for: request, policy: .http) }
        for (number, delay) in [(1, Duration.milliseconds(500)), (2, .seconds(1))] {
            try await transport.started(count: number).fail(ImageError(.connection, "\(number)"))
            try await clock.scheduled(count: number)
            #expect(clock.nextDelay == delay)
            clock.advance(by: delay)
        }
        try await transport.started(count: 3).fail(ImageError(.connection, "3"))
        await #expect(throws: ImageError(.connection, "3")) { try await answer.value }
        let refused = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 4).fail(ImageError(.tls))
        await #expect(throws: ImageError(.tls)) { try await refused.value }
        #expect(transport.transfers.count == 4)
    }
}

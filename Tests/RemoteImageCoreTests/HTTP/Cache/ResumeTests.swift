import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Interrupted downloads resume where they ended (RFC 9110 sections 13.1.5 and 14).
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct ResumeTests {
    let transport = FakeTransport()
    let store: DiskCache
    let client: HTTPCache
    private let folder: TemporaryFolder
    private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private let tag: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path)
        client = HTTPCache(store: store, transport: transport, clock: TestClock())
    }

    private func request() throws -> TransferRequest { TransferRequest(try WebAddress("http://test/large")) }

    /// Sends the first half of the body and breaks the connection.
    private func breakOff(_ headers: HTTPFields, after byteCount: Int = 100_000, count: Int = 1) async throws {
        let request = try request()
        let first = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: count)
        transfer.respond(headers: headers, expected: body.count)
        transfer.send(Array(body.prefix(byteCount)))
        transfer.fail(ImageError(.incomplete))
        await #expect(throws: ImageError.self) { try await first.value }
        await client.finished()
    }

    private func continued(_ range: String, total: Int = 200_000, tag: String = "\"1\"") -> HTTPFields {
        [.contentRange: "bytes \(range)/\(total)", .eTag: tag, .cacheControl: "max-age=60"]
    }

    @Test func `a resumed download requests only the rest and stores the whole (section 14.2)`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.range] == "bytes=100000-")
        #expect(transfer.request.headers[.ifRange] == "\"1\"")
        transfer.succeed(Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        let response = try await second.value
        #expect(response.status == 200)
        #expect(response.bytes == body)
        #expect(response.headers[.contentRange] == nil)
        #expect(response.headers[.contentLength] == "200000")
        await client.finished()
        let stored = try await client.response(for: request, policy: .cacheOnly)
        #expect(stored.bytes == body)
        #expect(store.everything().count == 1, "the beginning is gone")
    }

    /// The response is stored under the first address only as long as these redirects are valid.
    @Test func `a resumed response has the redirects of the request for its rest`() throws {
        let request = try request()
        let stored = StoredResponse(
            status: 200, headers: tag, address: request.address, requestTime: 0, responseTime: 0)
        let partial = PartialResponse(response: stored, body: Array(body.prefix(100_000)))
        var head = TransferHead(status: 206, headers: continued("100000-199999"), address: request.address)
        head.redirects = [
            RedirectTerms.Hop(address: request.address, status: 302, headers: [.cacheControl: "no-store"])
        ]
        let whole = try #require(partial.whole(continuedBy: head, maxByteCount: 1 << 20))
        #expect(whole.redirectTerms?.isStorable == false)
    }

    /// The update of a stored response used to start from its beginning after each interruption.
    @Test(arguments: [206, 200, 304])
    func `an interrupted update of a stored response is resumed (section 13.2.2)`(status: Int) async throws {
        let request = try request()
        let first = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 1).succeed([1], headers: [.eTag: "\"0\"", .cacheControl: "max-age=0"])
        _ = try await first.value
        await client.finished()
        try await breakOff(tag, count: 2)

        let third = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 3)
        #expect(transfer.request.headers[.ifNoneMatch] == "\"0\"")
        #expect(transfer.request.headers[.range] == "bytes=100000-")
        #expect(transfer.request.headers[.ifRange] == "\"1\"")
        switch status {
        case 206:
            transfer.succeed(Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        case 200: transfer.succeed(body, headers: tag)
        default: transfer.succeed([], status: 304, headers: [.eTag: "\"0\""])
        }
        let expected = status == 304 ? [1] : body
        #expect(try await third.value.bytes == expected)
        await client.finished()
        #expect(try await client.response(for: request, policy: .cacheOnly).bytes == expected)
        #expect(store.everything().count == 1, "the partial response is gone")
    }

    @Test(arguments: [206, 200])
    func `the partial response is released once the caller has it`(status: Int) throws {
        let request = try request()
        let stored = StoredResponse(
            status: 200, headers: tag, address: request.address, requestTime: 0, responseTime: 0)
        let conditions = HTTPCache.Conditions(
            partial: PartialResponse(response: stored, body: Array(body.prefix(100_000))))
        let cache = HTTPCache(store: store, transport: transport, clock: TestClock())
        let byteCount = Lock(0)
        let lookup = HTTPCache.Lookup(key: request.address.string, policy: .http, keepsAnyStatus: true)
        let answer = ServerAnswer(cache, [:], request, lookup, conditions) { _, body in
            byteCount.withLock { $0 = body.count }
        }
        try answer.receive(
            TransferHead(status: status, headers: continued("100000-199999"), address: request.address))
        #expect(byteCount.withLock { $0 } == (status == 206 ? 100_000 : 0))
        #expect(conditions.partial == nil, "a large body would be in memory twice until its end")
    }

    @Test func `a download that is interrupted again resumes from its new end`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 2)
        transfer.respond(status: 206, headers: continued("100000-199999"), expected: 100_000)
        transfer.send(Array(body[100_000..<150_000]))
        transfer.fail(ImageError(.timeout))
        await #expect(throws: ImageError.self) { try await second.value }
        await client.finished()
        let third = Task { try await client.response(for: request, policy: .http) }
        let last = try await transport.started(count: 3)
        #expect(last.request.headers[.range] == "bytes=150000-")
        last.succeed(Array(body.dropFirst(150_000)), status: 206, headers: continued("150000-199999"))
        #expect(try await third.value.bytes == body)
    }

    @Test func `a new version is received from its start in the same transfer (section 13.1.5)`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed([1, 2, 3], headers: [.eTag: "\"2\""])
        #expect(try await second.value.bytes == [1, 2, 3])
    }

    @Test(arguments: [
        ("100001-199999", 200_000, "\"1\""), ("0-199999", 200_000, "\"1\""), ("100000-150000", 200_000, "\"1\""),
        ("100000-199999", 200_000, "\"2\""), ("100000-199999", 200_001, "\"1\""), ("nonsense", 200_000, "\"1\""),
    ])
    func `parts with another range, length or validator are never joined (section 15.3.7.3)`(
        range: String, total: Int, tag: String
    ) async throws {
        try await breakOff(self.tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let wrong = try await transport.started(count: 2)
        wrong.respond(status: 206, headers: continued(range, total: total, tag: tag))
        let whole = try await transport.started(count: 3)
        #expect(whole.request.headers[.range] == nil && whole.request.headers[.ifRange] == nil)
        try await wrong.cancelled()
        whole.succeed(body, headers: self.tag)
        #expect(try await second.value.bytes == body)
    }

    /// The head of a 206 response with the requested rest and these fields.
    private func rest(_ fields: HTTPFields) -> HTTPFields {
        var headers: HTTPFields = [.contentRange: "bytes 100000-199999/200000"]
        for field in fields { headers.append(field) }
        return headers
    }

    private static let date = "Sat, 21 Nov 2026 08:00:00 GMT"
    private static let dated: HTTPFields = [.lastModified: date, .date: "Sat, 21 Nov 2026 09:00:00 GMT"]

    @Test(
        arguments: [
            (["ETag": "\"1\""], [:]), (["ETag": "\"1\""], ["Last-Modified": date]),
            (["ETag": "\"1\""], ["ETag": "W/\"1\""]),
            (["ETag": "\"1\""], ["ETag": "\"1\"", "Content-Encoding": "gzip"]),
            (nil, ["Last-Modified": "Sat, 21 Nov 2026 08:00:01 GMT"]), (nil, ["ETag": "\"1\""]),
        ] as [([String: String]?, [String: String])])
    func `a part that may be of another version is not joined (section 15.3.7.3)`(
        whole: [String: String]?, part: [String: String]
    ) async throws {
        func fields(_ pairs: [String: String]) -> HTTPFields {
            HTTPFields(
                pairs.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } })
        }
        try await breakOff(whole.map(fields) ?? Self.dated)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let wrong = try await transport.started(count: 2)
        #expect(wrong.request.headers[.range] == "bytes=100000-")
        wrong.succeed(Array(body.dropFirst(100_000)), status: 206, headers: rest(fields(part)))
        let again = try await transport.started(count: 3)
        #expect(again.request.headers[.range] == nil)
        again.succeed(body)
        #expect(try await second.value.bytes == body)
    }

    @Test(arguments: [[:], [.lastModified: date]] as [HTTPFields])
    func `a part requested by date need not repeat the date (section 15.3.7)`(part: HTTPFields) async throws {
        try await breakOff(Self.dated)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed(
            Array(body.dropFirst(100_000)), status: 206, headers: rest(part))
        #expect(try await second.value.bytes == body)
    }

    @Test(arguments: [(200_000, true), (199_999, false)])
    func `parts whose total exceeds the limit are not joined`(limit: Int, isJoined: Bool) async throws {
        try await breakOff(tag)
        var request = try request()
        request.limits.maxBodyByteCount = limit
        let second = Task { [request] in try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed(
            Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        if !isJoined { try await transport.started(count: 3).fail(ImageError(.tooLarge)) }
        #expect((try? await second.value.bytes) == (isJoined ? body : nil))
    }

    @Test func `a partial response of another variant is not resumed (RFC 9111 section 4.1)`() async throws {
        var headers = tag
        headers[.vary] = "Accept-Language"
        try await breakOff(headers)
        var german = try request()
        german.headers[.acceptLanguage] = "de"
        let second = Task { [german] in try await client.response(for: german, policy: .http) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.range] == nil)
        transfer.succeed([1, 2, 3])
        #expect(try await second.value.bytes == [1, 2, 3])
    }

    /// The partial response is no part of the confirmed one, and the next request needs it.
    @Test func `a confirmed variant keeps the partial response of another one (section 4.3.3)`() async throws {
        var (english, german) = (try request(), try request())
        english.headers[.acceptLanguage] = "en"
        german.headers[.acceptLanguage] = "de"
        let whole: HTTPFields = [.eTag: "\"0\"", .cacheControl: "max-age=0", .vary: "Accept-Language"]
        let first = Task { [english] in try await client.response(for: english, policy: .http) }
        try await transport.started(count: 1).succeed([1], headers: whole)
        _ = try await first.value
        await client.finished()
        let second = Task { [german] in try await client.response(for: german, policy: .http) }
        let broken = try await transport.started(count: 2)
        broken.respond(headers: [.eTag: "\"1\"", .vary: "Accept-Language"], expected: body.count)
        broken.send(Array(body.prefix(100_000)))
        broken.fail(ImageError(.incomplete))
        await #expect(throws: ImageError.self) { try await second.value }
        await client.finished()

        let third = Task { [english] in try await client.response(for: english, policy: .http) }
        let validation = try await transport.started(count: 3)
        #expect(validation.request.headers[.range] == nil && validation.request.headers[.ifNoneMatch] == "\"0\"")
        validation.succeed([], status: 304, headers: [.eTag: "\"0\""])
        #expect(try await third.value.bytes == [1])
        await client.finished()
        let fourth = Task { [german] in try await client.response(for: german, policy: .http) }
        let rest = try await transport.started(count: 4)
        #expect(rest.request.headers[.range] == "bytes=100000-")
        rest.succeed(Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        #expect(try await fourth.value.bytes == body)
    }

    @Test func `a request with its own Range resumes nothing`() async throws {
        try await breakOff(tag)
        var part = try request()
        part.headers[.range] = "bytes=0-9"
        let second = Task { [part] in try await client.response(for: part, policy: .http) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.range] == "bytes=0-9" && transfer.request.headers[.ifRange] == nil)
        transfer.succeed(Array(body.prefix(10)), status: 206)
        #expect(try await second.value.bytes == Array(body.prefix(10)))
    }

    /// Equal validators of two resources do not make them one (RFC 9110 section 8.8).
    @Test(arguments: ["http://test/other", "http://test/large"])
    func `the rest of another resource or length is not joined`(from address: String) async throws {
        var headers = tag
        headers[.contentLength] = "200000"
        try await breakOff(headers)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let wrong = try await transport.started(count: 2)
        let isSame = address == "http://test/large"
        let total = isSame ? 200_001 : 200_000
        wrong.respond(
            status: 206, headers: continued("100000-\(total - 1)", total: total), from: try WebAddress(address))
        let whole = try await transport.started(count: 3)
        #expect(whole.request.headers[.range] == nil)
        #expect(store.everything().isEmpty, "the partial response is gone")
        whole.succeed(body, headers: tag)
        #expect(try await second.value.bytes == body)
    }

    @Test func `an address that is signed anew is resumed`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 2)
        transfer.respond(
            status: 206, headers: continued("100000-199999"), from: try WebAddress("http://test/large?signature=2"))
        transfer.send(Array(body.dropFirst(100_000)))
        transfer.finish()
        #expect(try await second.value.bytes == body)
    }

    @Test func `a 416 response starts the download over (section 15.5.17)`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed([], status: 416)
        try await transport.started(count: 3).succeed(body, headers: tag)
        #expect(try await second.value.bytes == body)
    }

    /// The part used to stay beside the whole body, and each validation asked for its rest again.
    @Test func `a part that could not be continued is requested once`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed([], status: 416)
        try await transport.started(count: 3).succeed(body, headers: [.eTag: "\"2\"", .cacheControl: "no-cache"])
        _ = try await second.value
        await client.finished()
        let third = Task { try await client.response(for: request, policy: .http) }
        let validation = try await transport.started(count: 4)
        #expect(validation.request.headers[.range] == nil && validation.request.headers[.ifNoneMatch] == "\"2\"")
        validation.succeed([], status: 304, headers: [.eTag: "\"2\""])
        #expect(try await third.value.bytes == body)
    }

    @Test func `a rest of another length is incomplete`() async throws {
        try await breakOff(tag)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 2).succeed(
            Array(body[100_000..<120_000]), status: 206, headers: continued("100000-199999"))
        let error = await #expect(throws: ImageError.self) { try await second.value }
        #expect(error?.code == .incomplete)
    }

    @Test(
        arguments: [
            [.cacheControl: "max-age=60"], [.eTag: "W/\"1\""], [.eTag: "\"1\"", .contentEncoding: "gzip"],
            [.eTag: "\"1\"", .acceptRanges: "none"], [.eTag: "\"1\"", .cacheControl: "no-store"],
            [.lastModified: "Sat, 21 Nov 2026 08:00:00 GMT", .date: "Sat, 21 Nov 2026 08:00:10 GMT"],
        ] as [HTTPFields])
    func `a body without a strong validator is requested again (section 8.8.1)`(headers: HTTPFields) async throws {
        try await breakOff(headers)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.range] == nil)
        transfer.succeed(body)
        #expect(try await second.value.bytes == body)
    }

    @Test func `a Last-Modified well before Date is a strong validator (section 8.8.2.2)`() async throws {
        try await breakOff([
            .lastModified: "Sat, 21 Nov 2026 08:00:00 GMT", .date: "Sat, 21 Nov 2026 09:00:00 GMT",
        ])
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .http) }
        let transfer = try await transport.started(count: 2)
        #expect(transfer.request.headers[.ifRange] == "Sat, 21 Nov 2026 08:00:00 GMT")
        transfer.succeed(body)
        #expect(try await second.value.bytes == body)
    }

    @Test(arguments: [(65_535, false), (65_536, true)])
    func `a partial response under 64 KiB is not kept`(byteCount: Int, isKept: Bool) async throws {
        try await breakOff(tag, after: byteCount)
        #expect(store.everything().isEmpty != isKept)
    }

    @Test(
        arguments: [
            ([1, 2, 3], [:], "\"1\"", 3, true), ([1, 2, 3], [:], "\"1\"", 2, false), ([], [:], "\"1\"", 3, false),
            ([1, 2, 3], [:], "W/\"1\"", 3, false), ([1, 2, 3], [.ifRange: "\"1\""], "\"1\"", 3, false),
            ([1, 2, 3], [.range: "bytes=0-"], "\"1\"", 3, false),
            ([1, 2, 3], [.accept: "image/png"], "\"1\"", 3, true),
        ] as [([UInt8], HTTPFields, String, Int, Bool)])
    func `a stored part is continued for a request of the whole and within its limit`(
        body: [UInt8], asked: HTTPFields, tag: String, limit: Int, isContinued: Bool
    ) throws {
        let (store, key) = (DictionaryStore(), PartialResponse.key(beside: "key"))
        let response = StoredResponse(
            status: 200, headers: [.eTag: tag], address: try request().address, requestTime: 0, responseTime: 0)
        store.store(response, body: body, for: key) { _ in true }
        let partial = PartialResponse.stored(beside: "key", for: asked, maxByteCount: limit, in: store)
        #expect(partial?.body == (isContinued ? body : nil))
    }

    @Test func `a partial response does not count as a stored response`() async throws {
        try await breakOff(tag)
        #expect(store.all().isEmpty)
        let request = try request()
        let error = await #expect(throws: ImageError.self) {
            try await client.response(for: request, policy: .cacheOnly)
        }
        #expect(error?.code == .notStored)
        try store.remove(named: request.address.string)
        #expect(store.everything().isEmpty)
    }

    @Test func `an image that was scrolled away resumes when it comes back`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = store }
        let request = ImageRequest("http://test/large")
        let pending = PendingImage(request, in: pipeline)
        let first = try await transport.started(count: 1)
        first.respond(headers: tag, expected: body.count)
        first.send(Array(body.prefix(100_000)))
        pending.task?.cancel()
        try await first.cancelled()
        // The cancellation reaches the cache soon after.
        try await waitUntil("a stored response") { !store.everything().isEmpty }
        await pipeline.finishWriting()
        let again = PendingImage(request, in: pipeline)
        let second = try await transport.started(count: 2)
        #expect(second.request.headers[.range] == "bytes=100000-")
        again.task?.cancel()
    }

    // MARK: Bodies that are not images

    /// A pipeline over the same store. `body` is no image for it.
    private func pipeline() -> ImagePipeline {
        .test(transport, memoryCache: nil) { $0.responseStore = store }
    }

    /// Interrupts a transfer, starts a load, and sends the rest to it.
    private func resume(in pipeline: ImagePipeline) async throws -> PendingImage {
        try await breakOff(tag)
        let pending = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        let rest = try await transport.started(count: 2)
        #expect(rest.request.headers[.range] == "bytes=100000-")
        rest.succeed(Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        return pending
    }

    /// Each retry used to request the same rest, and to fail in the same way.
    @Test func `a resumed image that cannot be decoded is requested as a whole`() async throws {
        let pipeline = pipeline()
        let pending = try await resume(in: pipeline)
        let whole = try await transport.started(count: 3)
        #expect(whole.request.headers[.range] == nil && whole.request.headers[.ifRange] == nil)
        #expect(store.everything().isEmpty, "the partial response is gone")
        whole.succeed(TestImage(3).bytes, headers: tag)
        #expect(try await pending.image.content == 3)
        await pipeline.finishWriting()
        #expect(store.everything().count == 1)
    }

    @Test func `the whole of a resumed image is requested once per load`() async throws {
        let pipeline = pipeline()
        let pending = try await resume(in: pipeline)
        try await transport.started(count: 3).succeed(body, headers: tag)
        await #expect(throws: ImageError.self) { try await pending.image }
        #expect(transport.transfers.count == 3)
        let again = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        #expect(try await transport.started(count: 4).request.headers[.range] == nil)
        again.task?.cancel()
    }

    @Test func `resumed data that is not an image is not resumed again`() async throws {
        try await breakOff(tag)
        let pipeline = pipeline()
        async let data = pipeline.data(for: ImageRequest("http://test/large"))
        try await transport.started(count: 2).succeed(
            Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        #expect(try await data.bytes == body)
        let again = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        #expect(try await transport.started(count: 3).request.headers[.range] == nil)
        again.task?.cancel()
    }

    @Test(arguments: [false, true])
    func `resumed data that fails the validation is not resumed again`(isAsynchronous: Bool) async throws {
        let refusal = ImageError(.notAnImage, "refused")
        let validation =
            isAsynchronous
            ? ResponseValidation.asynchronous("none") { _, _ in throw refusal }
            : ResponseValidation("none") { _ throws(ImageError) in throw refusal }
        var request = ImageRequest("http://test/large")
        request.options.responseValidation = validation
        let pipeline = pipeline()
        try await breakOff(tag)
        let load = PendingImage(request, in: pipeline)
        try await transport.started(count: 2).succeed(
            Array(body.dropFirst(100_000)), status: 206, headers: continued("100000-199999"))
        await #expect(throws: refusal) { try await load.image }
        let again = PendingImage(request, in: pipeline)
        #expect(try await transport.started(count: 3).request.headers[.range] == nil)
        again.task?.cancel()
    }

    // MARK: On the loopback interface

    @Test func `the origin is asked only for the rest`() async throws {
        let origin = try RawOrigin()
        let body = body
        origin.respond(to: "/large") { request in
            guard request.value("Range") == "bytes=120000-", request.value("If-Range") == "\"v\"" else {
                let head = RawResponse.head(200, headers: [("ETag", "\"v\""), ("Content-Length", "200000")])
                return RawResponse(head + body.prefix(120_000), then: .close)
            }
            return .status(
                206, headers: [("Content-Range", "bytes 120000-199999/200000"), ("ETag", "\"v\"")],
                body: Array(body.dropFirst(120_000)))
        }
        let client = HTTPCache(store: store, transport: CurlTransport(.direct))
        let request = TransferRequest(try origin.address("/large"))
        let error = await #expect(throws: ImageError.self) { try await client.response(for: request, policy: .http) }
        #expect(error?.code == .incomplete)
        await client.finished()
        #expect(try await client.response(for: request, policy: .http).bytes == body)
        #expect(origin.requests.count == 2)
    }
}

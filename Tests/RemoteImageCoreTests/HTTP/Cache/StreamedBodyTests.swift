import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Large bodies are written to the store while they arrive.
@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct StreamedBodyTests {
    private let transport = FakeTransport()
    private let folder: TemporaryFolder
    private let store: DiskCache
    private let client: HTTPCache
    private let pipeline: ImagePipeline
    private let headers: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
    /// An image for the fake decoder, followed by two and a half pieces of 1 MiB.
    private let body: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        store = DiskCache(path: folder.path, byteLimit: 256 << 20)
        client = HTTPCache(store: store, transport: transport, clock: TestClock())
        pipeline = .test(transport, memoryCache: nil) { [store] in $0.responseStore = store }
        body = TestImage(1).bytes + (0..<(5 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) }
    }

    private func request() throws -> TransferRequest { TransferRequest(try WebAddress("http://test/large")) }

    /// The partial response that another process would find if this one were killed now.
    private var beginning: PartialResponse? {
        get throws {
            let store = DiskCache(path: folder.path)
            return PartialResponse.stored(beside: try key(), for: [:], maxByteCount: .max, in: store)
        }
    }

    private func key() throws -> String {
        LoadKey(ImageSource(try request().address), ImageOptions()).storeKey(common: [:])
    }

    /// Starts a load and sends this many bytes, in pieces of the size that libcurl delivers.
    private func begin(_ byteCount: Int, headers: HTTPFields? = nil) async throws -> (FakeTransfer, PendingImage) {
        let count = transport.transfers.count + 1
        let pending = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        let transfer = try await transport.started(count: count)
        transfer.respond(headers: headers ?? self.headers, expected: body.count)
        try await send(body.prefix(byteCount), on: transfer)
        return (transfer, pending)
    }

    private func send(_ bytes: ArraySlice<UInt8>, on transfer: FakeTransfer) async throws {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 64 << 10) {
            transfer.send(Array(bytes[start..<min(bytes.endIndex, start + 64 << 10)]))
            await pipeline.finishWriting()
        }
    }

    // MARK: While the body arrives

    @Test func `the received part of a large body is stored before the body is complete`() async throws {
        let (transfer, pending) = try await begin(2_200_000)
        let beginning = try #require(try beginning)
        #expect(beginning.body.count == 2 << 20)
        #expect(beginning.body.elementsEqual(body.prefix(2 << 20)))
        #expect(store.all().isEmpty, "and is no response yet")
        transfer.send(Array(body.dropFirst(2_200_000)))
        transfer.finish()
        _ = try await pending.image
    }

    @Test func `after a kill in the middle of a body only the rest is requested`() async throws {
        // The first pipeline stands for a killed process: it does nothing more.
        _ = try await begin(2_200_000)
        let other = FakeTransport()
        let next = HTTPCache(store: DiskCache(path: folder.path), transport: other)
        let request = try request()
        let answer = Task { try await next.response(for: request, policy: .http) }
        let transfer = try await other.started(count: 1)
        #expect(transfer.request.headers[.range] == "bytes=\(2 << 20)-")
        #expect(transfer.request.headers[.ifRange] == "\"1\"")
        transfer.succeed(
            Array(body.dropFirst(2 << 20)), status: 206,
            headers: [.contentRange: "bytes \(2 << 20)-\(body.count - 1)/\(body.count)", .eTag: "\"1\""])
        #expect(try await answer.value.bytes.elementsEqual(body))
    }

    @Test func `bytes beyond the length in the metadata are ignored`() async throws {
        _ = try await begin(1_200_000)
        let (key, response) = (PartialResponse.key(beside: try key()), try #require(try beginning).response)
        let path = try #require(store.path(of: response, for: key))
        let name = try #require(path.split(separator: "/").last)
        let shard = StoreFolder(folder.path, "v1", String(name.prefix(2)))
        // As when the program is killed after writing the bytes and before writing the metadata.
        try shard.withDescriptor { folder throws(StoreFailure) in
            try StoreFolder.append([1, 2, 3], to: String(name), isNew: false, in: folder)
        }
        #expect(try beginning?.body.elementsEqual(body.prefix(1 << 20)) == true)
    }

    @Test func `a complete body leaves one file and no partial response`() async throws {
        let (transfer, pending) = try await begin(2_200_000)
        transfer.send(Array(body.dropFirst(2_200_000)))
        transfer.finish()
        _ = try await pending.image
        await pipeline.finishWriting()
        let (key, responses) = try #require(store.all().first)
        #expect(store.body(of: try #require(responses.first), for: key)?.elementsEqual(body) == true)
        #expect(store.everything().count == 1)
        #expect(StoreScan.files(in: folder.path).count { $0.name.hasSuffix(".b") } == 1)
    }

    @Test func `a body that arrives all at once is stored whole`() async throws {
        let pending = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        try await transport.started(count: 1).succeed(body, headers: headers)
        _ = try await pending.image
        await pipeline.finishWriting()
        #expect(try await client.response(for: request(), policy: .cacheOnly).bytes.elementsEqual(body))
        #expect(store.everything().count == 1)
    }

    @Test func `a small body is not written before it is complete`() async throws {
        _ = try await begin(1_000_000)
        #expect(StoreScan.files(in: folder.path).isEmpty)
    }

    // MARK: Bodies that are not kept

    @Test func `a large page that is not an image leaves no file`() async throws {
        let pending = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: headers, expected: 2 << 20)
        for _ in 0..<2 {
            transfer.send([UInt8](repeating: 0x3C, count: 1 << 20))
            await pipeline.finishWriting()
        }
        #expect(!StoreScan.files(in: folder.path).isEmpty)
        transfer.finish()
        await #expect(throws: ImageError.self) { try await pending.image }
        await pipeline.finishWriting()
        #expect(StoreScan.files(in: folder.path).isEmpty)
    }

    @Test func `a body over the limit leaves no file`() async throws {
        let (transfer, pending) = try await begin(2_200_000)
        transfer.fail(ImageError(.tooLarge))
        await #expect(throws: ImageError.self) { try await pending.image }
        await pipeline.finishWriting()
        #expect(StoreScan.files(in: folder.path).isEmpty)
    }

    @Test func `a body that cannot be resumed is not written before it is complete`() async throws {
        _ = try await begin(2_200_000, headers: [.cacheControl: "max-age=60"])
        #expect(StoreScan.files(in: folder.path).isEmpty)
    }

    @Test func `a no-store body is not written at all`() async throws {
        _ = try await begin(2_200_000, headers: [.eTag: "\"1\"", .cacheControl: "no-store"])
        #expect(StoreScan.files(in: folder.path).isEmpty)
    }

    @Test func `a body that turns out too large for the store is not kept, and the image is shown`() async throws {
        let small = DiskCache(path: folder.path("small"), byteLimit: 12 << 20)
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = small }
        let pending = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        let transfer = try await transport.started(count: 1)
        transfer.respond(headers: headers)
        for start in stride(from: 0, to: body.count, by: 1 << 20) {
            transfer.send(Array(body[start..<min(body.count, start + 1 << 20)]))
            await pipeline.finishWriting()
        }
        transfer.finish()
        #expect(try await pending.image.content == body.last)
        await pipeline.finishWriting()
        #expect(StoreScan.files(in: folder.path("small")).isEmpty)
    }

    // MARK: Interruptions

    @Test func `an interrupted large body is kept to its last byte`() async throws {
        let (transfer, pending) = try await begin(2_200_000)
        transfer.fail(ImageError(.incomplete))
        await #expect(throws: ImageError.self) { try await pending.image }
        await pipeline.finishWriting()
        #expect(try beginning?.body.count == 2_200_000)
    }

    @Test func `a partial response is not replaced by a shorter one while it is resumed`() async throws {
        let (transfer, pending) = try await begin(2_200_000)
        transfer.fail(ImageError(.incomplete))
        await #expect(throws: ImageError.self) { try await pending.image }
        await pipeline.finishWriting()
        let again = PendingImage(ImageRequest("http://test/large"), in: pipeline)
        let rest = try await transport.started(count: 2)
        let range = "bytes 2200000-\(body.count - 1)/\(body.count)"
        rest.respond(status: 206, headers: headers.adding(range))
        // The partial response is one piece: one megabyte of it is in the new file now.
        await pipeline.finishWriting()
        #expect(try beginning?.body.count == 2_200_000)
        rest.send(Array(body.dropFirst(2_200_000)))
        rest.finish()
        _ = try await again.image
        await pipeline.finishWriting()
        #expect(try await client.response(for: request(), policy: .cacheOnly).bytes.elementsEqual(body))
        #expect(store.everything().count == 1)
    }

    // MARK: Disk failures

    @Test func `a file that is removed during its load is rewritten at the end`() async throws {
        let (transfer, pending) = try await begin(1_200_000)
        store.removeAll()
        try await send(body[1_200_000..<2_200_000], on: transfer)
        transfer.send(Array(body.dropFirst(2_200_000)))
        transfer.finish()
        _ = try await pending.image
        await pipeline.finishWriting()
        #expect(try await client.response(for: request(), policy: .cacheOnly).bytes.elementsEqual(body))
    }

    @Test func `two loads of the same body do not damage each other's files`() async throws {
        let (first, pending) = try await begin(1_200_000)
        let request = try request()
        let second = Task { try await client.response(for: request, policy: .reload) }
        let other = try await transport.started(count: 2)
        other.respond(headers: headers, expected: body.count)
        for start in stride(from: 0, to: body.count, by: 1 << 20) {
            other.send(Array(body[start..<min(body.count, start + 1 << 20)]))
            await client.finished()
        }
        try await send(body[1_200_000...], on: first)
        first.finish()
        other.finish()
        _ = try await pending.image
        #expect(try await second.value.bytes.elementsEqual(body))
        await pipeline.finishWriting()
        await client.finished()
        #expect(try await client.response(for: request, policy: .cacheOnly).bytes.elementsEqual(body))
    }

    @Test func `a custom store may support whole bodies only`() async throws {
        let store = WholeBodyStore()
        let client = HTTPCache(store: store, transport: transport)
        let request = try request()
        let answer = Task { try await client.response(for: request, policy: .http) }
        try await transport.started(count: 1).succeed(body, headers: headers)
        #expect(try await answer.value.bytes.elementsEqual(body))
        await client.finished()
        #expect(store.bodies.value.map(\.count) == [body.count])
    }
}

private final class WholeBodyStore: ResponseStore {
    let bodies = Watched<[[UInt8]]>([])

    func responses(for key: String) -> [StoredResponse] { [] }
    func body(of response: StoredResponse, for key: String) -> [UInt8]? { nil }
    func store(
        _ response: StoredResponse, body: [UInt8], for key: String, replacing replaces: (StoredResponse) -> Bool
    ) {
        bodies.update { $0.append(body) }
    }
    func update(_ response: StoredResponse, for key: String) {}
    func remove(_ key: String) {}
    func removeAll() {}
}

extension HTTPFields {
    fileprivate func adding(_ range: String) -> HTTPFields {
        var fields = self
        fields[.contentRange] = range
        return fields
    }
}

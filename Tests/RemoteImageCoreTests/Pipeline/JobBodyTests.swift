import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// What a job sends, and what it reports while it fetches.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct JobBodyTests {
    private let transport = FakeTransport()
    private let request = ImageRequest("http://test/a")

    // MARK: Progress

    @Test func `a stored image reports its progress as complete, once`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = DictionaryStore() }
        let bytes = TestImage(1).bytes
        let loaded = LoadProgress(completedByteCount: bytes.count, totalByteCount: bytes.count)
        for origin in [ImageOrigin.network, .disk] {
            let events = Watched<[LoadProgress]>([])
            let task = pipeline.start(request) { event in
                if case .progress(let new) = event { events.update { $0.append(new) } }
            }
            if origin == .network {
                let transfer = try await transport.started(count: 1)
                transfer.respond(headers: [.cacheControl: "max-age=60"], expected: bytes.count)
                transfer.send(Array(bytes.prefix(3)))
                transfer.send(Array(bytes.dropFirst(3)))
                transfer.finish()
            }
            #expect(try await task.image.info.origin == origin)
            #expect(events.value.count { $0 == loaded } == 1)
            #expect(events.value.last == loaded)
            #expect(task.progress == loaded)
            await pipeline.finishWriting()
        }
    }

    @Test func `the body of an error is no progress of the image`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let events = Watched<[LoadProgress]>([])
        let task = pipeline.start(request) { event in
            if case .progress(let new) = event { events.update { $0.append(new) } }
        }
        try await transport.started(count: 1).succeed([UInt8](repeating: 1, count: 500), status: 404)
        await #expect(throws: ImageError.httpStatus(404)) { try await task.image }
        #expect(events.value == [])
        #expect(task.progress == LoadProgress())
    }

    // MARK: Requests

    @Test func `the header fields of a request replace those of its pipeline, field by field`() async throws {
        let own = try #require(HTTPField.Name("X-Own"))
        func fields(_ name: HTTPField.Name, _ values: String...) -> [HTTPField] {
            values.map { HTTPField(name: name, value: $0) }
        }
        let pipeline = ImagePipeline.test(transport) {
            $0.headers = HTTPFields(fields(own, "1", "2") + fields(.acceptLanguage, "de"))
            $0.userAgent = "program/1"
        }
        var request = request
        request.options.headers = HTTPFields(fields(own, "3", "4") + fields(.referer, "http://test/"))
        let pending = PendingImage(request, in: pipeline)
        let sent = try await transport.started(count: 1).request.headers
        #expect(sent[values: own] == ["3", "4"])
        #expect(sent[values: .acceptLanguage] == ["de"])
        #expect(sent[values: .referer] == ["http://test/"])
        #expect(sent[values: .userAgent] == ["program/1"])
        pending.task?.cancel()
    }

    @Test(arguments: [true, false])
    func `the limits of a request replace those of its pipeline, and its timeout replaces both`(
        hasLimits: Bool
    ) async throws {
        let pipeline = ImagePipeline.test(transport) {
            $0.transferLimits = TransferLimits(maxBodyByteCount: 2, timeout: .seconds(1))
        }
        for timeout in [nil, Duration.seconds(7)] {
            var request = request
            if hasLimits {
                request.options.transferLimits = TransferLimits(maxBodyByteCount: 4, timeout: .seconds(3))
            }
            request.options.timeout = timeout
            let count = transport.transfers.count + 1
            let pending = PendingImage(request, in: pipeline)
            let sent = try await transport.started(count: count).request.limits
            #expect(sent.timeout == timeout ?? .seconds(hasLimits ? 3 : 1))
            #expect(sent.maxBodyByteCount == (hasLimits ? 4 : 2))
            pending.task?.cancel()
        }
    }

    @Test func `requests have the proxy that their pipeline has at that time`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let proxies: [CurlTransport.Proxy?] = [nil, .address("http://proxy:1"), .direct, nil]
        for (index, proxy) in proxies.enumerated() {
            pipeline.proxy = proxy
            let pending = PendingImage(ImageRequest(ImageSource("http://test/\(index)")), in: pipeline)
            #expect(try await transport.started(count: index + 1).request.proxy == proxy)
            pending.task?.cancel()
        }
    }

    // MARK: Refused loads

    @Test func `a pipeline that refuses loads fails running ones and sends nothing more`() async throws {
        let pipeline = ImagePipeline.test(transport, memoryCache: nil) { $0.responseStore = DictionaryStore() }
        let bytes = TestImage(1).bytes
        let stored = PendingImage(request, in: pipeline)
        try await transport.started(count: 1).succeed(bytes, headers: [.cacheControl: "max-age=60"])
        _ = try await stored.image
        await pipeline.finishWriting()
        let running = PendingImage(ImageRequest("http://test/b"), in: pipeline)
        let transfer = try await transport.started(count: 2)
        let refusal = ImageError(.io, "the program ends")
        pipeline.refuseLoads(refusal)
        transfer.succeed(bytes)
        let later = [request, ImageRequest("http://test/c")].map { PendingImage($0, in: pipeline) }
        for image in [running] + later {
            let error = await #expect(throws: ImageError.self) { try await image.image }
            #expect(error?.code == .io && error?.detail == "the program ends")
        }
        #expect(transport.transfers.count == 2)
        let own = ImageSource.bytes(bytes, identity: "own")
        #expect(try await pipeline.image(for: ImageRequest(own)).content == 1, "it needs no server")
    }

    // MARK: Data of the program

    @Test(arguments: [true, false])
    func `a provider that resolves to a choice takes the image for the network`(isConstrained: Bool) async throws {
        let network = NetworkConditions()
        network.isConstrained = isConstrained
        let pipeline = ImagePipeline.test(FakeTransport()) { $0.network = network }
        let source = ImageSource.resolving(identity: "a") {
            .adaptive(
                regular: ImageSource.bytes(TestImage(1).bytes, identity: "regular"),
                lowData: ImageSource.bytes(TestImage(2).bytes, identity: "low data"))
        }
        #expect(try await pipeline.image(for: ImageRequest(source)).content == (isConstrained ? 2 : 1))
    }

    @Test func `a closure that gives no bytes is an error that names it`() async {
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.bytes(identity: "http://me:secret@test/a") { [] }
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: ImageRequest(source)) }
        #expect(error?.code == .emptyBody && error?.detail == "http://test/a")
    }
}

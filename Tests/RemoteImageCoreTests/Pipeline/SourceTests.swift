import Glibc
import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

@Suite(.timeLimit(.minutes(5)), .endsInTime)
struct SourceTests {
    let transport = FakeTransport()

    private struct Broken: Error {}

    /// The last path components of the requested addresses.
    private var asked: [String] {
        transport.transfers.map { $0.request.address.string.split(separator: "/").last.map(String.init) ?? "" }
    }

    // MARK: Images from the program

    @Test func `bytes need no transfer`() async throws {
        let source = ImageSource.bytes(TestImage(4).bytes, identity: "four")
        let image = try await ImagePipeline.test(transport).image(for: ImageRequest(source))
        #expect(image.content == 4)
        #expect(image.info.origin == .local)
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a file is read`() async throws {
        let path = try TemporaryFile(TestImage(5).bytes)
        let image = try await ImagePipeline.test(transport).image(for: ImageRequest(.file(path.path)))
        #expect(image.content == 5)
        #expect(image.info.origin == .local)
    }

    /// The system would read the file whose name ends at the NUL.
    @Test func `a path with a NUL names no file`() async throws {
        let path = try TemporaryFile(TestImage(5).bytes)
        let pipeline = ImagePipeline.test(transport)
        await #expect(throws: ImageError(.io, "the path contains a NUL")) {
            try await pipeline.image(for: ImageRequest(.file("\(path.path)\0.png")))
        }
    }

    /// Sources of such files could not be made, or asked for another file.
    @Test func `a file whose name is not UTF-8 is read`() async throws {
        let folder = try TemporaryFolder()
        let sources = try [UInt8(0xE4), 0xE5].map { byte in
            let name = Array(folder.path("a").utf8.dropLast()) + [byte]
            let path = try #require(
                FilePath(fileAddress: "file://\(folder.path("%\(String(byte, radix: 16)).png?q#f"))"))
            #expect(path.cString.dropLast(5).map { UInt8(bitPattern: $0) } == name)
            let file = try #require(fopen(path.cString, "w"))
            defer { fclose(file) }
            let bytes = TestImage(byte).bytes
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
            return ImageSource.file(path)
        }
        #expect(sources[0] != sources[1])
        let pipeline = ImagePipeline.test(transport)
        #expect(try await pipeline.image(for: sources[0]).content == 0xE4)
        #expect(try await pipeline.image(for: sources[1]).content == 0xE5)
    }

    @Test(arguments: [
        ("file:///a/b.png", "/a/b.png"), (" FILE:/a%20b\n", "/a b"), ("file://LocalHost/%C3%A4", "/ä"),
        ("file:///a%", "/a%"), ("file:///a?b", "/a"), ("file:///a#b", "/a"), ("file:////a", "//a"),
    ])
    func `the path of a file address is decoded`(address: String, path: String) {
        #expect(FilePath(fileAddress: address) == FilePath(path))
        #expect(FilePath(path).description == path)
        #expect(FilePath(path).identity == "file:\(path)")
    }

    @Test(arguments: [
        "file:a", "file:", "file://", "file://other/a", "file:///a%00b", "/a", "http://test/a", "files:/a",
    ])
    func `other addresses have no path of a file`(address: String) {
        #expect(FilePath(fileAddress: address) == nil)
    }

    @Test func `white space around an address is ignored`() async throws {
        let source = ImageSource("\n http://test/a \t")
        #expect(source == "http://test/a")
        let transport = FakeTransport { _ in .ok(TestImage(3).bytes) }
        #expect(try await ImagePipeline.test(transport).image(for: source).content == 3)
    }

    @Test func `a missing file, a folder and an empty file are errors`() async throws {
        let pipeline = ImagePipeline.test(transport)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: ImageRequest(.file("/no/such/file"))) }
        await expect(.io, from: .file("/no/such/file"))
        await expect(.io, from: .file("/"))
        let empty = try TemporaryFile([])
        await expect(.emptyBody, from: .file(empty.path))
    }

    @Test func `a file over the limit is not read`() async throws {
        let file = try TemporaryFile([UInt8](repeating: 1, count: 2000))
        await expect(.tooLarge, from: .file(file.path)) { $0.transferLimits.maxBodyByteCount = 1999 }
        // At the limit, the bytes are read and inspected.
        await expect(.notAnImage, from: .file(file.path)) { $0.transferLimits.maxBodyByteCount = 2000 }
    }

    @Test func `a file URL given as text is refused`() async {
        await expect(.forbiddenScheme, from: "file:///etc/passwd")
    }

    @Test func `a data address contains its image`() async throws {
        let text = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAAAAAAAAAAk="
        for source in [ImageSource(text), ImageSource("DATA:" + text.dropFirst(5))] {
            let image = try await ImagePipeline.test(transport).image(for: ImageRequest(source))
            #expect(image.content == 9)
            #expect(image.info.size == PixelSize(width: 8, height: 6))
        }
    }

    @Test func `the body limit applies to data addresses`() async throws {
        let text = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAAAAAAAAAAk="
        let byteCount = try DataAddress.bytes(of: text, limit: .max).count
        #expect(try DataAddress.bytes(of: text, limit: byteCount).count == byteCount)
        await expect(.tooLarge, from: ImageSource(text)) { $0.transferLimits.maxBodyByteCount = byteCount - 1 }
        await expect(.tooLarge, from: "data:,%61b%63") { $0.transferLimits.maxBodyByteCount = 2 }
    }

    @Test(arguments: ["data:image/png;base64", "data:image/png;base64,@@@@", "data:;base64,A"])
    func `a malformed data address is an error`(text: String) async {
        await expect(.invalidURL, from: ImageSource(text))
    }

    @Test func `data addresses are decoded according to RFC 2397`() throws {
        let contents = [
            "data:,a%20b": "a b", "data:text/plain;charset=utf-8,100%": "100%", "data:;BASE64,aGVs bG8=": "hello",
            "data:;base64,aGVsbG8": "hello", "data:;base64,aGVsbG8%3D": "hello", "data:,": "", "data:,%4": "%4",
            "data:,%zz%4a": "%zzJ",
        ]
        for (text, content) in contents {
            #expect(try DataAddress.bytes(of: text, limit: 100) == Array(content.utf8))
        }
    }

    // MARK: Closures and providers

    @Test func `a closure is called once for all requests for its image`() async throws {
        let (calls, gate) = (Watched(0), Watched(false))
        let source = ImageSource.bytes(identity: "closure") {
            calls.update { $0 += 1 }
            try await gate.wait { $0 }
            return TestImage(6).bytes
        }
        let pipeline = ImagePipeline.test(transport)
        let pending = (0..<3).map { _ in PendingImage(ImageRequest(source), in: pipeline) }
        gate.update { $0 = true }
        for image in pending { #expect(try await image.image.content == 6) }
        #expect(calls.value == 1)
    }

    @Test func `an error thrown by a closure fails its source`() async {
        await expect(.source, from: .bytes(identity: "a") { throw Broken() })
        await expect(.timeout, from: .bytes(identity: "b") { throw ImageError(.timeout) })
    }

    @Test func `a closure is cancelled with the last request for its image`() async throws {
        let (began, ended) = (Watched(false), Watched(false))
        let source = ImageSource.bytes(identity: "closure") {
            began.update { $0 = true }
            defer { ended.update { $0 = true } }
            try await Watched(false).wait { $0 }
            return []
        }
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        try await began.wait { $0 }
        pending.task?.cancel()
        try await ended.wait { $0 }
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `pixels are used unchanged and are kept in memory`() async throws {
        let pixels = PixelBuffer(size: PixelSize(width: 3, height: 2), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 7 }
        }
        let calls = Watched(0)
        let source = ImageSource.pixels(identity: "drawn") {
            calls.update { $0 += 1 }
            return pixels
        }
        let pipeline = ImagePipeline.test(transport)
        #expect(try await pipeline.image(for: ImageRequest(source)).pixels === pixels)
        #expect(try await pipeline.image(for: ImageRequest(source)).info.origin == .memory)
        #expect(calls.value == 1)
        await #expect(throws: ImageError.self) { try await pipeline.data(for: ImageRequest(source)) }
    }

    /// They used to be used unchanged, and were not found in memory again.
    @Test func `pixels of a provider keep to the limit of each request`() async throws {
        let pixels = PixelBuffer(size: PixelSize(width: 40, height: 30), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 7 }
        }
        let calls = Watched(0)
        let source = ImageSource.pixels(identity: "drawn") {
            calls.update { $0 += 1 }
            return pixels
        }
        let pipeline = ImagePipeline.test(transport)
        var options = ImageOptions()
        options.maxPixelSize = PixelSize(width: 8, height: 8)
        let small = ImageRequest(source, options: options)
        let image = try await pipeline.image(for: small)
        #expect(image.pixels.size == PixelSize(width: 8, height: 6) && image.info.decodedSize == image.pixels.size)
        #expect(image.info.size == pixels.size)
        #expect(try await pipeline.image(for: small).info.origin == .memory)
        #expect(calls.value == 1)
        #expect(try await pipeline.image(for: ImageRequest(source)).pixels === pixels)
        #expect(calls.value == 2)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `a resolving source loads its target and is cached under its own identity`() async throws {
        let calls = Watched(0)
        let source = ImageSource.resolving(identity: "storage/cat") {
            let call = calls.update { calls in
                calls += 1
                return calls
            }
            return ImageSource("http://test/cat?signature=\(call)")
        }
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(8).bytes)
        #expect(try await pending.image.content == 8)
        #expect(asked == ["cat?signature=1"])
        #expect(try await pipeline.image(for: ImageRequest(source)).info.origin == .memory)
        #expect(calls.value == 1)
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    @Test func `cancelling a resolved load cancels its transfer`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.resolving(identity: "storage/cat") { "http://test/cat" }
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        let transfer = try await transport.started(count: 1)
        pending.task?.cancel()
        try await transfer.cancelled()
        #expect(pipeline.context.jobs.jobCount == 0)
    }

    /// The job of the address has the key of the provider's job, which looked like a loop.
    @Test(arguments: [false, true])
    func `a source may resolve to the address that is its identity`(isIndirect: Bool) async throws {
        let transport = FakeTransport { _ in .ok(TestImage(8).bytes, headers: [.cacheControl: "max-age=60"]) }
        let store = DictionaryStore()
        let pipeline = ImagePipeline.test(transport) { $0.responseStore = store }
        let address = "http://test/cat"
        let source = ImageSource.resolving(identity: address) {
            isIndirect ? ImageSource.resolving(identity: "storage/cat") { ImageSource(address) } : ImageSource(address)
        }
        #expect(try await pipeline.image(for: source).content == 8)
        #expect(pipeline.context.jobs.jobCount == 0)
        await pipeline.finishWriting()
        #expect(store.responses(for: address).count == 1, "stored as the image of the address")
    }

    @Test func `a source that resolves to itself is an error`() async {
        let source = ImageSource.resolving(identity: "loop") {
            ImageSource.resolving(identity: "loop") { "http://test/never" }
        }
        await expect(.source, from: source)
    }

    /// Opens an album before it provides an image.
    private struct AlbumPage: ImageProvider {
        let identity: String
        let log: Watched<[String]>
        var failures = Watched(0)

        func prepare() async throws -> any ImageProvider {
            log.update { $0.append("prepare") }
            let fails = failures.update { failures in
                failures -= 1
                return failures >= 0
            }
            if fails { throw Broken() }
            return Page(identity: identity, log: log)
        }

        func image() async throws -> ProvidedImage {
            log.update { $0.append("image of the unprepared") }
            return .bytes(TestImage(1).bytes)
        }

        struct Page: ImageProvider {
            let identity: String
            let log: Watched<[String]>

            func image() async throws -> ProvidedImage {
                log.update { $0.append("image") }
                return .bytes(TestImage(2).bytes)
            }
        }
    }

    @Test func `a provider is prepared once for any number of requests`() async throws {
        let log = Watched<[String]>([])
        let source = ImageSource.provider(AlbumPage(identity: "page", log: log))
        let pipeline = ImagePipeline.test(transport, memoryCache: nil)
        let both = [PendingImage(ImageRequest(source), in: pipeline), PendingImage(ImageRequest(source), in: pipeline)]
        for image in both { #expect(try await image.image.content == 2) }
        #expect(try await pipeline.image(for: ImageRequest(source)).content == 2)
        #expect(log.value == ["prepare", "image", "image"])
    }

    @Test func `a failed preparation is repeated by the next load`() async throws {
        let log = Watched<[String]>([])
        let source = ImageSource.provider(AlbumPage(identity: "page", log: log, failures: Watched(1)))
        let pipeline = ImagePipeline.test(transport)
        await #expect(throws: ImageError.self) { try await pipeline.image(for: ImageRequest(source)) }
        #expect(try await pipeline.image(for: ImageRequest(source)).content == 2)
        #expect(log.value == ["prepare", "prepare", "image"])
    }

    /// Hangs in one of its steps until the test opens the gate, even when it is cancelled.
    private struct HangingPage: ImageProvider {
        var identity = "hanging"
        let hangsInPreparation: Bool
        let calls = Watched(0)
        let gate = Watched(false)

        func hang() async {
            calls.update { $0 += 1 }
            await Task { try? await gate.wait { $0 } }.value
        }

        func prepare() async throws -> any ImageProvider {
            if hangsInPreparation { await hang() }
            return self
        }

        func image() async throws -> ProvidedImage {
            if !hangsInPreparation { await hang() }
            return .bytes(TestImage(3).bytes)
        }
    }

    /// The provider used to hold its place forever, and each load of the same identity waited for
    /// the first preparation.
    @Test(arguments: [true, false])
    func `a provider that hangs times out, and the next load tries again`(
        hangsInPreparation: Bool
    ) async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        let provider = HangingPage(hangsInPreparation: hangsInPreparation)
        var request = ImageRequest(ImageSource.provider(provider))
        request.options.timeout = .seconds(5)
        let first = PendingImage(request, in: pipeline)
        try await provider.calls.wait { $0 == 1 }
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await first.image }
        #expect(error?.code == .source)
        #expect(error?.detail?.hasSuffix("took longer than 5.0 seconds") == true)
        let second = PendingImage(request, in: pipeline)
        try await provider.calls.wait { $0 == 2 }
        provider.gate.update { $0 = true }
        #expect(try await second.image.content == 3)
    }

    @Test func `the error of a preparation that hangs contains no password`() async throws {
        let clock = TestClock()
        let pipeline = ImagePipeline.test(transport) { $0.clock = clock }
        let provider = HangingPage(identity: "http://anna:secret@test/page", hangsInPreparation: true)
        var request = ImageRequest(ImageSource.provider(provider))
        request.options.timeout = .seconds(5)
        let image = PendingImage(request, in: pipeline)
        try await provider.calls.wait { $0 == 1 }
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ImageError.self) { try await image.image }
        #expect(error?.detail?.contains("secret") == false)
        provider.gate.update { $0 = true }
    }

    @Test func `a provider can provide its image without a preparation`() async throws {
        let log = Watched<[String]>([])
        guard case .bytes(let bytes) = try await AlbumPage(identity: "page", log: log).image() else {
            Issue.record("no bytes")
            return
        }
        #expect(bytes == TestImage(1).bytes)
        #expect(log.value == ["image of the unprepared"])
    }

    // MARK: Choices

    @Test func `fallbacks are tried in order until a source gives an image`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.fallbacks(["http://test/1", "not an address", "http://test/3", "http://test/4"])
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        try await transport.started(count: 1).succeed([], status: 404)
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(try await pending.image.content == 3)
        #expect(asked == ["1", "3"])
        #expect(pending.answerCount == 1)
    }

    @Test func `the error of failed fallbacks lists the error of each source`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(.fallbacks(["http://test/1", "http://test/2"])), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection, "one"))
        try await transport.started(count: 2).succeed([], status: 500)
        do {
            _ = try await pending.image
            Issue.record("no error")
        } catch let error as ImageError {
            #expect(error.code == .httpStatus && error.status == 500)
            #expect(error.underlying == [ImageError(.connection, "one"), .httpStatus(500)])
        }
    }

    @Test func `a cancelled request tries no further fallback`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(.fallbacks(["http://test/1", "http://test/2"])), in: pipeline)
        let transfer = try await transport.started(count: 1)
        pending.task?.cancel()
        try await transfer.cancelled()
        await #expect(throws: ImageError.cancelled) { try await pending.image }
        #expect(asked == ["1"])
    }

    @Test func `the data of fallbacks is that of the first source that has an image`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.fallbacks(["http://test/1", "not an address", "http://test/3", "http://test/4"])
        async let data = pipeline.data(for: ImageRequest(source))
        try await transport.started(count: 1).succeed([], status: 404)
        try await transport.started(count: 2).succeed(TestImage(3).bytes)
        #expect(try await data.bytes == TestImage(3).bytes)
        #expect(asked == ["1", "3"])
    }

    @Test func `a cancelled request for data tries no further fallback`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let data = Task { try await pipeline.data(for: ImageRequest(.fallbacks(["http://test/1", "http://test/2"]))) }
        let transfer = try await transport.started(count: 1)
        data.cancel()
        try await transfer.cancelled()
        await #expect(throws: ImageError.cancelled) { try await data.value }
        #expect(asked == ["1"])
    }

    @Test func `an empty list of fallbacks is an error`() async {
        await expect(.invalidURL, from: .fallbacks([]))
    }

    @Test func `an adaptive source takes the smaller image on a metered network`() async throws {
        let network = NetworkConditions()
        let pipeline = ImagePipeline.test(transport) { $0.network = network }
        let source = ImageSource.adaptive(regular: "http://test/large", lowData: "http://test/small")
        network.isConstrained = true
        let small = PendingImage(ImageRequest(source), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage(1).bytes)
        #expect(try await small.image.content == 1)
        network.isConstrained = false
        let previews = Watched<[UInt8?]>([])
        let task = pipeline.start(ImageRequest(source)) { event in
            if case .preview(let image) = event { previews.update { $0.append(image.content) } }
        }
        #expect(previews.value == [1], "the small one is in memory and shown meanwhile")
        try await transport.started(count: 2).succeed(TestImage(2).bytes)
        #expect(try await task.image.content == 2)
        #expect(asked == ["small", "large"])
    }

    @Test(arguments: [(10, "a"), (101, "b"), (250, "c"), (5000, "c")])
    func `the smallest candidate with enough pixels is chosen`(side: Int, chosen: String) async throws {
        let source = ImageSource.candidates([
            SourceCandidate("http://test/c", size: PixelSize(width: 400, height: 300)),
            SourceCandidate("http://test/a", size: PixelSize(width: 100, height: 75)),
            SourceCandidate("http://test/b", size: PixelSize(width: 200, height: 150)),
        ])
        let pipeline = ImagePipeline.test(transport)
        pipeline.start(ImageRequest(source, target: .longestSide(side)))
        try await transport.started(count: 1)
        #expect(asked == [chosen])
    }

    @Test func `choices can be nested and combined with resolving sources`() async throws {
        let resolving = ImageSource.resolving(identity: "storage") { "http://test/resolved" }
        let source = ImageSource.fallbacks([
            .adaptive(regular: .fallbacks(["http://test/1"]), lowData: "http://test/low"),
            .candidates([SourceCandidate(resolving, size: PixelSize(width: 1, height: 1))]),
        ])
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        try await transport.started(count: 1).fail(ImageError(.connection))
        try await transport.started(count: 2).succeed(TestImage(9).bytes)
        #expect(try await pending.image.content == 9)
        #expect(asked == ["1", "resolved"])
    }

    // MARK: Identity

    @Test func `addresses that differ in ignored query items have the same identity`() {
        let items: Set = ["token", "expires"]
        let one = ImageSource("http://test/a?size=2&token=1&expires=5").ignoringQueryItems(items)
        let other = ImageSource("http://test/a?token=2&size=2").ignoringQueryItems(items)
        #expect(one == other)
        #expect(one.identity == "http://test/a?size=2")
        #expect(ImageSource("http://test/a?token=1").ignoringQueryItems(items).identity == "http://test/a")
        #expect(one != ImageSource("http://test/a?size=3").ignoringQueryItems(items))
    }

    @Test func `a newly signed address finds the image in memory`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let first = ImageSource("http://test/a?token=1").ignoringQueryItems(["token"])
        let pending = PendingImage(ImageRequest(first), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await pending.image
        #expect(asked == ["a?token=1"], "the address itself is asked for as it is")
        let second = ImageSource("http://test/a?token=2").ignoringQueryItems(["token"])
        #expect(pipeline.cachedImage(for: ImageRequest(second)) != nil)
    }

    @Test func `a given identity replaces the address`() async throws {
        let pipeline = ImagePipeline.test(transport)
        let pending = PendingImage(ImageRequest(ImageSource("http://a/1").identified(by: "cat")), in: pipeline)
        try await transport.started(count: 1).succeed(TestImage().bytes)
        _ = try await pending.image
        #expect(pipeline.cachedImage(for: ImageRequest(ImageSource("http://b/2").identified(by: "cat"))) != nil)
        #expect(pipeline.cachedImage(for: ImageRequest("http://a/1")) == nil)
    }

    private func expect(
        _ code: ImageError.Code, from source: ImageSource,
        configure: (inout ImagePipeline.Configuration) -> Void = { _ in },
        at location: SourceLocation = #_sourceLocation
    ) async {
        let pipeline = ImagePipeline.test(transport, configure: configure)
        do {
            _ = try await pipeline.image(for: ImageRequest(source))
            Issue.record("no error", sourceLocation: location)
        } catch {
            #expect(error.code == code, sourceLocation: location)
        }
        #expect(transport.transfers.isEmpty, sourceLocation: location)
    }

    // MARK: Providers and choices

    private struct Naming: ImageProvider {
        let identity: String
        let name: @Sendable () -> ImageSource

        func image() async throws -> ProvidedImage { .source(name()) }
    }

    /// The providers used to wait for each other, and a third request then held the pipeline's lock
    /// forever.
    @Test func `providers that resolve to each other are an error`() async {
        let pipeline = ImagePipeline.test(FakeTransport())
        @Sendable func first() -> ImageSource { .provider(Naming(identity: "first", name: second)) }
        @Sendable func second() -> ImageSource { .provider(Naming(identity: "second", name: first)) }
        let (one, two) = (
            PendingImage(ImageRequest(first()), in: pipeline), PendingImage(ImageRequest(second()), in: pipeline)
        )
        for pending in [one, two] {
            let error = await #expect(throws: ImageError.self) { try await pending.image }
            #expect(error?.code == .source)
        }
    }

    @Test func `a provider may resolve to several fallbacks`() async throws {
        let transport = FakeTransport()
        let pipeline = ImagePipeline.test(transport)
        let source = ImageSource.resolving(identity: "album") {
            .fallbacks(["http://test/gone", "http://test/there"])
        }
        let pending = PendingImage(ImageRequest(source), in: pipeline)
        try await transport.started(count: 1).succeed([], status: 410)
        try await transport.started(count: 2).succeed(TestImage(6).bytes)
        #expect(try await pending.image.content == 6)
    }

    /// The closure used to run under the lock of the scheduler, and the load waited for it forever.
    @Test func `the closure of a sized source may start a load, also if a provider resolved to it`() async throws {
        let pipeline = ImagePipeline.test(FakeTransport { _ in .ok(TestImage(6).bytes) })
        let source = ImageSource.resolving(identity: "album") {
            .sized(identity: "photo") { pixels in
                pipeline.start(ImageRequest("http://test/other"))
                return "http://test/\(pixels)"
            }
        }
        #expect(try await pipeline.image(for: source).content == 6)
    }

    @Test func `the error of a provider lists the error of each source that it resolved to`() async throws {
        let transport = FakeTransport { request in .status(request.address.string.hasSuffix("a") ? 404 : 410) }
        let source = ImageSource.resolving(identity: "album") { .fallbacks(["http://test/a", "http://test/b"]) }
        let error = await #expect(throws: ImageError.self) {
            try await ImagePipeline.test(transport).image(for: source)
        }
        #expect(error?.status == 410)
        #expect(error?.underlying.map(\.status) == [404, 410])
    }
}

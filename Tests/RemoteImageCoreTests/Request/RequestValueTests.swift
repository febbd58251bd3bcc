import HTTPTypes
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// The defaults and the decisions of the values in a request.
@Suite(.endsInTime)
struct RequestValueTests {
    // MARK: Defaults

    @Test func `options that are not set have the documented defaults`() {
        let options = ImageOptions()
        #expect(options.loadOptions == [.loadOnAppear, .cancelOnDisappear])
        #expect(options.priority == .normal)
        #expect(options.delay == .zero)
        #expect(options.maxPixelSize == nil)
        #expect(!options.keepsImageWhileLoading)
        #expect(options.previewHash == nil)
        #expect(options.previews == [])
        #expect(options.playsAnimation)
        #expect(options.transition == .none)
        #expect(options.processors == [])
        #expect(options.cachePolicy == .http)
        #expect(options.cachesResizedImages)
        #expect(options.expiry == nil && options.expiryInSeconds == nil)
        #expect(options.headers.isEmpty)
        #expect(options.timeout == nil && options.transferLimits == nil && options.decodeLimits == nil)
        #expect(options.authorization == nil && options.requestHook == nil && options.responseValidation == nil)
        #expect(!options.ignoresStoredErrors && !options.isFirstLook)
        #expect(options.retryPolicy == nil)
        #expect(options.isEmpty)
    }

    @Test func `each option is read back as it was set, and counts as set even with its default`() {
        var options = ImageOptions()
        options.delay = .seconds(-1)
        #expect(options.delay == .zero && !options.isEmpty)
        options.delay = .milliseconds(3)
        options.expiry = .milliseconds(1500)
        options.ignoresStoredErrors = true
        options.isFirstLook = true
        options.previewHash = .thumbHash("a")
        #expect(options.delay == .milliseconds(3))
        #expect(options.expiryInSeconds == 1.5)
        #expect(options.ignoresStoredErrors && options.isFirstLook)
        #expect(options.previewHash == .thumbHash("a"))
        let inner = ImageOptions(cachesResizedImages: true)
        #expect(inner.merged(over: ImageOptions(cachesResizedImages: false)).cachesResizedImages)
        #expect(!ImageOptions().merged(over: ImageOptions(cachesResizedImages: false)).cachesResizedImages)
    }

    @Test func `options are equal if they set the same values`() {
        let options = ImageOptions(priority: .high, delay: .seconds(1))
        #expect(options == ImageOptions(priority: .high, delay: .seconds(1)))
        #expect(options != ImageOptions(priority: .low, delay: .seconds(1)))
        #expect(options != ImageOptions(priority: .high))
        #expect(ImageOptions(priority: .high) != options)
        #expect(ImageOptions(priority: .high) != ImageOptions(delay: .seconds(1)))
        #expect(ImageOptions() != options && ImageOptions() == ImageOptions())
    }

    @Test func `the limits of a transfer have the documented defaults`() {
        let limits = TransferLimits()
        #expect(limits.maxBodyByteCount == 33_554_432)
        #expect(limits.maxHeaderByteCount == 262_144)
        #expect(limits.connectTimeout == .seconds(10))
        #expect(limits.stallTimeout == .seconds(15))
        #expect(limits.timeout == .seconds(60))
        #expect(limits.maxRedirects == 10)
        let own = TransferLimits(
            maxBodyByteCount: 1, maxHeaderByteCount: 2, connectTimeout: .seconds(3), stallTimeout: .seconds(4),
            timeout: .seconds(5), maxRedirects: 6)
        #expect(own.maxBodyByteCount == 1 && own.maxHeaderByteCount == 2 && own.maxRedirects == 6)
        #expect(own.connectTimeout == .seconds(3) && own.stallTimeout == .seconds(4) && own.timeout == .seconds(5))
    }

    @Test func `a request keeps its other parts when one is set`() {
        var request = ImageRequest("http://test/a", target: .longestSide(3), options: ImageOptions(priority: .high))
        request.shownSource = "http://test/shown"
        request.source = "http://test/b"
        #expect(request.target == .longestSide(3) && request.options.priority == .high)
        #expect(request.shownSource == "http://test/shown")
        request.target = .longestSide(4)
        request.options.priority = .low
        #expect(request.source == "http://test/b" && request.target == .longestSide(4))
        #expect(request.options.priority == .low && request.shownSource == "http://test/shown")
    }

    @Test(arguments: [
        (CachePolicy.http, true, true, true), (.cacheElseLoad, true, true, true), (.cacheOnly, true, true, true),
        (.reload, false, true, false), (.noStore, false, false, false), (.revalidate, false, true, true),
        (.staleWhileRevalidate, true, true, true),
    ])
    func `a policy decides which caches are read and written`(
        policy: CachePolicy, readsMemory: Bool, writesMemory: Bool, readsStore: Bool
    ) {
        #expect(policy.readsMemory == readsMemory)
        #expect(policy.writesMemory == writesMemory)
        #expect(policy.readsStore == readsStore)
        #expect(policy.ofRequest == (policy == .staleWhileRevalidate ? .http : policy))
    }

    // MARK: Retries

    private func decision(
        _ policy: RetryPolicy, _ error: ImageError, attempt: Int = 1, retryAfter: Duration? = nil
    ) -> RetryDecision {
        policy.decision(on: TransferFailure(error: error, attempt: attempt, retryAfter: retryAfter))
    }

    @Test(arguments: [
        (407, false), (408, true), (409, false), (428, false), (429, true), (430, false), (499, false), (500, true),
        (599, true), (600, false),
    ])
    func `temporary statuses are retried`(status: Int, isRetried: Bool) {
        #expect((decision(.standard(), .httpStatus(status)) != .giveUp) == isRetried)
    }

    @Test func `the standard policy has the documented defaults`() {
        let explicit = RetryPolicy.standard(
            maxRetryCount: 2, baseDelay: .milliseconds(500), maxDelay: .seconds(30), jitter: 0.5,
            waitsForConnectivity: false)
        #expect(RetryPolicy.standard() == explicit)
        #expect(RetryPolicy.standard().identity == "\(Backoff.standard)")
        #expect(RetryPolicy.never == .standard(maxRetryCount: 0) && RetryPolicy.never != .standard())
        #expect(decision(.never, ImageError(.connection)) == .giveUp)
    }

    @Test func `values out of range are clamped`() {
        let connection = ImageError(.connection)
        #expect(RetryPolicy.standard(maxRetryCount: -1) == .never)
        #expect(decision(.standard(baseDelay: .seconds(-1), jitter: 0), connection) == .retry(after: .zero))
        #expect(decision(.standard(maxDelay: .seconds(-1), jitter: 0), connection) == .retry(after: .zero))
        #expect(decision(.standard(jitter: -3), connection) == .retry(after: .milliseconds(500)))
        for _ in 0..<50 {
            guard case .retry(let delay) = decision(.standard(jitter: 7), connection) else {
                Issue.record("no retry")
                return
            }
            #expect(delay >= .zero && delay <= .milliseconds(500))
        }
    }

    @Test func `a delay doubles up to a factor of 2²⁰`() {
        let backoff = Backoff(
            maxRetryCount: 2, baseDelay: .nanoseconds(1), maxDelay: .seconds(30), jitter: 0, waitsForConnectivity: false
        )
        let delays: [(number: Int, delay: Duration)] = [
            (-5, .nanoseconds(1)), (0, .nanoseconds(1)), (1, .nanoseconds(1)), (2, .nanoseconds(2)),
            (5, .nanoseconds(16)),
            (20, .nanoseconds(524_288)), (21, .nanoseconds(1_048_576)), (22, .nanoseconds(1_048_576)),
            (100, .nanoseconds(1_048_576)),
        ]
        for (number, delay) in delays { #expect(backoff.delay(beforeRetry: number) == delay) }
    }

    @Test func `only a policy that waits retries when the network returns`() {
        let (waiting, plain) = (RetryPolicy.standard(waitsForConnectivity: true), RetryPolicy.standard(jitter: 0))
        let connection = ImageError(.connection)
        let offline = ImageError(.notStored, underlying: [connection])
        let missing = ImageError(.notStored)
        #expect(decision(waiting, connection) == .retryWhenConnected)
        #expect(decision(waiting, offline) == .retryWhenConnected)
        #expect(decision(waiting, missing) == .giveUp)
        #expect(decision(waiting, connection, attempt: 3) == .giveUp)
        #expect(decision(waiting, connection, retryAfter: .seconds(2)) == .retry(after: .seconds(2)))
        #expect(decision(waiting, ImageError(.incomplete)) != .retryWhenConnected)
        #expect(decision(plain, connection) == .retry(after: .milliseconds(500)))
        #expect(decision(plain, connection, attempt: 2) == .retry(after: .seconds(1)))
        #expect(decision(plain, offline) == .giveUp)
    }

    // MARK: Errors

    @Test func `errors of the network are told from others`() {
        let interruptions: Set<ImageError.Code> = [.connection, .timeout, .incomplete, .cancelled]
        for code in ImageError.Code.allCases {
            let error = ImageError(code)
            #expect(error.isDisconnection == (code == .connection || code == .timeout), "\(code)")
            #expect(error.isInterruption == interruptions.contains(code), "\(code)")
            #expect(error.isCausedByConnection == (code == .connection), "\(code)")
            #expect(
                error.mayRecoverWithNetwork == (interruptions.contains(code) && code != .cancelled), "\(code)")
            for (cause, isConnection, mayRecover) in [
                (ImageError(.connection), true, true), (ImageError(.timeout), false, true),
                (ImageError(.cancelled), false, false), (ImageError(.httpStatus), false, false),
            ] where code == .notStored || code == .source {
                let error = ImageError(code, underlying: [ImageError(.tls), cause])
                #expect(error.isCausedByConnection == (code == .notStored && isConnection))
                #expect(error.mayRecoverWithNetwork == (code == .notStored && mayRecover))
            }
        }
    }

    @Test func `errors of a program become those of a load`() {
        struct Broken: Error {}
        #expect(ImageError.connection(Broken()) == ImageError(.connection, "Broken()"))
        #expect(ImageError.connection(ImageError(.tls)) == ImageError(.tls))
        #expect(ImageError.connection(CancellationError()) == .cancelled)
        #expect(ImageError(thrown: Broken()) == ImageError(.source, "Broken()"))
        #expect(ImageError(thrown: ImageError(.tls)) == ImageError(.tls))
        #expect(ImageError(thrown: CancellationError()) == .cancelled)
    }

    @Test func `the error of fallbacks is that of the last`() {
        let (first, last) = (ImageError(.tls), ImageError.httpStatus(404))
        #expect(ImageError.ofFallbacks([]).code == .invalidURL)
        #expect(ImageError.ofFallbacks([first]) == first)
        let both = ImageError.ofFallbacks([first, last])
        #expect(both.code == .httpStatus && both.status == 404 && both.underlying == [first, last])
    }

    // MARK: Hooks and providers

    @Test func `hooks are equal if name and account are`() {
        func hook(_ name: String, _ account: String?) -> RequestHook { RequestHook(name, account: account) { _ in } }
        #expect(hook("a", nil) == hook("a", nil))
        #expect(
            hook("a", "b") != hook("a", nil) && hook("a", "b") != hook("b", "b") && hook("a", "b") == hook("a", "b"))
        #expect(hook("a", nil).accountHash == nil && hook("a", "").accountHash == nil)
        #expect(hook("a", "b").accountHash == SHA256.name(of: "b"))
    }

    @Test func `authorizations are equal if account, origins and field are`() {
        func provider(
            _ account: String, _ origins: [String], _ field: HTTPField.Name = .authorization
        ) -> AuthorizationProvider {
            AuthorizationProvider(account: account, origins: origins, field: field) { _ in nil }
        }
        let own = provider("a", ["http://a", "http://b"])
        #expect(own == provider("a", ["http://a", "http://b"]))
        #expect(own.field == .authorization)
        #expect(own != provider("b", ["http://a", "http://b"]))
        #expect(own != provider("a", ["http://a"]))
        #expect(own != provider("a", ["http://a", "http://b"], .cookie))
    }

    @Test(arguments: [
        ("http://a", "http://a/x", true), ("http://a", "https://a/x", false), ("http://a", "http://a:81/x", false),
        ("http://a:81", "http://a:81/x", true), ("http://a", "http://b.a/x", false),
        ("http://*.a", "http://b.a/x", true),
        ("http://*.a", "http://c.b.a/x", true), ("http://*.a", "http://a/x", false),
        ("http://*.a", "http://ba/x", false),
        ("http://*.a", "https://b.a/x", false), ("http://*.a:81", "http://b.a/x", false),
        ("https://*.a", "https://b.a/", true),
        ("http://a/", "http://a/x", true), ("http://a/b", "http://a/b", false), ("http://a?b", "http://a/?b", false),
        ("http://u@a", "http://u@a/", false), ("http://*", "http://a/", false),
        ("http://b.*.a", "http://b.c.a/", false),
        ("a", "http://a/", false), ("", "http://a/", false), ("http://*.*.a", "http://b.b.a/", false),
    ])
    func `an origin covers its addresses, and a wildcard the subdomains`(
        origin: String, address: String, covers: Bool
    ) throws {
        let provider = AuthorizationProvider(account: "a", origins: ["http://other", origin]) { _ in nil }
        #expect(try provider.covers(WebAddress(address)) == covers)
    }

    @Test(
        arguments: [
            ("image/png", true), ("IMAGE/PNG", true), ("image/", true), ("text/html", false), ("ximage/png", false),
            ("application/image/png", false), ("", false), (nil, true),
        ] as [(String?, Bool)])
    func `the standard validation accepts types of images`(type: String?, isAccepted: Bool) throws {
        guard case .immediate(let check) = ResponseValidation.imageContentType.check else {
            Issue.record("the validation needs no time")
            return
        }
        var headers = HTTPFields()
        headers[.contentType] = type
        let address = try WebAddress("http://test/a")
        let data = LoadedData(bytes: [1], status: 200, headers: headers, address: address, origin: .network)
        let context = RequestContext(source: ImageSource(address), target: nil, attempt: 1)
        #expect(
            errorCode { () throws(ImageError) in try check(data, context) } == (isAccepted ? nil : .notAnImage))
        #expect(ResponseValidation.imageContentType != ResponseValidation("other") { (_: LoadedData) in })
    }

    // MARK: Steps of sizes

    private func sized(_ ratio: Double?, largest: Int = 3693) -> SizedSource {
        SizedSource(identity: "photo", aspectRatio: ratio, largest: largest) { ImageSource("http://test/\($0)") }
    }

    @Test(
        arguments: [
            (2.0, 300, 100, ContentFit.contain, 216), (2, 100, 300, .contain, 144), (2, 300, 100, .cover, 324),
            (2, 100, 300, .cover, 729), (0.5, 300, 100, .contain, 144), (0.5, 100, 300, .contain, 216),
            (0.5, 300, 100, .cover, 729), (0.5, 100, 300, .cover, 324), (nil, 300, 100, .contain, 324),
            (nil, 100, 325, .contain, 486), (nil, 100, 216, .cover, 324), (nil, 217, 100, .cover, 486),
            // The division adds a fraction of a pixel.
            (1.18, 96, 4000, .contain, 96), (1.01, 144, 4000, .contain, 144), (0.001, 1, 4000, .contain, 1094),
            (0.0009, 96, 64, .contain, 96), (1000, 144, 100, .contain, 144), (1001, 144, 100, .cover, 216),
        ] as [(Double?, Int, Int, ContentFit, Int)])
    func `the drawn size decides the step`(ratio: Double?, width: Int, height: Int, fit: ContentFit, step: Int) {
        let sized = sized(ratio)
        let target = TargetSize(PixelSize(width: width, height: height), fit: fit)
        #expect(sized.steps[sized.index(for: target)] == step)
    }

    @Test func `a step knows the larger ones and is made once`() {
        let calls = Lock<[Int]>([])
        let sized = SizedSource(identity: "photo", aspectRatio: nil, largest: 200) { pixels in
            calls.withLock { $0.append(pixels) }
            return ImageSource("http://test/\(pixels)")
        }
        #expect(sized.steps == [64, 96, 144, 200])
        let step = sized.source(at: 1)
        #expect(step.identity == "photo#96")
        #expect(step.step?.larger.map(\.identity) == ["photo#144", "photo#200"])
        #expect(sized.source(at: 3).step?.larger == [])
        #expect(step.webAddress?.string == "http://test/96" && step.nameToShow == "http://test/96")
        #expect(calls.withLock { $0 } == [96])
    }

    @Test(arguments: [
        ("photo", true), ("photo#64", true), ("photo#0", true), ("photo#9", true), ("photo#", false),
        ("photo#6a", false),
        ("photo#a6", false), ("photos", false), ("phot", false), ("photo64", false), ("photo#64 ", false),
        ("a photo", false),
        ("photo#/", false), ("photo#:", false),
    ])
    func `a cached name is that of a source or of one of its steps`(name: String, isName: Bool) {
        #expect(ImageSource.isName(name, of: "photo") == isName)
    }

    @Test func `an identity may be any text or the text of an address`() {
        #expect(ImageSource.names(of: "my photo") == ["my photo"])
        #expect(
            ImageSource.names(of: "HTTP://u@test:80")
                == ["HTTP://u@test:80", "http://test/", "http://u@test/"])
    }

    @Test(arguments: [
        (216, false, "216", ["144", "96", "64", "324", "486"]), (64, false, "64", ["96", "144", "216", "324", "486"]),
        (216, true, "144", ["96", "64", "216", "324", "486"]), (64, true, "64", ["96", "144", "216", "324", "486"]),
        (9000, false, "486", ["324", "216", "144", "96", "64"]),
    ])
    func `other sizes are previews, the next smaller ones first`(
        pixels: Int, isConstrained: Bool, attempt: String, previews: [String]
    ) {
        let source = ImageSource.sized(identity: "photo", largest: 486) { "http://test/\($0)" }
        let resolution = SourceResolution(source, target: .longestSide(pixels), isConstrained: isConstrained)
        #expect(resolution.attempts.map(\.identity) == ["photo#\(attempt)"])
        #expect(resolution.previews.map(\.identity) == previews.map { "photo#\($0)" })
    }

    // MARK: Choices

    private func resolution(
        _ source: ImageSource, _ pixels: Int? = nil, isConstrained: Bool = false, atHand: Set<String> = []
    ) -> [[String]] {
        let resolution = SourceResolution(
            source, target: pixels.map(TargetSize.longestSide), isConstrained: isConstrained
        ) { sources in
            sources.contains { atHand.contains($0.identity) }
        }
        return [resolution.attempts, resolution.previews].map { $0.map(\.identity) }
    }

    @Test func `an adaptive source shows the other image as a preview`() {
        let source = ImageSource.adaptive(regular: ImageSource.file("/r"), lowData: ImageSource.file("/l"))
        #expect(resolution(source) == [["file:/r"], ["file:/l"]])
        #expect(resolution(source, isConstrained: true) == [["file:/l"], ["file:/r"]])
        #expect(resolution(source, isConstrained: true, atHand: ["file:/r"]) == [["file:/r"], ["file:/l"]])
        #expect(resolution(source, atHand: ["file:/l"]) == [["file:/r"], ["file:/l"]])
        let both = ImageSource.fallbacks([source, .file("/f")])
        #expect(resolution(both, isConstrained: true) == [["file:/l", "file:/f"], ["file:/r"]])
    }

    @Test func `the smallest candidate with enough pixels is chosen, or a larger one at hand`() {
        let source = ImageSource.candidates(
            [300, 100, 200].map {
                SourceCandidate(ImageSource.file("/\($0)"), size: PixelSize(width: $0, height: $0 / 2))
            })
        #expect(source.identity == "candidates(file:/300 300 × 150|file:/100 100 × 50|file:/200 200 × 100)")
        #expect(resolution(source) == [["file:/300"], []])
        #expect(resolution(source, 100) == [["file:/100"], []])
        #expect(resolution(source, 101) == [["file:/200"], []])
        #expect(resolution(source, 301) == [["file:/300"], []])
        #expect(resolution(source, 50, atHand: ["file:/200"]) == [["file:/200"], []])
        #expect(resolution(source, 50, atHand: ["file:/200", "file:/300"]) == [["file:/200"], []])
        #expect(resolution(source, 150, atHand: ["file:/100"]) == [["file:/200"], []])
        #expect(resolution(.candidates([]), 50) == [[], []])
    }
}

import CRemoteImageGtk
import HTTPTypes
import RemoteImageTestSupport
import XCTest

@testable import RemoteImageCore
@testable import RemoteImageGtk

/// The sources, options and configurations that the properties of the GObject classes set, one by
/// one and in combination.
final class LoadPropertyTests: XCTestCase {
    @MainActor
    private func options(_ change: (inout ImageProperties) -> Void) -> ImageOptions {
        var properties = ImageProperties()
        change(&properties)
        return properties.options
    }

    // MARK: Images

    @MainActor
    func testEachLimitSetsItsOptionFromItsSmallestNumber() {
        XCTAssertEqual(options { $0.loadOptions = 9 }.loadOptions, [.loadImmediately, .lowerPriorityOnDisappear])
        XCTAssertEqual(options { $0.loadOptions = 0 }.loadOptions, [])
        XCTAssertEqual(options { $0.cachePolicy = 3 }, ImageOptions(cachePolicy: .reload))
        XCTAssertEqual(options { $0.priority = -2 }, ImageOptions(priority: .veryLow))
        XCTAssertEqual(options { $0.maxPixelSize = 1 }.maxPixelSize, 1)
        XCTAssertEqual(options { $0.keepWhileLoading = true }.keepsImageWhileLoading, true)
        XCTAssertEqual(options { $0.transitionDuration = 1 }.transition, .crossFade(.milliseconds(1)))
        XCTAssertEqual(options { $0.storedSizes = false }.cachesResizedImages, false)
        XCTAssertEqual(options { $0.loading.delay = 1 }.delay, .milliseconds(1))
        XCTAssertEqual(options { $0.loading.timeout = 1 }.timeout, .seconds(1))
        XCTAssertEqual(options { $0.loading.expiry = 1 }.expiry, .seconds(1))
        XCTAssertEqual(options { $0.loading.previews = 3 }.previews, [.embeddedThumbnail, .progressive])
        XCTAssertEqual(options { $0.loading.viewportMargin = 201 }.viewportMargin, 201)
        XCTAssertEqual(options { $0.loading.disappearDelay = 301 }.disappearDelay, .milliseconds(301))
    }

    @MainActor
    func testANegativeReleaseDelayKeepsTheImage() {
        XCTAssertNil(options { $0.loading.releaseDelay = -1 }.releaseDelay)
        XCTAssertEqual(options { $0.loading.releaseDelay = 0 }.releaseDelay, .zero)
        XCTAssertEqual(options { $0.loading.releaseDelay = 4_999 }.releaseDelay, .milliseconds(4_999))
    }

    @MainActor
    func testAnotherCachePolicyTakesPrecedenceOverStoredImages() {
        let both = options { ($0.cachePolicy, $0.loading.showsStored) = (2, true) }
        XCTAssertEqual(both, ImageOptions(cachePolicy: .cacheOnly))
    }

    @MainActor
    func testRetriesMayWaitForTheNetwork() {
        for count in [0, 3] as [Int32] {
            XCTAssertEqual(
                options { ($0.loading.maxRetries, $0.loading.waitsForNetwork) = (count, true) },
                ImageOptions(retryPolicy: .standard(maxRetryCount: Int(count), waitsForConnectivity: true)))
        }
    }

    @MainActor
    func testASourceHasItsIdentityAndItsAlternatives() {
        func source(_ change: (inout ImageProperties) -> Void) -> ImageSource? {
            var properties = ImageProperties()
            change(&properties)
            return properties.source
        }
        XCTAssertNil(source { $0.identity = "cat" })
        XCTAssertEqual(source { $0.uri = "http://test/a" }, "http://test/a")
        let named = ImageSource("http://test/a").identified(by: "cat")
        XCTAssertEqual(source { ($0.uri, $0.identity) = ("http://test/a", "cat") }, named)
        let adaptive = ImageSource.adaptive(regular: named, lowData: "http://test/small")
        XCTAssertEqual(
            source { ($0.uri, $0.identity, $0.lowDataURI) = ("http://test/a", "cat", "http://test/small") }, adaptive)
        XCTAssertEqual(
            source {
                ($0.uri, $0.identity, $0.lowDataURI) = ("http://test/a", "cat", "http://test/small")
                $0.fallbackURIs = ["http://test/b", "http://test/c"]
            }, .fallbacks([adaptive, "http://test/b", "http://test/c"]))
    }

    @MainActor
    func testAPlaceholderIconHasTheGivenSizeOrItsOwn() {
        func icon(_ name: String?, _ size: Int32) -> String? {
            var properties = ImageProperties()
            (properties.placeholderIconName, properties.placeholderIconSize) = (name, size)
            guard case .iconName(let name, let size) = properties.placeholderIcon else { return nil }
            return "\(name) \(size)"
        }
        XCTAssertNil(icon(nil, 20))
        XCTAssertEqual(icon("a", 0), "a 48")
        XCTAssertEqual(icon("a", 1), "a 1")
        XCTAssertEqual(icon("a", 20), "a 20")
    }

    @MainActor
    func testAReservedSizeOfOnePointIsASize() {
        func size(_ width: Int32, _ height: Int32, _ ratio: Double) -> ReservedSize? {
            options {
                ($0.display.reservedWidth, $0.display.reservedHeight, $0.display.aspectRatio) = (width, height, ratio)
            }.reservedSize
        }
        XCTAssertEqual(size(1, 2, 0), .points(width: 1, height: 2))
        XCTAssertEqual(size(1, 0, 0.5), .points(width: 1, height: 2))
        XCTAssertEqual(size(0, 1, 3), .points(width: 3, height: 1))
        XCTAssertEqual(size(31, 0, 1.5), .points(width: 31, height: 21))
        XCTAssertEqual(size(0, 31, 1.5), .points(width: 47, height: 31))
    }

    @MainActor
    func testABlurHashHasTheRatioOfBothReservedSides() {
        func hash(_ width: Int32, _ height: Int32, _ ratio: Double) -> PreviewHash? {
            options {
                $0.display.blurHash = "hash"
                ($0.display.reservedWidth, $0.display.reservedHeight, $0.display.aspectRatio) = (width, height, ratio)
            }.previewHash
        }
        XCTAssertEqual(hash(0, 30, 0), .blurHash("hash"))
        XCTAssertEqual(hash(1, 2, 0), .blurHash("hash", aspectRatio: 0.5))
        XCTAssertEqual(hash(1, 2, 4), .blurHash("hash", aspectRatio: 4))
    }

    @MainActor
    func testPreviewsThatAreNoHashesAreReportedOnceTheyAreSet() {
        let warnings = Warnings()
        var properties = ImageProperties()
        properties.warnOfPreviews(in: ["thumb-hash", "blur-hash"], of: "Class")
        (properties.thumbHash, properties.display.blurHash) = ("!", "!")
        properties.warnOfPreviews(in: ["uri"], of: "Class")
        XCTAssertEqual(warnings.messages, [])
        properties.warnOfPreviews(in: ["thumb-hash"], of: "Class")
        properties.warnOfPreviews(in: ["blur-hash"], of: "Class")
        XCTAssertEqual(
            warnings.messages,
            [
                "Class: the thumb-hash is not the Base64 text of a ThumbHash, and is not shown",
                "Class: the blur-hash is not a BlurHash, and is not shown",
            ])
        properties.display.blurHash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        properties.warnOfPreviews(in: ["blur-hash"], of: "Class")
        XCTAssertEqual(warnings.messages.count, 2)
    }

    // MARK: Headers

    @MainActor
    func testHeadersAreLinesOfANameAndAValue() {
        let lines = ["Accept: image/png", "X-A:\t b", "X-A:c:d", "no header", ": value", "a b: c", "X-B: \u{7}"]
        let fields = HeaderLines.fields(lines)
        XCTAssertEqual(fields.map { "\($0.name)=\($0.value)" }, ["Accept=image/png", "X-A=b", "X-A=c:d"])
        XCTAssertEqual(options { $0.headers = ["Accept: image/png"] }.headers[.accept], "image/png")
        let warnings = Warnings()
        HeaderLines.warn(of: lines, in: "Class")
        XCTAssertEqual(
            warnings.messages,
            [4, 5, 6, 7].map { "Class: header \($0) is not of the form “Name: value” and is not sent" })
    }

    func testEachClassWarnsOfItsHeaders() throws {
        try GtkFixture.run { test in
            let warnings = Warnings()
            let lines = StringVector.make(["Accept: image/png", "bad"])
            defer { g_strfreev(lines) }
            for type in [RemoteImageViewState.type, PaintableObject.type, PipelineObject.type] {
                let object = try XCTUnwrap(shim_object_new(type))
                g_object_ref_sink(object)
                shim_set_pointer(object, "headers", lines)
                shim_set_number(object, "timeout", 5)
                g_object_unref(object)
            }
            XCTAssertEqual(
                warnings.messages,
                ["RemoteImageView", "RemoteImagePaintable", "RemoteImagePipeline"].map {
                    "\($0): header 2 is not of the form “Name: value” and is not sent"
                })
            test.settle()
        }
    }

    // MARK: Pipelines

    @MainActor
    private static func configuration(_ change: (inout PipelineSettings) -> Void) -> ImagePipeline.Configuration {
        var settings = PipelineSettings()
        settings.diskCacheLimit = 0
        change(&settings)
        return settings.configuration
    }

    func testAPipelineWithoutPropertiesHasTheSharedConfiguration() {
        GtkFixture.run { _ in
            let (own, shared) = (PipelineSettings().configuration, ImagePipeline.sharedConfiguration)
            XCTAssertEqual(own.maxConcurrentTransfers, 16)
            XCTAssertEqual(own.maxConcurrentTransfersPerHost, 6)
            XCTAssertEqual(own.transferLimits.maxBodyByteCount, shared.transferLimits.maxBodyByteCount)
            XCTAssertEqual(own.transferLimits.timeout, shared.transferLimits.timeout)
            XCTAssertEqual(own.decodeLimits.maxPixelCount, shared.decodeLimits.maxPixelCount)
            XCTAssertTrue(own.headers.isEmpty)
            XCTAssertTrue(own.options.isEmpty)
            XCTAssertEqual(
                (own.memoryCache as? MemoryCache)?.costLimit, (shared.memoryCache as? MemoryCache)?.costLimit)
            XCTAssertNotNil(own.diskCache)
            XCTAssertTrue(own.transport as? CurlTransport === CurlTransport.shared)
        }
    }

    func testEachPropertyOfAPipelineChangesItsConfiguration() {
        GtkFixture.run { _ in
            XCTAssertNil(Self.configuration { _ in }.diskCache)
            XCTAssertNil(Self.configuration { $0.memoryCacheLimit = 0 }.memoryCache)
            XCTAssertEqual(
                (Self.configuration { $0.memoryCacheLimit = 1 }.memoryCache as? MemoryCache)?.costLimit, 1)
            XCTAssertEqual(Self.configuration { $0.maxTransfers = 3 }.maxConcurrentTransfers, 3)
            XCTAssertEqual(Self.configuration { $0.maxTransfersPerHost = 2 }.maxConcurrentTransfersPerHost, 2)
            XCTAssertEqual(Self.configuration { $0.maxBodySize = 9 }.transferLimits.maxBodyByteCount, 9)
            XCTAssertEqual(Self.configuration { $0.timeout = 7 }.transferLimits.timeout, .seconds(7))
            XCTAssertEqual(Self.configuration { $0.maxPixels = 8 }.decodeLimits.maxPixelCount, 8)
            XCTAssertEqual(Self.configuration { $0.storedSizes = false }.options.cachesResizedImages, false)
            XCTAssertEqual(Self.configuration { $0.headers = ["Accept: a/b"] }.headers[.accept], "a/b")
            for change: (inout PipelineSettings) -> Void in [
                { $0.userAgent = "viewer/1" }, { $0.blockPrivateNetworks = true }, { $0.maxTransfers = 17 },
                { $0.maxTransfersPerHost = 7 },
            ] {
                XCTAssertFalse(Self.configuration(change).transport as? CurlTransport === CurlTransport.shared)
            }
            // Fewer transfers need no other connections.
            XCTAssertTrue(
                Self.configuration { $0.maxTransfers = 3 }.transport as? CurlTransport === CurlTransport.shared)
        }
    }

    func testAPipelineHasTheHooksTheDecodersAndTheAccountOfItsProperties() throws {
        try GtkFixture.run { _ in
            let hook = RequestHook("signature", account: "ann") { _ in }
            XCTAssertEqual(Self.configuration { $0.requestHook = hook }.options.requestHook, hook)
            let validation = ResponseValidation("check") { (_: LoadedData) throws(ImageError) in }
            XCTAssertEqual(
                Self.configuration { $0.responseValidation = validation }.options.responseValidation, validation)
            let account = ObjectReference(
                owned: try XCTUnwrap(shim_object_new_with_text(AuthorizationObject.type, "account", "ann")))
            XCTAssertEqual(
                Self.configuration { $0.authorization = ObjectSlot(account.pointer) }.options.authorization?.account,
                "ann")
            @MainActor func types(_ decoders: [any ImageDecoder]) -> [String] { decoders.map { "\(type(of: $0))" } }
            for (number, isolation) in [(1, DecoderIsolation.required), (2, .none)] as [(Int32, DecoderIsolation)] {
                XCTAssertEqual(
                    types(Self.configuration { $0.isolation = number }.decoders),
                    types(.standard(isolation: isolation)))
            }
            XCTAssertNotEqual(types(.standard(isolation: .required)), types(.standard(isolation: .none)))
        }
    }

    func testAPipelineStoresInItsFolderUpToItsLimit() throws {
        try GtkFixture.run { _ in
            let folder = try TemporaryFolder()
            var settings = PipelineSettings()
            settings.cacheDirectory = folder.path("store")
            XCTAssertEqual(settings.usedCacheDirectory, folder.path("store"))
            for limit in [-1, 1] as [Int64] {
                settings.diskCacheLimit = limit
                let store = try XCTUnwrap(settings.configuration.diskCache)
                XCTAssertEqual(store.base, folder.path("store"))
                XCTAssertEqual(store.sizes.limit == 1, limit == 1)
            }
            settings.cacheDirectory = nil
            XCTAssertEqual(
                settings.usedCacheDirectory, DiskCache.standardPath(application: ImagePipeline.applicationName))
        }
    }

    func testAUserAgentWithControlCharactersIsNotSent() throws {
        try GtkFixture.run { _ in
            let standard = CurlTransport.Configuration().userAgent
            var settings = PipelineSettings()
            XCTAssertEqual(settings.usedUserAgent, standard)
            settings.userAgent = "viewer/1"
            XCTAssertEqual(settings.usedUserAgent, "viewer/1")
            let warnings = Warnings()
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            shim_set_pointer(object, "user-agent", "viewer/1")
            XCTAssertEqual(warnings.messages, [])
            shim_set_pointer(object, "user-agent", "a\u{7}")
            XCTAssertEqual(
                warnings.messages, ["RemoteImagePipeline: a user-agent with control characters is not sent"])
            XCTAssertEqual(PipelineObject.of(object).properties.usedUserAgent, standard)
            shim_set_number(object, "timeout", 5)
            XCTAssertEqual(warnings.messages.count, 1)
            g_object_unref(object)
        }
    }

    /// The proxy alone may change later.
    func testAUsedPipelineRefusesOtherPropertiesThanItsProxy() throws {
        try GtkFixture.run { test in
            let object = try XCTUnwrap(shim_object_new(PipelineObject.type))
            shim_set_pointer(object, "proxy", "http://proxy:1")
            let state = PipelineObject.of(object)
            XCTAssertTrue(state.isConfigurable())
            XCTAssertTrue(state.isFilterable())
            let pipeline = state.pipeline
            XCTAssertTrue(state.pipeline === pipeline)
            XCTAssertEqual(pipeline.proxy, .address("http://proxy:1"))
            shim_set_pointer(object, "proxy", "none")
            XCTAssertEqual(pipeline.proxy, .direct)
            let criticals = Criticals()
            shim_set_number(object, "timeout", 5)
            XCTAssertEqual(state.properties.timeout, 60)
            let message = "RemoteImagePipeline: it is in use already; set its properties before its first use"
            XCTAssertEqual(criticals.messages, [message])
            XCTAssertFalse(state.isFilterable())
            XCTAssertEqual(criticals.messages, [message, message])
            g_object_unref(object)
            test.settle()
        }
    }

    // MARK: Authorizations

    func testAnAuthorizationRefusesWhatIsNoHeaderAndChangesAfterItsUse() throws {
        try GtkFixture.run { _ in
            let object = try XCTUnwrap(shim_object_new_with_text(AuthorizationObject.type, "account", "ann"))
            let state = AuthorizationObject.of(object)
            XCTAssertEqual(state.properties.account, "ann")
            let criticals = Criticals()
            for name in ["a b", "", nil] as [String?] {
                shim_set_pointer(object, "header-name", name)
                XCTAssertEqual(state.properties.headerName, "Authorization")
            }
            let invalid =
                "RemoteImageAuthorization: the header-name is not the name of a header, and is not set"
            XCTAssertEqual(criticals.messages, [invalid, invalid, invalid])
            shim_set_pointer(object, "header-name", "X-Token")
            XCTAssertEqual(state.properties.headerName, "X-Token")
            let origins = StringVector.make(["https://test"])
            shim_set_pointer(object, "origins", origins)
            g_strfreev(origins)
            XCTAssertEqual(state.properties.origins, ["https://test"])
            XCTAssertEqual(criticals.messages.count, 3)
            let wrong = StringVector.make(["no origin"])
            shim_set_pointer(object, "origins", wrong)
            g_strfreev(wrong)
            XCTAssertEqual(criticals.messages.count, 4)
            XCTAssertEqual(state.properties.origins, ["no origin"], "its requests fail")
            let provider = AuthorizationObject.provider(of: ObjectSlot(object))
            XCTAssertEqual(provider?.account, "ann")
            shim_set_pointer(object, "header-name", "X-Other")
            XCTAssertEqual(state.properties.headerName, "X-Token")
            XCTAssertEqual(
                criticals.messages.last,
                "RemoteImageAuthorization: it is in use already; set its properties before its first use")
            shim_set_pointer(object, "header-name", "X-Token")
            XCTAssertEqual(criticals.messages.count, 5, "an equal value is no change")
            XCTAssertNil(AuthorizationObject.provider(of: ObjectSlot(nil)))
            g_object_unref(object)
        }
    }

    func testAnAuthorizationWithoutAnAccountIsReportedOnce() throws {
        try GtkFixture.run { _ in
            let object = try XCTUnwrap(shim_object_new(AuthorizationObject.type))
            let criticals = Criticals()
            for _ in 0..<2 { XCTAssertEqual(AuthorizationObject.provider(of: ObjectSlot(object))?.account, "") }
            XCTAssertEqual(
                criticals.messages, ["RemoteImageAuthorization: it has no account, so its requests fail"])
            g_object_unref(object)
        }
    }
}

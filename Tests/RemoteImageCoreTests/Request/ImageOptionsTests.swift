import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// Options and limits in one expression.
@Suite struct ImageOptionsTests {
    @Test func `options are set in one expression and otherwise inherited`() {
        let options = ImageOptions(priority: .high, processors: [.circle(), .grayscale])
        #expect(options.priority == .high)
        #expect(
            options.processors.map(\.identity) == [ImageProcessor.circle().identity, ImageProcessor.grayscale.identity])
        let outer = ImageOptions(priority: .low, delay: .seconds(1), cachePolicy: .reload)
        let merged = options.merged(over: outer)
        #expect(merged.priority == .high)
        #expect(merged.delay == .seconds(1))
        #expect(merged.cachePolicy == .reload)
        #expect(ImageOptions().isEmpty)
    }

    @Test func `each argument sets its own option and no other`() {
        let validation = ResponseValidation("even") { (_: LoadedData) in }
        var expected = ImageOptions()
        expected.loadOptions = .loadImmediately
        expected.priority = .low
        expected.delay = .seconds(2)
        expected.maxPixelSize = 3
        expected.keepsImageWhileLoading = true
        expected.previews = .embeddedThumbnail
        expected.playsAnimation = false
        expected.transition = .crossFade
        expected.processors = [.circle()]
        expected.cachePolicy = .noStore
        expected.expiry = .seconds(4)
        expected.headers = [.accept: "image/*"]
        expected.timeout = .seconds(5)
        expected.transferLimits = TransferLimits(timeout: .seconds(6))
        expected.decodeLimits = DecodeLimits(maxSide: 7)
        expected.cachesResizedImages = false
        expected.responseValidation = validation
        expected.retryPolicy = .never
        let options = ImageOptions(
            loadOptions: .loadImmediately, priority: .low, delay: .seconds(2), maxPixelSize: 3,
            keepsImageWhileLoading: true, previews: .embeddedThumbnail, playsAnimation: false, transition: .crossFade,
            processors: [.circle()], cachePolicy: .noStore,
            expiry: .seconds(4), cachesResizedImages: false, headers: [.accept: "image/*"], timeout: .seconds(5),
            transferLimits: TransferLimits(timeout: .seconds(6)), decodeLimits: DecodeLimits(maxSide: 7),
            responseValidation: validation, retryPolicy: .never)
        #expect(options == expected)
    }

    @Test func `limits that are left out have their defaults`() {
        let transfer = TransferLimits(timeout: .seconds(5))
        #expect(transfer.timeout == .seconds(5))
        #expect(transfer.maxBodyByteCount == TransferLimits().maxBodyByteCount)
        let decode = DecodeLimits(maxSide: 100)
        #expect(decode.maxSide == 100)
        #expect(decode.maxPixelCount == DecodeLimits().maxPixelCount)
        let curl = CurlTransport.Configuration(proxy: .direct, blocksPrivateNetworks: true)
        #expect(curl.proxy == .direct)
        #expect(curl.blocksPrivateNetworks)
        #expect(curl.maxConnections == 16)
        #expect(curl.userAgent == CurlTransport.Configuration().userAgent)
    }
}

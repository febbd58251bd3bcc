import RemoteImageCore

/// A fake transport that immediately delivers the same image for every address.
final class InstantTransport: Transport {
    /// Whether requests receive a response. If `false`, transfers run until they are cancelled.
    private let answers: Bool

    init(answers: Bool = true) {
        self.answers = answers
    }

    /// The header of a PNG of one pixel. Nothing reads beyond the header.
    private static let body: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]

    func load(_ request: TransferRequest, into receiver: any TransferReceiver) async throws(ImageError) {
        guard answers else {
            try? await Task.sleep(for: .seconds(3600))
            throw .cancelled
        }
        try receiver.receive(
            TransferHead(status: 200, address: request.address, expectedByteCount: Self.body.count))
        try receiver.receive(Self.body.span.bytes)
    }
}

/// A decoder that returns the same pixel for every image.
struct InstantDecoder: ImageDecoder {
    let formats: Set<ImageFormat> = [.png]

    static let pixel = PixelBuffer(size: PixelSize(width: 1, height: 1), format: .rgb8) { memory in
        for index in memory.indices { memory[index] = 0 }
    }

    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        DecodedImage(pixels: Self.pixel, size: Self.pixel.size)
    }
}

extension ImagePipeline {
    /// A pipeline with the instant transport, without rate limit and retries.
    static func instant(answers: Bool = true, memoryCache: (any ImageCache)? = nil) -> ImagePipeline {
        var configuration = Configuration(
            transport: InstantTransport(answers: answers), decoders: [InstantDecoder()], memoryCache: memoryCache)
        configuration.rateLimit = nil
        configuration.retryPolicy = .never
        return ImagePipeline(configuration)
    }
}

import Dispatch
import RemoteImageCore

/// A network without one: every address has the same image, at once.
final class InstantTransport: Transport {
    private let queue = DispatchQueue(label: "instant transport")
    /// Whether anything is ever answered.
    private let answers: Bool

    init(answers: Bool = true) {
        self.answers = answers
    }

    /// The header of a PNG of one pixel, which is all that is looked at.
    private static let body: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]

    func start(_ request: TransferRequest, receiver: any TransferReceiver) -> any Transfer {
        if answers {
            queue.async {
                receiver.transferDidReceive(
                    TransferHead(status: 200, address: request.address, expectedByteCount: Self.body.count))
                receiver.transferDidReceive(Self.body.span.bytes)
                receiver.transferDidFinish(.success(()))
            }
        }
        return SilentTransfer(receiver: answers ? nil : receiver, queue: queue)
    }
}

private struct SilentTransfer: Transfer {
    let receiver: (any TransferReceiver)?
    let queue: DispatchQueue

    func cancel() {
        queue.async { [receiver] in receiver?.transferDidFinish(.failure(.cancelled)) }
    }
}

/// Decodes nothing: every image is the same pixel.
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
    /// A pipeline over an instant network, without limits that only slow it down.
    static func instant(answers: Bool = true, memoryCache: (any ImageCache)? = nil) -> ImagePipeline {
        var configuration = Configuration(
            transport: InstantTransport(answers: answers), decoders: [InstantDecoder()], memoryCache: memoryCache)
        configuration.rateLimit = nil
        configuration.retryPolicy = StandardRetryPolicy.never
        return ImagePipeline(configuration)
    }
}

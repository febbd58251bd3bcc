// Fake images, and a decoder for them.

import RemoteImageCore

/// A PNG header and one byte of content, which is all that the pipeline and ``FakeDecoder`` read.
/// Images with different `content` have different bytes and pixels.
public struct TestImage: Sendable {
    /// The content of an image whose pixels show their position: red grows from left to right,
    /// green from top to bottom, from 0 to 255.
    public static let positions: UInt8 = 255

    public let size: PixelSize
    public let content: UInt8

    public init(_ content: UInt8 = 1, width: Int = 8, height: Int = 6) {
        self.content = content
        size = PixelSize(width: width, height: height)
    }

    public var bytes: [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + bigEndian(size.width) + bigEndian(size.height) + [8, 2, 0, 0, 0, 0, 0, 0, 0, content]
    }

    /// The image as ``FakeDecoder`` decodes it.
    public var decoded: LoadedImage {
        let pixels = PixelBuffer(size: size, format: .rgb8) { memory in
            for index in memory.indices { memory[index] = content }
        }
        return LoadedImage(
            pixels: pixels, info: ImageInfo(size: size, decodedSize: size, format: .png, origin: .network))
    }

    private func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// Decodes a ``TestImage`` into pixels whose bytes are all equal to its `content`.
public final class FakeDecoder: ImageDecoder {
    public let formats: Set<ImageFormat> = [.png]
    private let watched = Watched(0)

    public init() {}

    /// The number of calls of ``decode(_:_:)``.
    public var decodeCount: Int { watched.value }

    public func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        watched.update { $0 += 1 }
        guard let content = bytes.last, content != 0 else { throw ImageError(.corrupt, "no content") }
        let size = request.target?.drawnSize(of: request.header.size) ?? request.header.size
        let pixels = PixelBuffer(size: size, format: .rgb8) { memory in
            for index in memory.indices { memory[index] = content }
            guard content == TestImage.positions else { return }
            for pixel in 0..<size.pixelCount {
                memory[3 * pixel] = UInt8(pixel % size.width * 255 / size.width)
                memory[3 * pixel + 1] = UInt8(pixel / size.width * 255 / size.height)
            }
        }
        return DecodedImage(pixels: pixels, size: request.header.size)
    }
}

extension LoadedImage {
    /// The content of the ``TestImage`` from which this image was decoded.
    public var content: UInt8? {
        pixels.withUnsafeBytes { $0.first }
    }
}

extension ImagePipeline {
    /// A pipeline that, by default, decodes ``TestImage``s and does not retry.
    public static func test(
        _ transport: any Transport, decoder: any ImageDecoder = FakeDecoder(),
        memoryCache: (any ImageCache)? = MemoryCache(),
        configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            transport: transport, decoders: [decoder], memoryCache: memoryCache)
        configuration.retryPolicy = .never
        configure(&configuration)
        return ImagePipeline(configuration)
    }
}

import Glibc
import RemoteImage
import RemoteImageTestSupport
import Testing

/// Loaded images written to files.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct WrittenImageTests {
    private let folder: TemporaryFolder
    private let image: LoadedImage

    init() throws {
        folder = try TemporaryFolder()
        let pixels = PixelBuffer.quarters(width: 40, height: 30)
        image = LoadedImage(
            pixels: pixels, info: ImageInfo(size: pixels.size, decodedSize: pixels.size, format: nil, origin: .local))
    }

    private func load(_ name: String) async throws -> LoadedImage {
        let configuration = ImagePipeline.Configuration(decoders: .standard(isolation: .none), memoryCache: nil)
        return try await ImagePipeline(configuration).image(for: .file(folder.path(name)))
    }

    @Test func `a PNG has exactly the pixels of the image`() async throws {
        try await image.write(to: folder.path("a.png"), as: .png)
        let read = try await load("a.png")
        #expect(read.info.format == .png)
        #expect(read.pixels.withUnsafeBytes { Array($0) } == image.pixels.withUnsafeBytes { Array($0) })
    }

    @Test func `a JPEG has white where the image is transparent`() throws {
        let pixels = PixelBuffer(size: PixelSize(width: 16, height: 16), format: .rgba8Premultiplied) { memory in
            for index in 0..<256 {
                memory.storeBytes(of: index < 128 ? 0x8000_0000 : 0, toByteOffset: index * 4, as: UInt32.self)
            }
        }
        let bytes = try pixels.encoded(as: .jpeg(quality: 100))
        let decoded = try JPEGDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes))).pixels
        #expect(decoded.pixel(8, 2).allSatisfy { (125...129).contains($0) }, "half of black")
        #expect(decoded.pixel(8, 14).allSatisfy { $0 >= 253 })
    }

    @Test func `a JPEG of a higher quality is larger`() async throws {
        try await checkQualities([.jpeg(quality: 10), .jpeg(), .jpeg(quality: 100)])
    }

    @Test(.enabled(if: WebPDecoder().decodes(.webp)))
    func `a WebP of a higher quality is larger`() async throws {
        try await checkQualities([.webp(quality: 10), .webp(), .webp(quality: 100)])
    }

    private func checkQualities(_ encodings: [PixelEncoding]) async throws {
        for (index, encoding) in encodings.enumerated() {
            try await image.write(to: folder.path("\(index)"), as: encoding)
        }
        let sizes = try encodings.indices.map { try folder.read("\($0)").count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
        #expect(try await load("1").info.size == PixelSize(width: 40, height: 30))
    }

    @Test(.enabled(if: WebPDecoder().decodes(.webp)))
    func `a WebP keeps what is transparent`() throws {
        let pixels = PixelBuffer(size: PixelSize(width: 16, height: 16), format: .rgba8Premultiplied) { memory in
            for index in 0..<256 { memory.storeBytes(of: 0x8000_0080, toByteOffset: index * 4, as: UInt32.self) }
        }
        let bytes = try pixels.encoded(as: .webp(quality: 100))
        let decoded = try WebPDecoder().decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes))).pixels
        #expect(zip(decoded.pixel(8, 8), [0x80, 0, 0, 0x80]).allSatisfy { abs(Int($0) - $1) <= 3 })
    }

    @Test func `an existing file is replaced and nothing else is left in the folder`() async throws {
        try folder.write("old", to: "a.png")
        let old = open(folder.path("a.png"), O_RDONLY)
        defer { close(old) }
        try await image.write(to: folder.path("a.png"), as: .png)
        #expect(try await load("a.png").info.size == image.info.size)
        // A program that has the old file open still reads all of it.
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(old, &bytes, bytes.count) == 3)
        #expect(try folder.names() == ["a.png"])
    }

    @Test func `a failure names the file and leaves nothing behind`() async throws {
        let missing = folder.path("missing/a.png")
        let error = await #expect(throws: ImageError.self) { try await image.write(to: missing, as: .png) }
        #expect(error?.code == .io)
        #expect(error?.detail == "\(missing): No such file or directory")
        mkdir(folder.path("b.png"), 0o700)
        let taken = await #expect(throws: ImageError.self) { try await image.write(to: folder.path("b.png"), as: .png) }
        #expect(taken?.code == .io)
        #expect(try folder.names() == ["b.png"])
    }

    @Test(arguments: [PixelEncoding.jpeg(), .webp()])
    func `an image that the format cannot hold leaves the old file unchanged`(encoding: PixelEncoding) async throws {
        try folder.write("old", to: "a.jpg")
        let wide = PixelBuffer(size: PixelSize(width: 70_000, height: 1), format: .rgb8) { _ in }
        let image = LoadedImage(pixels: wide, info: image.info)
        let error = await #expect(throws: ImageError.self) {
            try await image.write(to: folder.path("a.jpg"), as: encoding)
        }
        #expect(error?.code == .io)
        #expect(error?.detail?.contains("cannot be encoded") == true)
        #expect(try folder.read("a.jpg") == Array("old".utf8))
    }
}

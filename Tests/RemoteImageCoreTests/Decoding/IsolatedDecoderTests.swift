import Dispatch
import Foundation
import RemoteImagePixbuf
import TestSupport
import Testing

@testable import RemoteImageDecoders

/// The decoder process, as it comes out of the build, and what happens to images when something
/// happens to it.
@Suite(.timeLimit(.minutes(2)), .endsInTime)
struct IsolatedDecoderTests {
    private let decoder = IsolatedDecoder()

    private static func decoder(
        _ change: (inout IsolatedDecoder.Configuration) -> Void
    ) -> IsolatedDecoder {
        var configuration = IsolatedDecoder.Configuration()
        change(&configuration)
        return IsolatedDecoder(configuration)
    }

    private func decode(
        _ bytes: [UInt8], with decoder: IsolatedDecoder? = nil, target: TargetSize? = nil
    ) throws -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        return try (decoder ?? self.decoder).decode(bytes, request)
    }

    /// The process that waits after an image was decoded; it has the codecs of the first formats as
    /// well.
    private func process(of decoder: IsolatedDecoder) throws -> Int32 {
        _ = try decode(SampleImage.lossyWebP, with: decoder)
        return try #require(decoder.idleProcesses.last)
    }

    /// Waits until something is so; what a process does is seen from outside only.
    private func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if condition() { return true }
            sched_yield()
        }
        return false
    }

    /// Sends signals to a process that has an image: it stopped before, and the question waits in
    /// its socket. On a thread of its own, since the one of the test waits for the image.
    private func interrupt(_ process: Int32, with signals: Int32...) {
        kill(process, SIGSTOP)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            for signal in signals { kill(process, signal) }
        }
    }

    private func status(_ process: Int32, _ file: String = "status") -> String {
        guard let text = fopen("/proc/\(process)/\(file)", "r") else { return "" }
        defer { fclose(text) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, text)], as: UTF8.self)
    }

    // MARK: The same images

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.cmykJPEG, SampleImage.grayJPEG, SampleImage.palettePNG,
        SampleImage.transparentPalettePNG, SampleImage.deepGrayPNG, SampleImage.losslessWebP,
        SampleImage.lossyWebP, SampleImage.alphaWebP, SampleImage.orientedWebP, SampleImage.animatedWebP,
        SampleImage.animatedGIF,
    ])
    func `an image is the same from the decoder process`(bytes: [UInt8]) throws {
        for target in [nil, TargetSize.longestSide(8), TargetSize(PixelSize(width: 4, height: 4), fit: .cover)] {
            let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
            let own = try [any ImageDecoder].standard(isolation: .none).decode(bytes, request)
            let isolated = try decoder.decode(bytes, request)
            #expect(isolated.decoder == own.decoder)
            #expect(isolated.isIsolated && !own.isIsolated)
            #expect(isolated.size == own.size)
            #expect(isolated.frameCount == own.frameCount)
            #expect(isolated.pixels.size == own.pixels.size)
            #expect(isolated.pixels.format == own.pixels.format)
            #expect(isolated.pixels.withUnsafeBytes { Array($0) } == own.pixels.withUnsafeBytes { Array($0) })
        }
        #expect(decoder.idleProcesses.count == 1, "it was kept")
    }

    /// Its libraries have to work with what the process may not do.
    @Test(.enabled(if: IsolatedDecoder().formats.contains(.avif), "neither libheif nor a loader of AVIF is installed"))
    func `AVIF is the same from the decoder process`() throws {
        let request = DecodeRequest(header: try ImageHeader.read(SampleImage.avif))
        let own = try [any ImageDecoder].standard(isolation: .none).decode(SampleImage.avif, request)
        let isolated = try decoder.decode(SampleImage.avif, request)
        #expect(isolated.size == own.size)
        #expect(isolated.pixels.withUnsafeBytes { Array($0) } == own.pixels.withUnsafeBytes { Array($0) })
    }

    @Test func `an image that is larger than the kept memory is the same from the decoder process`() throws {
        for bytes in try [
            PixelBuffer.quarters(width: 1200, height: 900).encoded(as: .png),
            PixelBuffer.quarters(width: 1200, height: 900).encoded(as: .jpeg(quality: 90)),
        ] {
            let request = DecodeRequest(header: try ImageHeader.read(bytes))
            let own = try [any ImageDecoder].standard(isolation: .none).decode(bytes, request)
            let isolated = try decoder.decode(bytes, request)
            let isSame = isolated.pixels.withUnsafeBytes { pixels in
                own.pixels.withUnsafeBytes { $0.elementsEqual(pixels) }
            }
            #expect(isSame, "\(request.header.format)")
        }
        #expect(decoder.idleProcesses.count == 1)
    }

    @Test func `a decoder that makes more than the header says gets the memory that it needs`() throws {
        // The header was read as that of a smaller image. The decoder of icons reads the size
        // itself.
        let png = try PixelBuffer.quarters(width: 1200, height: 900).encoded(as: .png)
        let entry: [UInt8] =
            [0, 0, 0, 0, 1, 0, 32, 0]
            + [png.count, 22].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
        let bytes = [0, 0, 1, 0, 1, 0] + entry + png
        let whole = try ICODecoder([PNGDecoder()]).decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes)))
        for width in [1, 1000] {
            let request = DecodeRequest(
                header: ImageHeader(format: .ico, storedSize: PixelSize(width: width, height: 900)))
            let pixels = try decoder.decode(bytes, request).pixels
            #expect(pixels.withUnsafeBytes { Array($0) } == whole.pixels.withUnsafeBytes { Array($0) })
        }
    }

    /// The memory files that a process maps.
    private func memoryFiles(of process: Int32) -> [Substring] {
        status(process, "maps").split(separator: "\n").filter { $0.contains("memfd:remote-image") }
    }

    @Test func `images are decoded in memory that is kept, and larger ones leave none behind`() throws {
        let process = try process(of: decoder)
        let kept = memoryFiles(of: process)
        #expect(kept.count == 1)
        _ = try decode(SampleImage.grayJPEG)
        _ = try decode(try PixelBuffer.quarters(width: 1200, height: 900).encoded(as: .png))
        _ = try decode(SampleImage.palettePNG)
        #expect(decoder.idleProcesses == [process])
        #expect(memoryFiles(of: process) == kept)
    }

    @Test func `the beginning of a progressive JPEG is the same from the decoder process`() throws {
        let bytes = SampleImage.progressiveJPEG
        let beginning = Array(bytes.prefix(bytes.count * 3 / 4))
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        let own = try #require(JPEGDecoder().decodeBeginning(beginning, request))
        let isolated = try #require(decoder.decodeBeginning(beginning, request))
        #expect(isolated.withUnsafeBytes { Array($0) } == own.withUnsafeBytes { Array($0) })
        #expect(decoder.decodeBeginning(Array(bytes.prefix(4)), request) == nil)
        #expect(decoder.idleProcesses.count == 1)
    }

    // MARK: What processes are started for

    /// The formats that a process was started for.
    private func formats(of process: Int32) -> Set<ImageFormat>? {
        status(process, "cmdline").split(separator: "\0").last.flatMap { Int($0) }.flatMap { Set(bits: $0) }
    }

    @Test func `a process loads the codecs of the images so far, and no others`() throws {
        _ = try decode(SampleImage.palettePNG)
        let first = try #require(decoder.idleProcesses.last)
        #expect(formats(of: first) == IsolatedDecoder.firstFormats)
        for library in ["libwebp.so", "libheif.so", "libjxl.so", "libgdk_pixbuf", "libgio"] {
            #expect(!status(first, "maps").contains(library))
        }
        _ = try decode(SampleImage.lossyWebP)
        let second = try #require(decoder.idleProcesses.last)
        #expect(formats(of: second) == IsolatedDecoder.firstFormats.union([.webp]))
        #expect(status(second, "maps").contains("libwebp.so"))
        _ = try decode(SampleImage.grayJPEG)
        #expect(decoder.idleProcesses.last == second, "the last one is used again")
    }

    @Test func `a process that waits makes room for one with another format`() throws {
        for _ in 0..<8 { decoder.prepare() }
        #expect(eventually { decoder.idleProcesses.count == WorkerThreads.shared.count })
        let old = decoder.idleProcesses
        _ = try decode(SampleImage.lossyWebP)
        #expect(decoder.idleProcesses.count == WorkerThreads.shared.count)
        #expect(eventually { old.filter { kill($0, 0) == 0 }.count == WorkerThreads.shared.count - 1 })
    }

    @Test func `a format that the program cannot decode starts no process`() throws {
        let decoder = IsolatedDecoder([PNGDecoder()])
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.animatedGIF, with: decoder) }
        #expect(error?.code == .unsupportedFormat)
        #expect(decoder.idleProcesses.isEmpty)
    }

    // MARK: When processes start

    @Test func `processes are started ahead of the first image, as many as decode threads`() {
        for _ in 0..<8 { decoder.prepare() }
        #expect(eventually { decoder.idleProcesses.count == WorkerThreads.shared.count })
        decoder.prepare()
        #expect(decoder.idleProcesses.count == WorkerThreads.shared.count)
    }

    @Test func `a load tells the decoders that it has begun`() async throws {
        struct Prepared: ImageDecoder {
            let count: Watched<Int>
            var formats: Set<ImageFormat> { [.png] }

            func prepare() { count.update { $0 += 1 } }

            func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
                throw ImageError(.corrupt, "prepared \(count.value) times")
            }
        }
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: Prepared(count: Watched(0)), memoryCache: nil)
        let request = ImageRequest(ImageSource.bytes(SampleImage.palettePNG, identity: "any"))
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: request) }
        #expect(error?.detail == "prepared 1 times")
    }

    @Test func `a process that crashed is replaced before the next image`() throws {
        let process = try process(of: decoder)
        guard status(process).contains("Seccomp:\t2") else { return }
        interrupt(process, with: SIGABRT, SIGCONT)
        _ = try decode(SampleImage.lossyWebP)
        #expect(eventually { decoder.idleProcesses.contains { $0 != process } })
    }

    @Test func `pixels outlive the decoder and its process`() throws {
        var pixels: PixelBuffer?
        do {
            let decoder = IsolatedDecoder()
            pixels = try decode(SampleImage.palettePNG, with: decoder).pixels
        }
        #expect(pixels?.quarters == [.red, .green, .blue, .white])
    }

    @Test func `what the decoder says of an image comes back`() throws {
        let cut = Array(SampleImage.losslessWebP.dropLast(8))
        #expect(throws: ImageError(.corrupt, "the file ends before the image")) { try decode(cut) }
        var limits = DecodeLimits()
        limits.maxPixelCount = 100
        let request = DecodeRequest(
            header: ImageHeader(format: .png, storedSize: PixelSize(width: 2, height: 2)), limits: limits)
        let error = #expect(throws: ImageError.self) { try decoder.decode(SampleImage.palettePNG, request) }
        #expect(error?.code == .tooManyPixels)
        #expect(decoder.idleProcesses.count == 1, "an image that is refused costs no process")
    }

    @Test func `threads have processes of their own, and those stay few`() async throws {
        let jpeg = try PixelBuffer.quarters(width: 640, height: 480).encoded(as: .jpeg(quality: 90))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let bytes = index % 2 == 0 ? jpeg : SampleImage.lossyWebP
                    return try decode(bytes).pixels.quarters == [.red, .green, .blue, .white]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect((1...4).contains(decoder.idleProcesses.count))
    }

    // MARK: What the process may do

    @Test func `the process is locked in`() throws {
        let process = try process(of: decoder)
        let status = status(process)
        #expect(access("/proc/\(process)/fd/3", F_OK) == 0)
        #expect(
            eventually { (4..<64).allSatisfy { access("/proc/\(process)/fd/\($0)", F_OK) != 0 } },
            "it has no other descriptor once it has closed those of the image")
        // Under a sanitizer there are no limits.
        guard status.contains("Seccomp:\t2") else { return }
        #expect(self.status(process, "limits").contains("Max core file size        0"))
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(self.status(process, "limits").contains("Max address space         1610612736"))
        #expect(self.status(process, "limits").contains("Max open files            6"))
    }

    @Test func `the process ends with the decoder`() throws {
        var decoder: IsolatedDecoder? = IsolatedDecoder()
        let process = try process(of: #require(decoder))
        #expect(kill(process, 0) == 0)
        decoder = nil
        #expect(eventually { kill(process, 0) != 0 })
    }

    @Test func `the process leaves when it has nothing to do, and the next image has another`() throws {
        let decoder = Self.decoder { $0.idleTime = .milliseconds(20) }
        let process = try process(of: decoder)
        #expect(eventually { kill(process, 0) != 0 })
        #expect(try self.process(of: decoder) != process)
    }

    // MARK: What happens to it

    @Test func `an image whose process is killed is given to another`() throws {
        let process = try process(of: decoder)
        interrupt(process, with: SIGKILL)
        #expect(try decode(SampleImage.lossyWebP).pixels.quarters == [.red, .green, .blue, .white])
        #expect(decoder.idleProcesses.last != process)
    }

    @Test(arguments: [SIGSEGV, SIGXCPU, SIGSYS, SIGABRT])
    func `an image whose process crashes after it decoded others is decoded in a new one`(signal: Int32) throws {
        let process = try process(of: decoder)
        // A sanitizer, under which nothing is filtered, takes such signals for itself.
        guard status(process).contains("Seccomp:\t2") else { return }
        interrupt(process, with: signal, SIGCONT)
        #expect(try decode(SampleImage.lossyWebP).pixels.quarters == [.red, .green, .blue, .white])
        #expect(!decoder.idleProcesses.contains(process))
    }

    @Test func `an image whose process stops fails after the deadline, and the next one decodes`() throws {
        let decoder = Self.decoder { $0.deadline = .seconds(2) }
        let process = try process(of: decoder)
        #expect(kill(process, SIGSTOP) == 0)
        let start = ContinuousClock.now
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.lossyWebP, with: decoder) }
        #expect(error?.code == .decodeTimeout)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(eventually { kill(process, 0) != 0 }, "it is not left behind")
        #expect(try decode(SampleImage.lossyWebP, with: decoder).pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `an image that needs more memory than the process has fails, and the next one decodes`() throws {
        let decoder = Self.decoder { $0.maxMemoryByteCount = 400 << 20 }
        guard status(try process(of: decoder)).contains("Seccomp:\t2") else { return }
        let large = try PixelBuffer.quarters(width: 16, height: 8).encoded(as: .png).withSides(12_000, 12_000)
        var limits = DecodeLimits()
        limits.maxPixelCount = .max
        limits.maxDecodedByteCount = .max
        let request = DecodeRequest(header: try ImageHeader.read(large), limits: limits)
        let error = #expect(throws: ImageError.self) { try decoder.decode(large, request) }
        #expect(error?.code == .io, "the file is not damaged")
        #expect(try decode(SampleImage.lossyWebP, with: decoder).pixels.quarters == [.red, .green, .blue, .white])
    }

    /// The pipeline gave it up at the same moment.
    @Test func `an image whose process stops takes too long for a pipeline too, and the next one decodes`() async throws
    {
        let process = try process(of: decoder)
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder, memoryCache: nil) {
            $0.decodeLimits.timeout = .seconds(5)
        }
        #expect(kill(process, SIGSTOP) == 0)
        let stopped = ImageRequest(ImageSource.bytes(SampleImage.lossyWebP, identity: "stopped"))
        let error = await #expect(throws: ImageError.self) { try await pipeline.image(for: stopped) }
        #expect(error?.code == .decodeTimeout)
        #expect(error?.detail?.contains("decoder process") == true, "the decoder gave up first")
        let next = ImageRequest(ImageSource.bytes(SampleImage.lossyWebP, identity: "next"))
        #expect(try await pipeline.image(for: next).pixels.quarters == [.red, .green, .blue, .white])
    }
}

extension [UInt8] {
    /// A PNG whose header claims other sides, with a right checksum.
    func withSides(_ width: Int, _ height: Int) -> [UInt8] {
        var png = self
        for (offset, side) in [(16, width), (20, height)] {
            for byte in 0..<4 { png[offset + byte] = UInt8(truncatingIfNeeded: side >> (24 - 8 * byte)) }
        }
        let sum = PNGChunk.checksum(png[12..<29])
        for byte in 0..<4 { png[29 + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32(byte))) }
        return png
    }
}

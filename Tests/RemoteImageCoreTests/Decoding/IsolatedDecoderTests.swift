import Dispatch
import Foundation
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders

/// The built decoder program, and the effect of its failures on images.
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

    /// Decodes a WebP and returns its process, which is idle then and also has the codecs of the
    /// first formats.
    private func process(of decoder: IsolatedDecoder) throws -> Int32 {
        _ = try decode(SampleImage.lossyWebP, with: decoder)
        return try #require(decoder.idleProcesses.last)
    }

    /// Polls a condition for up to 20 s, since a process is only observable from outside.
    private func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            if condition() { return true }
            sched_yield()
        }
        return false
    }

    /// Stops a process, so that its next question stays in its socket, and sends it `signals`. They
    /// come from another thread, since the thread of the test waits for the image.
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

    // MARK: Equal results

    @Test(arguments: [
        SampleImage.progressiveJPEG, SampleImage.cmykJPEG, SampleImage.grayJPEG, SampleImage.palettePNG,
        SampleImage.transparentPalettePNG, SampleImage.deepGrayPNG, SampleImage.losslessWebP,
        SampleImage.lossyWebP, SampleImage.alphaWebP, SampleImage.orientedWebP, SampleImage.animatedWebP,
        SampleImage.animatedGIF,
    ])
    func `the decoder process returns the same image`(bytes: [UInt8]) throws {
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

    /// The AV1 libraries have to work within the confinement of the process.
    @Test(.enabled(if: IsolatedDecoder().formats.contains(.avif), "neither libheif nor a loader of AVIF is installed"))
    func `the decoder process returns the same AVIF image`() throws {
        let request = DecodeRequest(header: try ImageHeader.read(SampleImage.avif))
        let own = try [any ImageDecoder].standard(isolation: .none).decode(SampleImage.avif, request)
        let isolated = try decoder.decode(SampleImage.avif, request)
        #expect(isolated.size == own.size)
        #expect(isolated.pixels.withUnsafeBytes { Array($0) } == own.pixels.withUnsafeBytes { Array($0) })
    }

    @Test func `the decoder process returns the same image beyond its kept memory`() throws {
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

    @Test func `a decoder whose image exceeds the requested header receives enough memory`() throws {
        // The request has the header of a smaller image. The icon decoder reads the size itself.
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

    @Test func `a process keeps its memory for the next image, and releases that of larger images`() throws {
        let process = try process(of: decoder)
        let kept = memoryFiles(of: process)
        #expect(kept.count == 1)
        _ = try decode(SampleImage.grayJPEG)
        _ = try decode(try PixelBuffer.quarters(width: 1200, height: 900).encoded(as: .png))
        _ = try decode(SampleImage.palettePNG)
        #expect(decoder.idleProcesses == [process])
        #expect(memoryFiles(of: process) == kept)
    }

    @Test func `the decoder process returns the same preview of a partial JPEG`() throws {
        let bytes = SampleImage.progressiveJPEG
        let beginning = Array(bytes.prefix(bytes.count * 3 / 4))
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        let own = try #require(JPEGDecoder().decodeBeginning(beginning, request))
        let isolated = try #require(decoder.decodeBeginning(beginning, request))
        #expect(isolated.withUnsafeBytes { Array($0) } == own.withUnsafeBytes { Array($0) })
        #expect(decoder.decodeBeginning(Array(bytes.prefix(4)), request) == nil)
        #expect(decoder.idleProcesses.count == 1)
    }

    // MARK: Formats of a process

    /// The formats that a process was started for.
    private func formats(of process: Int32) -> Set<ImageFormat>? {
        status(process, "cmdline").split(separator: "\0").last.flatMap { Int($0) }.flatMap { Set(bits: $0) }
    }

    @Test func `a process loads only the codecs of the formats used so far`() throws {
        _ = try decode(SampleImage.palettePNG)
        let first = try #require(decoder.idleProcesses.last)
        #expect(formats(of: first) == IsolatedDecoder.firstFormats)
        for library in ["libwebp.so", "libavif.so", "libheif.so", "libjxl.so", "libgdk_pixbuf", "libgio"] {
            #expect(!status(first, "maps").contains(library))
        }
        _ = try decode(SampleImage.lossyWebP)
        let second = try #require(decoder.idleProcesses.last)
        #expect(formats(of: second) == IsolatedDecoder.firstFormats.union([.webp]))
        #expect(status(second, "maps").contains("libwebp.so"))
        _ = try decode(SampleImage.grayJPEG)
        #expect(decoder.idleProcesses.last == second, "the last one is used again")
    }

    @Test(.enabled(if: AVIFDecoder().decodes(.avif), "libavif is not installed"))
    func `a process for AVIF loads libavif and not libheif`() throws {
        #expect(try decode(SampleImage.avif).decoder == "avif")
        let maps = status(try #require(decoder.idleProcesses.last), "maps")
        #expect(maps.contains("libavif.so"))
        #expect(!maps.contains("libheif.so"))
    }

    @Test func `an idle process is ended to make room for another format`() throws {
        for _ in 0..<8 { decoder.prepare() }
        #expect(eventually { decoder.idleProcesses.count == WorkerThreads.decoding.count })
        let old = decoder.idleProcesses
        _ = try decode(SampleImage.lossyWebP)
        #expect(decoder.idleProcesses.count == WorkerThreads.decoding.count)
        #expect(eventually { old.filter { kill($0, 0) == 0 }.count == WorkerThreads.decoding.count - 1 })
    }

    @Test func `an image of an unsupported format starts no process`() throws {
        let decoder = IsolatedDecoder([PNGDecoder()])
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.animatedGIF, with: decoder) }
        #expect(error?.code == .unsupportedFormat)
        #expect(decoder.idleProcesses.isEmpty)
    }

    // MARK: When processes start

    @Test func `as many processes as decode threads are started ahead of the first image`() {
        for _ in 0..<8 { decoder.prepare() }
        #expect(eventually { decoder.idleProcesses.count == WorkerThreads.decoding.count })
        decoder.prepare()
        #expect(decoder.idleProcesses.count == WorkerThreads.decoding.count)
    }

    @Test func `a load prepares the decoders once`() async throws {
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

    @Test func `a crashed process is replaced before the next image`() throws {
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

    @Test func `the decoder process returns the errors of its decoders`() throws {
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

    @Test func `an image that exceeds the limits by its header costs no process`() throws {
        _ = try decode(SampleImage.palettePNG)
        let before = decoder.idleProcesses
        let header = ImageHeader(format: .png, storedSize: PixelSize(width: 12_000, height: 12_000))
        let error = #expect(throws: ImageError.self) {
            try decoder.decode(SampleImage.palettePNG, DecodeRequest(header: header))
        }
        #expect(error?.code == .tooManyPixels)
        #expect(decoder.idleProcesses == before)
    }

    @Test func `concurrent images are decoded by at most four processes`() async throws {
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

    // MARK: Confinement and lifetime

    /// At a lower priority, decoding took more than twice as long beside a busy program.
    @Test func `the process runs at the priority of the program`() throws {
        let process = try process(of: decoder)
        #expect(
            getpriority(Int32(PRIO_PROCESS.rawValue), id_t(process))
                == getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())))
    }

    @Test func `the process has a system call filter, resource limits and no other descriptors`() throws {
        let process = try process(of: decoder)
        let status = status(process)
        #expect(access("/proc/\(process)/fd/3", F_OK) == 0)
        #expect(
            eventually { (4..<64).allSatisfy { access("/proc/\(process)/fd/\($0)", F_OK) != 0 } },
            "it has no other descriptor once it has closed those of the image")
        // A process with a sanitizer has no limits.
        guard status.contains("Seccomp:\t2") else { return }
        #expect(self.status(process, "limits").contains("Max core file size        1"))
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

    @Test func `an idle process ends after its idle time, and the next image starts another`() throws {
        let decoder = Self.decoder { $0.idleTime = .seconds(1) }
        let process = try process(of: decoder)
        #expect(eventually { kill(process, 0) != 0 })
        #expect(eventually { decoder.pool.isEmpty }, "its socket and its shared memory are released")
        #expect(try self.process(of: decoder) != process)
    }

    /// The conversions to seconds and milliseconds used to end the program.
    @Test func `a deadline and an idle time may be endless`() throws {
        let endless = Duration.seconds(Int.max)
        let decoder = Self.decoder {
            $0.deadline = endless
            $0.idleTime = endless
        }
        let bytes = SampleImage.lossyWebP
        var limits = DecodeLimits()
        limits.timeout = endless
        let request = DecodeRequest(header: try ImageHeader.read(bytes), limits: limits)
        #expect(try decoder.decode(bytes, request).pixels.quarters == [.red, .green, .blue, .white])
    }

    // MARK: Failures

    @Test func `an image whose process is killed is decoded by another process`() throws {
        let process = try process(of: decoder)
        interrupt(process, with: SIGKILL)
        #expect(try decode(SampleImage.lossyWebP).pixels.quarters == [.red, .green, .blue, .white])
        #expect(decoder.idleProcesses.last != process)
    }

    @Test(arguments: [SIGSEGV, SIGXCPU, SIGSYS, SIGABRT])
    func `an image whose reused process crashes is decoded in a new process`(signal: Int32) throws {
        let process = try process(of: decoder)
        // A sanitizer, under which nothing is filtered, handles these signals itself.
        guard status(process).contains("Seccomp:\t2") else { return }
        interrupt(process, with: signal, SIGCONT)
        #expect(try decode(SampleImage.lossyWebP).pixels.quarters == [.red, .green, .blue, .white])
        #expect(!decoder.idleProcesses.contains(process))
    }

    @Test func `an image whose process stops fails after the deadline, and the next image is decoded`() throws {
        let decoder = Self.decoder { $0.deadline = .seconds(8) }
        let process = try process(of: decoder)
        #expect(kill(process, SIGSTOP) == 0)
        let start = ContinuousClock.now
        let error = #expect(throws: ImageError.self) { try decode(SampleImage.lossyWebP, with: decoder) }
        #expect(error?.code == .decodeTimeout)
        #expect(ContinuousClock.now - start < .seconds(25), "less than the default deadline")
        #expect(eventually { kill(process, 0) != 0 }, "it is not left behind")
        #expect(try decode(SampleImage.lossyWebP, with: decoder).pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `an image above the memory limit of the process fails, and the next image is decoded`() throws {
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

    /// The pipeline used to abandon the decode at the same moment.
    @Test func `a stopped process reaches its deadline before the timeout of the pipeline`() async throws {
        let process = try process(of: decoder)
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder, memoryCache: nil) {
            $0.decodeLimits.timeout = .seconds(15)
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
    /// A PNG whose header claims other sides, with a valid checksum.
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

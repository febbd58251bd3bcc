import CRemoteImagePlatform
import Foundation
import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// Damaged files and decompression bombs.
@Suite(.timeLimit(.minutes(3 * WaitLimit.factor)))
struct HostileFileTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var isRefused = false
    }

    /// A sample for each decoder and for each of its code paths.
    static let samples = [
        Sample(testDescription: "JPEG", bytes: GoldenImage.jpeg),
        Sample(testDescription: "progressive JPEG", bytes: GoldenImage.progressiveJPEG),
        Sample(testDescription: "YCCK JPEG", bytes: GoldenImage.ycckJPEG),
        Sample(
            testDescription: "JPEG with a profile",
            bytes: ICCProfile.displayP3.insert(intoJPEG: GoldenImage.jpeg)),
        Sample(testDescription: "PNG", bytes: GoldenImage.rgbPNG),
        Sample(testDescription: "interlaced PNG", bytes: GoldenImage.deepAlphaPNG),
        Sample(testDescription: "palette PNG", bytes: GoldenImage.transparentPalettePNG),
        Sample(
            testDescription: "PNG with a profile", bytes: ICCProfile.adobeRGB.insert(intoPNG: GoldenImage.rgbPNG)),
        Sample(testDescription: "GIF", bytes: GoldenImage.gif),
        Sample(testDescription: "animated GIF", bytes: SampleImage.animatedGIF),
        Sample(testDescription: "lossy WebP", bytes: GoldenImage.lossyWebP),
        Sample(testDescription: "lossless WebP", bytes: GoldenImage.alphaWebP),
        Sample(testDescription: "animated WebP", bytes: SampleImage.animatedWebP),
        Sample(testDescription: "AVIF", bytes: SampleImage.avif),
        Sample(testDescription: "lossy JPEG XL", bytes: JXLFile.lossy),
        Sample(testDescription: "JPEG XL in boxes, with alpha", bytes: JXLFile.boxed(JXLFile.alpha, ends: [20])),
        Sample(testDescription: "animated JPEG XL", bytes: JXLFile.animation),
        Sample(testDescription: "AVIF with alpha", bytes: HEIFFile([.av1, .alpha(of: 1)]).bytes),
        Sample(testDescription: "HEIC", bytes: HEIFFile([.hevc], brand: "heic").bytes),
    ]

    private static let decoders: [any ImageDecoder] = .standard()

    /// Limits low enough to decode thousands of damaged files.
    private static let limits: DecodeLimits = {
        var limits = DecodeLimits()
        limits.maxPixelCount = 1 << 20
        return limits
    }()

    /// Expects an image with all its pixels, or an error about the file.
    private func decodeOrRefuse(_ bytes: [UInt8], _ comment: Comment, _ target: TargetSize? = .longestSide(20)) {
        do throws(ImageError) {
            let header = try ImageHeader.read(bytes)
            try Self.limits.check(header)
            for decoder in Self.decoders where decoder.formats.contains(header.format) {
                let image = try decoder.decode(
                    bytes, DecodeRequest(header: header, target: target, limits: Self.limits))
                let pixels = image.pixels
                #expect(pixels.byteCount == pixels.size.pixelCount * pixels.format.bytesPerPixel, comment)
            }
        } catch {
            let expected: [ImageError.Code] = [.emptyBody, .corrupt, .notAnImage, .unsupportedFormat, .tooManyPixels]
            #expect(expected.contains(error.code), comment)
        }
    }

    @Test(arguments: samples)
    func `a file truncated at any percentage is decoded or refused`(sample: Sample) {
        for percent in 0..<100 {
            decodeOrRefuse(Array(sample.bytes[..<(sample.bytes.count * percent / 100)]), "\(percent) %")
        }
    }

    /// Damage means changed bytes, flipped bits, repeated and removed ranges, and values close to
    /// overflows. Each kind has a process of its own, whose memory no other test takes.
    @Test(arguments: samples)
    func `2000 damaged files of each kind are decoded or refused without a memory leak`(sample: Sample) async {
        await #expect(processExitsWith: .success) { [bytes = sample.bytes as [UInt8]] in
            func decodeAll() {
                for seed in 0..<2000 {
                    let target = seed % 2 == 0 ? TargetSize.longestSide(20) : nil
                    HostileFileTests().decodeOrRefuse(
                        HostileFileTests.damaged(bytes, seed: UInt64(seed)), "seed \(seed)", target)
                }
            }
            // 256 bytes a file; libheif 1.15 loses up to 120 bytes of a damaged AVIF.
            let growths = AllocatedMemory.growths(until: 512_000, decodeAll)
            #expect(growths.last ?? 0 < 512_000, "\(growths)")
        }
    }

    private static func damaged(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...5, using: &random) where damaged.count > 16 {
            let index = Int.random(in: 0..<damaged.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: damaged[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1, 2: damaged[index] = .random(in: 0...255, using: &random)
            case 3: damaged[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 4: damaged.removeSubrange(index..<min(damaged.count, index + Int.random(in: 1...8, using: &random)))
            default: damaged.insert(contentsOf: damaged[index..<min(damaged.count, index + 12)], at: index)
            }
        }
        return damaged
    }

    // MARK: Bombs

    /// A PNG that claims to be square, with 600 KB of compressed zeros.
    static func largePNG(_ side: UInt32) -> [UInt8] {
        PNGChunk.header(width: side, height: side, colour: 0)
            + PNGChunk.make("IDAT", Gzip.zlib(repeating: 0, count: 95_000_000)) + PNGChunk.make("IEND", [])
    }

    /// A small PNG with a hundred compressed texts, each of which inflates to 7.9 million bytes.
    static let textBomb: [UInt8] = {
        let text = PNGChunk.make("zTXt", Array("Comment\0\0".utf8) + Gzip.zlib(repeating: 0x41, count: 7_900_000))
        let png = GoldenImage.rgbPNG
        return Array(png[..<33]) + (0..<100).flatMap { _ in text } + Array(png[33...])
    }()

    /// A JPEG of 10,000 scans.
    static let scanBomb: [UInt8] = {
        var jpeg = GrayJPEG(size: PixelSize(width: 2000, height: 1500), sampling: [(1, 1)])
        jpeg.isProgressive = true
        jpeg.scanCount = 10_000
        return jpeg.bytes
    }()

    /// A progressive JPEG for which libjpeg holds 288 MB at any target size.
    static let coefficientBomb: [UInt8] = {
        var jpeg = GrayJPEG(
            size: PixelSize(width: 8000, height: 6000), sampling: [(1, 1), (1, 1), (1, 1)])
        jpeg.isProgressive = true
        return jpeg.bytes
    }()

    /// A WebP with frames of 16 × 8 pixels. libwebp's own animation decoder and GdkPixbuf's loader
    /// hold a canvas for each.
    static func animation(_ canvas: PixelSize, frameCount: Int) -> Sample {
        Sample(
            testDescription: "WebP of \(canvas) with \(frameCount) frames",
            bytes: WebPFile.animation(
                of: SampleImage.losslessWebP, size: PixelSize(width: 16, height: 8), canvas: canvas,
                frameCount: frameCount))
    }

    static let bombs = [
        Sample(testDescription: "14,000 × 14,000", bytes: largePNG(14_000), isRefused: true),
        // Its pixels alone take 28 MB.
        Sample(testDescription: "3,100 × 3,100, small when drawn", bytes: largePNG(3100)),
        Sample(testDescription: "30,000 × 30,000", bytes: largePNG(30_000), isRefused: true),
        Sample(testDescription: "a side of 2³¹", bytes: largePNG(1 << 31), isRefused: true),
        Sample(
            testDescription: "10,000 frames", bytes: LongAnimation(width: 200, height: 200, frameCount: 10_000).bytes),
        animation(PixelSize(width: 16_383, height: 3000), frameCount: 400),
        animation(PixelSize(width: 300, height: 300), frameCount: 20_000),
        animation(PixelSize(width: 800, height: 600), frameCount: 100),
        Sample(testDescription: "text", bytes: textBomb),
        Sample(testDescription: "10,000 scans", bytes: scanBomb, isRefused: true),
        Sample(testDescription: "48 megapixels in 146 bytes", bytes: coefficientBomb, isRefused: true),
    ]

    /// Runs `remote-image fetch`, so that only the memory of its process is measured. A sanitizer's
    /// runtime takes more memory and time than this test measures.
    @Test(.enabled(if: BuiltProgram.canConfine, "the program runs with a sanitizer"), arguments: bombs)
    func `a bomb is refused or decoded with less than 16 MiB of memory`(bomb: Sample) throws {
        // The baseline is the same program with a file of equal length that is no image.
        let plain = try fetch([UInt8](repeating: 0x41, count: bomb.bytes.count)).peakByteCount
        let (peak, status, output) = try fetch(bomb.bytes)
        #expect(peak - plain < 16 << 20, "\((peak - plain) >> 10) KiB more")
        #expect(status == (bomb.isRefused ? 1 : 0), "\(output)")
    }

    private func fetch(_ bytes: [UInt8]) throws -> (peakByteCount: Int, status: Int32, output: String) {
        let file = try TemporaryFile(bytes)
        let output = try TemporaryFile([])
        let program =
            CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/remote-image"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, output.path, O_WRONLY | O_APPEND, 0)
        }
        let words = [program, "fetch", "--no-disk-cache", "--size", "64", "file://\(file.path)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        try #require(posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0, "\(program)")
        // The memory that the kernel reports at the end of a process includes that of the process
        // which started it.
        var (status, peak) = (Int32(0), 0)
        while waitpid(process, &status, WNOHANG) == 0 {
            peak = max(peak, Self.peakByteCount(of: process))
            usleep(500)
        }
        #expect(status & 0x7F == 0, "it did not crash")
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output.path)), as: UTF8.self)
        return (peak, status >> 8 & 0xFF, text)
    }

    private static func peakByteCount(of process: pid_t) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (Int(line.filter(\.isNumber)) ?? 0) << 10
    }
}

import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The reduced sizes of JPEG files, and the estimates of time and memory of each format.
@Suite struct DecodeEstimateTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    // MARK: JPEG

    @Test func `a JPEG is decoded at the smallest scale that is not below the wanted size`() {
        let full = size(17, 9)
        #expect([1, 2, 4, 8].map { JPEGScale(full, eighths: $0).size } == [size(3, 2), size(5, 3), size(9, 5), full])
        for (width, height, eighths) in [
            (1, 1, 1), (3, 2, 1), (4, 2, 2), (3, 3, 2), (5, 3, 2), (6, 3, 4), (5, 4, 4), (9, 5, 4), (10, 5, 8),
            (9, 6, 8),
            (17, 9, 8), (99, 99, 8),
        ] {
            #expect(
                JPEGScale.smallest(of: full, notBelow: size(width, height)).eighths == eighths, "\(width) × \(height)")
        }
    }

    @Test func `a reduced size of more than twice the wanted pixels is averaged`() {
        let scale = JPEGScale(size(80, 80), eighths: 1)
        #expect(scale.keptSize(for: size(10, 5)) == size(10, 10))
        #expect(scale.keptSize(for: size(7, 7)) == size(7, 7))
    }

    private func jpeg(
        _ size: PixelSize, _ sampling: [(across: UInt8, down: UInt8)], isProgressive: Bool = true
    ) -> [UInt8] {
        var jpeg = GrayJPEG(size: size, sampling: sampling)
        jpeg.isProgressive = isProgressive
        return jpeg.bytes
    }

    private func frame(_ bytes: [UInt8]) -> JPEGFrame? { bytes.withReader { JPEGFrame($0) } }

    @Test func `the coefficients of a JPEG fill whole coded units`() {
        for (width, height, expected) in [(16, 16, 1), (17, 9, 2), (9, 17, 2), (33, 17, 6)] {
            let found = frame(jpeg(size(width, height), [(2, 2), (1, 1), (1, 1)]))
            #expect(found?.coefficientByteCount == expected * 2 * 64 * 6, "\(width) × \(height)")
        }
        for (width, height, wide, high) in [(17, 9, 4, 3), (8, 8, 1, 1), (9, 17, 3, 4), (33, 17, 9, 10)] {
            #expect(frame(jpeg(size(width, height), [(2, 1), (1, 1), (1, 1)]))?.coefficientByteCount == wide * 512)
            #expect(frame(jpeg(size(width, height), [(1, 2), (1, 1)]))?.coefficientByteCount == high * 384)
        }
        #expect(frame(jpeg(size(17, 9), [(1, 1)]))?.coefficientByteCount == 6 * 128)
    }

    @Test func `the marker of a JPEG frame tells how its pixels are coded`() throws {
        var bytes = jpeg(size(16, 8), [(1, 1), (1, 1)], isProgressive: false)
        let place = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) + 1
        for marker in (0xC0...0xCF).map({ UInt8($0) }) where marker != 0xC4 {
            bytes[place] = marker
            let isFrame = ![0xC8, 0xCC].contains(marker)
            #expect(bytes.withReader { JPEGHeader.read($0)?.storedSize } == (isFrame ? size(16, 8) : nil))
            let found = frame(bytes)
            #expect((found != nil) == isFrame)
            guard let found else { continue }
            #expect(found.isLossless == (marker == 0xC3), "\(marker)")
            #expect(found.isOneHuffmanScan == (marker <= 0xC1), "\(marker)")
            let isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
            #expect(found.coefficientByteCount == (isProgressive ? 2 * 64 * 2 * 2 : 0), "\(marker)")
        }
        var parts = GrayJPEG(size: size(16, 8), sampling: [(1, 1), (1, 1)])
        parts.isInterleaved = false
        let found = try #require(frame(parts.bytes))
        #expect(!found.isOneHuffmanScan)
        #expect(found.coefficientByteCount == 512)
    }

    @Test func `the scans of a JPEG are counted, and those with a following segment are complete`() {
        var jpeg = GrayJPEG(size: size(16, 8), sampling: [(1, 1), (1, 1)])
        (jpeg.isProgressive, jpeg.scanCount) = (true, 3)
        func scans(_ bytes: [UInt8]) -> [Int] {
            let scans = bytes.withReader { JPEGScans($0) }
            return [scans.count, scans.completeCount, scans.isProgressive ? 1 : 0]
        }
        #expect(scans(jpeg.bytes) == [3, 3, 1])
        #expect(scans(Array(jpeg.bytes.dropLast(2))) == [3, 2, 1])
        // A scan segment has 12 bytes.
        #expect(scans(Array(jpeg.bytes.dropLast(14))) == [2, 1, 1])
        jpeg.isProgressive = false
        #expect(scans(jpeg.bytes) == [1, 0, 0], "the first scan has everything")
        jpeg.isInterleaved = false
        #expect(scans(jpeg.bytes) == [6, 6, 0])
    }

    @Test func `the number of scans depends on the pixels, and is at least 1 and at most 500`() {
        func count(_ width: Int, _ height: Int, _ limit: Int) -> Int {
            var limits = DecodeLimits()
            limits.maxScanPixelCount = limit
            return DecodeRequest(header: ImageHeader(format: .jpeg, storedSize: size(width, height)), limits: limits)
                .maxScanCount
        }
        #expect(count(10, 20, 1400) == 7)
        #expect(count(10, 20, 1399) == 6)
        #expect(count(10, 20, 0) == 1)
        #expect(count(10, 20, 200_000) == 500)
        #expect(count(0, 0, 30) == 30)
    }

    // MARK: Time

    private func time(
        _ format: ImageFormat, _ bytes: [UInt8], decoded: PixelSize = PixelSize(width: 100, height: 80)
    ) -> Int {
        let header = ImageHeader(format: format, storedSize: size(100, 80))
        return Int(DecodeTime(of: bytes, header, decodedSize: decoded).nanoseconds.rounded())
    }

    @Test func `the time of a decode grows with the pixels and the bytes of the file`() {
        let bytes = [UInt8](repeating: 0, count: 1000)
        let expected: [(ImageFormat, Int)] = [
            (.png, 61_400), (.gif, 58_600), (.webp, 94_000), (.avif, 307_200), (.heic, 386_000), (.jxl, 195_600),
            (.bmp, 24_000), (.ico, 24_000), (.svg, 0), (.other, 0),
        ]
        for (format, nanoseconds) in expected { #expect(time(format, bytes) == nanoseconds, "\(format)") }
        var lossless = bytes
        lossless.replaceSubrange(12..<16, with: "VP8L".utf8)
        #expect(time(.webp, lossless) == 48_000)
    }

    @Test func `the time of a JPEG depends on its scale, and not on its metadata`() throws {
        let decoded = [size(100, 80), size(50, 40), size(25, 20), size(13, 10)]
        let plain = jpeg(size(100, 80), [(1, 1)], isProgressive: false)
        let scan = try #require(plain.indices.dropLast().first { plain[$0] == 0xFF && plain[$0 + 1] == 0xDA })
        // The bytes behind the length of the scan header.
        let padded = plain + [UInt8](repeating: 0, count: 1000 - (plain.count - scan - 4))
        #expect(decoded.map { time(.jpeg, padded, decoded: $0) } == [25_000, 18_040, 15_520, 12_500])
        let comment: [UInt8] = [0xFF, 0xFE, 0, 100] + [UInt8](repeating: 0, count: 98)
        #expect(time(.jpeg, Array(padded[..<2]) + comment + Array(padded[2...])) == 25_000)
        let progressive = jpeg(size(100, 80), [(1, 1)])
        let rest = 1000 - (progressive.count - scan - 4)
        let long = progressive + [UInt8](repeating: 0, count: rest)
        #expect(decoded.map { time(.jpeg, long, decoded: $0) } == [69_600, 62_400, 58_400, 58_400])
    }

    @Test func `the time of a stored image depends on its encoding`() {
        let pixels = PixelBuffer(size: size(10, 20), format: .rgb8) { _ in }
        let lossless = DecodeTime(ofEncoded: pixels, byteCount: 100, isLossless: true)
        let lossy = DecodeTime(ofEncoded: pixels, byteCount: 100, isLossless: false)
        #expect([lossless, lossy].map { Int($0.nanoseconds.rounded()) } == [7300, 6540])
        #expect(lossy < lossless)
        #expect(!(lossless < lossless))
        let header = ImageHeader(format: .bmp, storedSize: size(20, 10))
        let (short, long) = (
            DecodeTime(of: [], header, decodedSize: size(20, 10)),
            DecodeTime(of: [], ImageHeader(format: .bmp, storedSize: size(40, 20)), decodedSize: size(40, 20))
        )
        #expect(long.isAtLeast(4, times: short))
        #expect(!long.isAtLeast(4.1, times: short))
    }

    // MARK: Memory

    @Test func `the pixels that a header suggests are those of the drawn size`() {
        func count(_ format: ImageFormat, _ target: TargetSize?, limit: Int = 256 << 20) -> Int {
            var limits = DecodeLimits()
            limits.maxDecodedByteCount = limit
            let header = ImageHeader(format: format, storedSize: size(400, 300))
            return format.facts.pixelByteCount(DecodeRequest(header: header, target: target, limits: limits))
        }
        #expect(count(.png, nil) == 480_000)
        #expect(count(.png, .longestSide(40)) == 40 * 30 * 4)
        #expect(count(.jpeg, nil) == 360_000)
        #expect(count(.jpeg, .longestSide(200)) == 200 * 150 * 3)
        #expect(count(.jpeg, .longestSide(199)) == 200 * 150 * 3)
        #expect(count(.jpeg, .longestSide(40)) == 50 * 38 * 3)
        #expect(count(.jpeg, .longestSide(30)) == 30 * 23 * 3, "less than half of the reduced pixels")
        #expect(count(.svg, nil) == 512 * 512 * 4)
        #expect(count(.svg, TargetSize(size(70, 30))) == 70 * 30 * 4)
        #expect(count(.svg, nil, limit: 999) == 996)
    }

    @Test func `a lossless JPEG counts twice, and a rotated one by half more`() throws {
        var bytes = jpeg(size(400, 300), [(1, 1)], isProgressive: false)
        let place = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) + 1
        func count(_ orientation: ImageOrientation) -> Int {
            let header = ImageHeader(format: .jpeg, storedSize: size(400, 300), orientation: orientation)
            return DecodeRequest(header: header, target: .longestSide(40)).estimatedByteCount(of: bytes)
        }
        #expect(count(.up) == 400 * 300 * 4 / 64)
        #expect(count(.left) == 400 * 300 * 4 / 64 / 2 * 3)
        bytes[place] = 0xC3
        #expect(count(.up) == 400 * 300 * 8)
    }

    @Test func `a reported size of HEIF may exceed the stored one by a row and a column`() {
        let stored = size(10, 20)
        for format in [ImageFormat.avif, .heic] {
            #expect(format.facts.allowsSize(size(11, 21), stored))
            #expect(format.facts.allowsSize(size(21, 11), stored))
            #expect(!format.facts.allowsSize(size(12, 20), stored))
            #expect(!format.facts.allowsSize(size(232, 1), stored))
        }
        #expect(ImageFormat.png.facts.allowsSize(stored, stored))
        #expect(!ImageFormat.png.facts.allowsSize(size(10, 19), stored))
    }
}

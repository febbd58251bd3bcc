import CRemoteImageCodecs
import RemoteImage
import RemoteImageCore
import RemoteImageDecoders
import RemoteImageTestSupport
import Testing

/// Decoding with libjpeg, in this process and in the decoder process.
@Suite(.timeLimit(.minutes(3)))
struct JPEGDecoderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    static let samples = [
        Sample(testDescription: "baseline", bytes: GoldenImage.jpeg),
        Sample(testDescription: "subsampled", bytes: GoldenImage.subsampledJPEG),
        Sample(testDescription: "progressive", bytes: GoldenImage.progressiveJPEG),
        Sample(testDescription: "gray", bytes: GoldenImage.grayJPEG),
        Sample(testDescription: "CMYK", bytes: GoldenImage.cmykJPEG),
        Sample(testDescription: "YCCK", bytes: GoldenImage.ycckJPEG),
        Sample(testDescription: "odd sides", bytes: oddJPEG),
        Sample(
            testDescription: "profile", bytes: ICCProfile.displayP3.insert(intoJPEG: GoldenImage.subsampledJPEG)),
    ]

    private static let oddJPEG: [UInt8] =
        (try? PixelBuffer.quarters(width: 37, height: 29).encoded(as: .jpeg(quality: 90))) ?? []

    private let decoder = JPEGDecoder()

    private func decode(
        _ bytes: [UInt8], with decoder: (any ImageDecoder)? = nil, target: TargetSize? = nil,
        limits: DecodeLimits = DecodeLimits()
    ) throws(ImageError) -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target, limits: limits)
        return try (decoder ?? self.decoder).decode(bytes, request)
    }

    private func pixels(_ buffer: PixelBuffer) -> [UInt8] { buffer.withUnsafeBytes { Array($0) } }

    @Test func `an image with as many pixels as the limit is decoded, and one more is refused`() throws {
        var limits = DecodeLimits()
        limits.maxPixelCount = try ImageHeader.read(Self.oddJPEG).size.pixelCount
        #expect(
            try decode(Self.oddJPEG, target: .longestSide(8), limits: limits).size == PixelSize(width: 37, height: 29))
        limits.maxPixelCount -= 1
        let error = #expect(throws: ImageError.self) {
            try decode(Self.oddJPEG, target: .longestSide(8), limits: limits)
        }
        #expect(error?.code == .tooManyPixels)
    }

    /// libjpeg-turbo 3 decodes lossless JPEG at full size only, older versions do not decode it.
    /// Reduced sizes used to be refused.
    @Test(arguments: [nil, 300, 30, 12])
    func `a lossless JPEG is decoded at any target size, or unsupported`(side: Int?) throws {
        let size = PixelSize(width: 600, height: 500)
        var bytes = Array(GrayJPEG(size: size, sampling: [(1, 1), (1, 1), (1, 1)]).bytes.dropLast(2))
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + 1] = 0xC3
        // The first predictor. A 0 bit says that a sample is the predicted one.
        bytes.replaceSubrange((bytes.count - 3)..., with: [1, 0, 0])
        bytes += [UInt8](repeating: 0, count: (size.pixelCount * 3 + 7) / 8) + [0xFF, 0xD9]
        do throws(ImageError) {
            let image = try decode(bytes, target: side.map(TargetSize.longestSide))
            #expect(image.size == size)
            #expect(image.pixels.size == PixelSize(width: side ?? 600, height: (side ?? 600) * 5 / 6))
            #expect(!image.isTruncated)
        } catch {
            #expect(error.code == .unsupportedFormat)
        }
    }

    /// An image of 4000 × 3000 pixels that was drawn at 160 × 120 kept 500 × 375.
    @Test(arguments: [(17, 50, 17), (45, 50, 50), (51, 100, 51), (80, 100, 100), (201, 400, 201), (399, 400, 400)])
    func `at most twice the pixels that are drawn are kept`(wanted: Int, scaled: Int, kept: Int) throws {
        let bytes = try PixelBuffer.quarters(width: 400, height: 300).encoded(as: .jpeg(quality: 90))
        func decoded(_ side: Int) throws -> PixelBuffer { try decode(bytes, target: .longestSide(side)).pixels }
        let pixels = try decoded(wanted)
        #expect(pixels.size == PixelSize(width: kept, height: (kept * 3 + 2) / 4))
        // Averaging the image at the scale of the transform gives the same pixels.
        #expect(self.pixels(pixels) == self.pixels(try decoded(scaled).scaledDown(to: pixels.size)))
    }

    // MARK: The C interface

    /// Decodes into memory filled with `fill`.
    private func decodeInC(
        _ bytes: [UInt8], eighths: Int = 8, fill: UInt8 = 0, isBeginning: Bool = false,
        change: (inout codec_jpeg_request) -> Void = { _ in }
    ) throws -> (result: codec_jpeg_result, pixels: [UInt8]) {
        let size = try ImageHeader.read(bytes).storedSize
        let scaled = JPEGScale(size, eighths: eighths).size
        var pixels = [UInt8](repeating: fill, count: scaled.pixelCount * 3)
        let result = bytes.withUnsafeBufferPointer { input in
            var request = codec_jpeg_request()
            request.bytes = input.baseAddress
            request.byte_count = input.count
            request.width = UInt32(size.width)
            request.height = UInt32(size.height)
            request.eighths = UInt32(eighths)
            request.max_memory = 64 << 20
            request.max_scan_count = 500
            change(&request)
            return isBeginning ? codec_jpeg_decode_beginning(&request, &pixels) : codec_jpeg_decode(&request, &pixels)
        }
        return (result, pixels)
    }

    @Test(arguments: samples, 1...8)
    func `decoding writes every byte of the pixels at every scale`(sample: Sample, eighths: Int) throws {
        let (first, firstPixels) = try decodeInC(sample.bytes, eighths: eighths, fill: 0)
        let (second, secondPixels) = try decodeInC(sample.bytes, eighths: eighths, fill: 255)
        #expect(first.status == CODEC_OK)
        #expect(second.status == CODEC_OK)
        #expect(firstPixels == secondPixels)
    }

    /// Memory that libjpeg had not written was once shown as an image.
    @Test(arguments: samples)
    func `decoding a damaged file writes every byte of the pixels`(sample: Sample) throws {
        let original = try ImageHeader.read(sample.bytes).storedSize
        var decodedCount = 0
        for seed in 0..<500 {
            var random = SeededGenerator(seed: UInt64(seed))
            var damaged = sample.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 2..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard (try? ImageHeader.read(damaged))?.storedSize == original else { continue }
            let (first, firstPixels) = try decodeInC(damaged, fill: 0)
            let (second, secondPixels) = try decodeInC(damaged, fill: 255)
            #expect(first.status == second.status, "seed \(seed)")
            guard first.status == CODEC_OK else { continue }
            decodedCount += 1
            #expect(firstPixels == secondPixels, "seed \(seed)")
        }
        #expect(decodedCount > 50, "damage within the pixels is concealed")
    }

    /// An empty scan, which causes a warning, is followed by a quantisation table with an invalid
    /// number, which is fatal. TurboJPEG reported only the warning, and unwritten memory was shown.
    @Test func `a file with a fatal error after a warning is corrupt`() throws {
        var jpeg = GrayJPEG(size: PixelSize(width: 600, height: 500), sampling: [(1, 1)])
        jpeg.isProgressive = true
        let bytes = Array(jpeg.bytes.dropLast(2)) + Self.badTable + [0xFF, 0xD9]
        #expect(errorCode { () throws(ImageError) in try decode(bytes) } == .corrupt)
        let (result, _) = try decodeInC(bytes)
        #expect(result.status == CODEC_CORRUPT)
        #expect(result.scan_count == 1, "the scan was read before")
    }

    private static let badTable: [UInt8] = [0xFF, 0xDB, 0, 67, 9] + [UInt8](repeating: 1, count: 64)

    @Test func `missing pixels within a scan are concealed`() throws {
        let jpeg = GrayJPEG(size: PixelSize(width: 64, height: 32), sampling: [(1, 1)])
        #expect(try decode(jpeg.bytes).pixels.pixel(60, 30) == [128, 128, 128])
    }

    @Test func `a file whose size differs from the requested header is refused`() throws {
        let small = ImageHeader(format: .jpeg, storedSize: PixelSize(width: 8, height: 6))
        let request = DecodeRequest(header: small)
        #expect(
            errorCode { () throws(ImageError) in try decoder.decode(GoldenImage.jpeg, request) } == .corrupt)
        for side in [WritableKeyPath<codec_jpeg_request, UInt32>](arrayLiteral: \.width, \.height) {
            let (result, _) = try decodeInC(GoldenImage.jpeg) { $0[keyPath: side] -= 1 }
            #expect(result.status == CODEC_OTHER_SIZE)
        }
        var limits = DecodeLimits()
        limits.maxPixelCount = 1000
        let limited = DecodeRequest(header: small, limits: limits)
        #expect(
            errorCode { () throws(ImageError) in try decoder.decode(GoldenImage.jpeg, limited) } == .tooManyPixels)
    }

    @Test func `a JPEG with 12 bits per channel is unsupported`() throws {
        var bytes = GoldenImage.jpeg
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + 4] = 12
        #expect(errorCode { () throws(ImageError) in try decode(bytes) } == .unsupportedFormat)
    }

    // MARK: Decoding cost

    private func progressive(_ width: Int, _ height: Int, scanCount: Int) -> [UInt8] {
        var jpeg = GrayJPEG(size: PixelSize(width: width, height: height), sampling: [(1, 1)])
        jpeg.isProgressive = true
        jpeg.scanCount = scanCount
        return jpeg.bytes
    }

    /// Decoding this file of 32 KB took 2.8 s with TurboJPEG and up to 28 s with GdkPixbuf, which
    /// converts all pixels for each scan.
    @Test func `a 40 megapixel JPEG with 500 scans is refused before decoding`() {
        let bytes = progressive(8000, 5000, scanCount: 500)
        for file in [bytes, ICCProfile.displayP3.insert(intoJPEG: bytes)] {
            let code = errorCode { () throws(ImageError) in try decode(file, target: .longestSide(320)) }
            #expect(code == .tooManyPixels)
            let header = try? ImageHeader.read(file)
            #expect(header.flatMap { decoder.decodeBeginning(file, DecodeRequest(header: $0)) } == nil)
        }
    }

    @Test(arguments: [
        (scanCount: 10, maxScanPixelCount: 64 * 48 * 10, isDecoded: true),
        (10, 64 * 48 * 10 - 1, false),
        // The first scan is always allowed.
        (1, 1, true), (500, .max, true), (501, .max, false),
    ])
    func `the product of scans and pixels is limited`(scanCount: Int, maxScanPixelCount: Int, isDecoded: Bool) {
        var limits = DecodeLimits()
        limits.maxScanPixelCount = maxScanPixelCount
        let bytes = progressive(64, 48, scanCount: scanCount)
        let code = errorCode { () throws(ImageError) in try decode(bytes, with: decoder, limits: limits) }
        #expect(code == (isDecoded ? nil : .tooManyPixels))
    }

    @Test(arguments: [false, true])
    func `libjpeg is stopped at the first scan above the limit`(isBeginning: Bool) throws {
        let bytes = progressive(64, 48, scanCount: 10)
        let (stopped, _) = try decodeInC(bytes, isBeginning: isBeginning) { $0.max_scan_count = 3 }
        #expect(stopped.status == CODEC_TOO_LARGE)
        #expect(stopped.scan_count == 4)
        let (decoded, _) = try decodeInC(bytes, isBeginning: isBeginning) { $0.max_scan_count = 10 }
        #expect(decoded.status == CODEC_OK)
        #expect(decoded.scan_count == 10)
    }

    @Test func `a file whose coefficients exceed the memory limit is refused`() throws {
        let bytes = progressive(512, 512, scanCount: 1)
        let (refused, _) = try decodeInC(bytes) { $0.max_memory = 400_000 }
        #expect(refused.status == CODEC_TOO_LARGE)
        let (decoded, _) = try decodeInC(bytes) { $0.max_memory = 800_000 }
        #expect(decoded.status == CODEC_OK)
    }

    // MARK: Truncated files

    /// The number of rows from the top of a truncated image that are opaque. Those below are
    /// transparent.
    private func visibleRowCount(_ pixels: PixelBuffer) -> Int {
        guard pixels.format == .rgba8Premultiplied else { return pixels.size.height }
        let rows = (0..<pixels.size.height).map { y in
            (0..<pixels.size.width).map { pixels.pixel($0, y) }
        }
        let count = rows.prefix { row in row.allSatisfy { $0[3] == 255 } }.count
        #expect(rows[count...].allSatisfy { row in row.allSatisfy { $0 == [0, 0, 0, 0] } })
        return count
    }

    /// Truncated files used to fail. Browsers show them as far as they go.
    @Test(arguments: samples)
    func `a file truncated at any byte shows the rows before the end`(sample: Sample) throws {
        let complete = try decode(sample.bytes).pixels
        let pixelEnd = sample.bytes.count - 2
        var rowCounts = [0]
        for count in [Int](stride(from: 1, to: pixelEnd, by: 7)) + ((pixelEnd - 6)..<pixelEnd) {
            let cut = Array(sample.bytes[..<count])
            do throws(ImageError) {
                let image = try decode(cut)
                #expect(image.isTruncated)
                #expect(image.size == complete.size)
                rowCounts.append(visibleRowCount(image.pixels))
                guard sample.testDescription != "progressive" else { continue }
                for y in 0..<visibleRowCount(image.pixels) {
                    for x in 0..<complete.size.width {
                        #expect(Array(image.pixels.pixel(x, y).prefix(3)) == complete.pixel(x, y))
                    }
                }
            } catch {
                #expect(error.code == .corrupt || error.code == .notAnImage, "\(count) bytes")
            }
        }
        #expect(rowCounts == rowCounts.sorted())
        #expect(rowCounts.contains { $0 > 0 && $0 < complete.size.height })
    }

    @Test func `a truncated image is reduced to the target with transparent rows`() throws {
        let bytes = try PixelBuffer.quarters(width: 400, height: 300).encoded(as: .jpeg(quality: 90))
        let cut = Array(bytes[..<(bytes.count * 6 / 10)])
        let full = try decode(cut)
        let small = try decode(cut, target: .longestSide(50))
        #expect(small.isTruncated)
        #expect(small.pixels.size == PixelSize(width: 50, height: 38))
        let (rows, reduced) = (visibleRowCount(full.pixels), visibleRowCount(small.pixels))
        #expect(rows > 0 && rows < 300)
        #expect(abs(reduced * 8 - rows) <= 16)
    }

    @Test(arguments: samples)
    func `a file that lacks only its EOI marker is whole, unless later scans may be missing`(sample: Sample) throws {
        let complete = try decode(sample.bytes)
        for lackingCount in 1...2 {
            let image = try decode(Array(sample.bytes.dropLast(lackingCount)))
            #expect(image.isTruncated == (sample.testDescription == "progressive"))
            #expect(pixels(image.pixels) == pixels(complete.pixels))
        }
    }

    /// The EOI marker is present, and the data before it is missing.
    @Test(arguments: samples)
    func `decoding a truncated file with an EOI marker writes every byte or fails`(sample: Sample) throws {
        for count in stride(from: 100, to: sample.bytes.count - 1, by: 13) {
            let cut = Array(sample.bytes[..<count]) + [0xFF, 0xD9]
            guard (try? ImageHeader.read(cut)) != nil else { continue }
            let (first, firstPixels) = try decodeInC(cut, fill: 0)
            let (_, secondPixels) = try decodeInC(cut, fill: 255)
            if first.status == CODEC_OK { #expect(firstPixels == secondPixels, "\(count) bytes") }
        }
    }

    /// Browsers show such images, which used to be refused.
    @Test(arguments: [[0xFF, 0xFE, 0xFF, 0xFF], badTable, [0xFF, 0x55, 0xFF, 0x56]] as [[UInt8]])
    func `damage after the last row is ignored`(damage: [UInt8]) throws {
        let bytes = Array(GoldenImage.jpeg.dropLast(2)) + damage + [0xFF, 0xD9]
        let image = try decode(bytes)
        #expect(!image.isTruncated)
        #expect(pixels(image.pixels) == pixels(try decode(GoldenImage.jpeg).pixels))
    }

    /// The inks were taken for normal ones, and the image was almost black.
    @Test func `the inks of a CMYK image are inverted with and without Adobe's marker`() throws {
        let bytes = GoldenImage.cmykJPEG
        let marker = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xEE })
        let plain = Array(bytes[..<marker]) + bytes[(marker + 16)...]
        #expect(pixels(try decode(plain).pixels) == pixels(try decode(bytes).pixels))
    }

    // MARK: Partial files

    /// The index of each scan's SOS marker.
    private func scanStarts(_ bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    }

    @Test(arguments: [nil, 24] as [Int?])
    func `a partial progressive file shows its complete scans`(side: Int?) throws {
        let bytes = GoldenImage.progressiveJPEG
        let starts = scanStarts(bytes)
        try #require(starts.count > 3)
        let request = DecodeRequest(
            header: try ImageHeader.read(bytes), target: side.map(TargetSize.longestSide))
        func beginning(_ count: Int) -> PixelBuffer? { decoder.decodeBeginning(Array(bytes[..<count]), request) }
        #expect(beginning(starts[0]) == nil)
        #expect(beginning(starts[0] + 16) == nil)
        let first = try #require(beginning(starts[1] + 2))
        #expect(first.size == PixelSize(width: side ?? 48, height: (side ?? 48) * 2 / 3))
        let later = try #require(beginning(starts[3] + 2))
        #expect(pixels(first) != pixels(later))
        // The bytes may end within a table or within a scan.
        for count in (starts[1] + 2)..<bytes.count { #expect(beginning(count) != nil, "\(count) bytes") }
        let whole = pixels(try decoder.decode(bytes, request).pixels)
        #expect(beginning(bytes.count).map(pixels) == whole)
        #expect(beginning(bytes.count - 2).map(pixels) == whole)
    }

    @Test func `a partial baseline file shows nothing`() throws {
        let bytes = GoldenImage.jpeg
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        #expect(decoder.decodeBeginning(Array(bytes[..<(bytes.count / 2)]), request) == nil)
    }

    @Test func `a damaged partial file shows nothing`() throws {
        let bytes = GoldenImage.progressiveJPEG
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        let damaged = Array(bytes[..<scanStarts(bytes)[2]]) + Self.badTable
        #expect(decoder.decodeBeginning(damaged, request) == nil)
    }

    // MARK: Colour profiles

    @Test(.enabled(if: ColorConversion.isAvailable), arguments: [1, 2, 7])
    func `a profile split into segments is applied`(partCount: Int) throws {
        let profile = ICCProfile.displayP3
        let plain = try decode(GoldenImage.jpeg).pixels.pixel(40, 4)
        let coloured = try decode(Self.insert(profile.bytes, into: GoldenImage.jpeg, partCount: partCount))
        let expected = profile.inSRGB(plain)
        for (found, wanted) in zip(coloured.pixels.pixel(40, 4), expected) {
            #expect(abs(Double(found) - wanted) <= 2)
        }
        #expect(plain != coloured.pixels.pixel(40, 4))
    }

    @Test func `a profile with a missing segment is ignored`() throws {
        let whole = Self.insert(ICCProfile.displayP3.bytes, into: GoldenImage.jpeg, partCount: 3)
        #expect(ColorProfile.ofJPEG(whole) == ICCProfile.displayP3.bytes)
        // Remove the first segment, which follows the SOI marker.
        let length = Int(whole[4]) << 8 | Int(whole[5])
        let cut = whole[..<2] + whole[(4 + length)...]
        #expect(ColorProfile.ofJPEG(Array(cut)) == nil)
    }

    private static func insert(_ profile: [UInt8], into jpeg: [UInt8], partCount: Int) -> [UInt8] {
        let size = (profile.count + partCount - 1) / partCount
        let segments = (0..<partCount).flatMap { index -> [UInt8] in
            let part = profile[min(profile.count, index * size)..<min(profile.count, (index + 1) * size)]
            let content = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(partCount)] + part
            return [0xFF, 0xE2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        return jpeg[..<2] + segments + jpeg[2...]
    }

    /// The profile maps cyan to red and everything else to white.
    @Test(.enabled(if: ColorConversion.isAvailable), arguments: [GoldenImage.cmykJPEG, GoldenImage.ycckJPEG])
    func `a CMYK profile is applied`(bytes: [UInt8]) throws {
        let plain = try decode(bytes).pixels
        let image = try decode(Self.insert(CMYKProfile.redForCyan(), into: bytes, partCount: 1)).pixels
        #expect(image.size == plain.size)
        // The upper left corner has full cyan, magenta and yellow and no black; the lower right
        // corner has black only.
        let (left, right) = (image.pixel(0, 0), image.pixel(47, 31))
        #expect(left[0] > 200 && left[1] < 60 && left[2] < 60, "\(left)")
        #expect(right.allSatisfy { $0 > 200 }, "\(right)")
        #expect(plain.pixel(0, 0).allSatisfy { $0 < 30 })
    }

    /// Browsers convert so, too.
    @Test(.enabled(if: ColorConversion.isAvailable))
    func `of the tables of a CMYK profile, that of the relative colors counts`() throws {
        let profile = CMYKProfile.redForCyan(relative: [0, 128, 128])
        let image = try decode(Self.insert(profile, into: GoldenImage.cmykJPEG, partCount: 1)).pixels
        #expect(image.pixel(0, 0).allSatisfy { $0 < 30 }, "black, where the other tables have red")
        #expect(image.pixel(47, 31).allSatisfy { $0 > 200 })
    }

    @Test(.enabled(if: ColorConversion.isAvailable))
    func `a CMYK profile in a YCbCr image is ignored`() throws {
        let coloured = Self.insert(CMYKProfile.redForCyan(), into: GoldenImage.jpeg, partCount: 1)
        #expect(pixels(try decode(coloured).pixels) == pixels(try decode(GoldenImage.jpeg).pixels))
    }

    // MARK: The decoder process

    @Test func `the decoder process returns the same pixels and errors`() throws {
        let isolated = IsolatedDecoder([JPEGDecoder()])
        for sample in Self.samples {
            for side in [nil, 24, 12, 6] {
                let target = side.map(TargetSize.longestSide)
                let (here, there) = (
                    try decode(sample.bytes, target: target),
                    try decode(sample.bytes, with: isolated, target: target)
                )
                #expect(here.size == there.size)
                #expect(pixels(here.pixels) == pixels(there.pixels), "\(sample.testDescription)")
            }
        }
        var limits = DecodeLimits()
        limits.maxScanPixelCount = 64 * 48 * 9
        let broken: [[UInt8]] = [
            progressive(64, 48, scanCount: 10),
            Array(GoldenImage.progressiveJPEG.dropLast(2)) + Self.badTable + [0xFF, 0xD9],
            Array(GoldenImage.jpeg.dropLast(900)),
        ]
        for bytes in broken {
            let here = errorCode { () throws(ImageError) in try decode(bytes, limits: limits) }
            let there = errorCode { () throws(ImageError) in try decode(bytes, with: isolated, limits: limits) }
            #expect(here != nil)
            #expect(here == there)
        }
        for sample in Self.samples {
            let cut = Array(sample.bytes.dropLast(30))
            let (here, there) = (try decode(cut), try decode(cut, with: isolated))
            #expect(here.isTruncated && there.isTruncated)
            #expect(here.pixels.format == there.pixels.format)
            #expect(pixels(here.pixels) == pixels(there.pixels), "\(sample.testDescription)")
        }
    }

    @Test func `images are decoded on several threads at once`() async throws {
        let expected = try Self.samples.map { pixels(try decode($0.bytes).pixels) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                let index = index % expected.count
                group.addTask { pixels(try decode(Self.samples[index].bytes).pixels) == expected[index] }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    /// ICC.1 annex B.4: each segment holds its number, counted from 1, and the number of segments.
    @Test func `a profile is read only if each of its segments occurs exactly once`() {
        #expect(profile([(1, 1)]) == [1])
        #expect(profile([(1, 2), (2, 2)]) == [1, 2])
        #expect(profile([(2, 2), (1, 2)]) == [1, 2])
        let damaged: [[(UInt8, UInt8)]] = [
            [(1, 2)], [(1, 1), (2, 1)], [(0, 1)], [(1, 2), (1, 2)], [(1, 1), (2, 2)], [(1, 0)],
        ]
        for segments in damaged { #expect(profile(segments) == nil, "\(segments)") }
    }

    /// The profile of a file whose segments have these numbers and counts. The content of each
    /// segment is its number.
    private func profile(_ segments: [(number: UInt8, count: UInt8)]) -> [UInt8]? {
        var file: [UInt8] = [0xFF, 0xD8]
        for (number, count) in segments {
            file += [0xFF, 0xE2, 0, 17]
            file += Array("ICC_PROFILE\0".utf8)
            file += [number, count, number]
        }
        return ColorProfile.ofJPEG(file + GoldenImage.jpeg[2...])
    }
}

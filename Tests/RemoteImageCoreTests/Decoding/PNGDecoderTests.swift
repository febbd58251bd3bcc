import CRemoteImageCodecs
import Foundation
import RemoteImage
import RemoteImageCore
import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// Decoding with libpng, in this process and in the decoder process.
@Suite(.timeLimit(.minutes(3)))
struct PNGDecoderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    static let samples = [
        Sample(testDescription: "RGB", bytes: GoldenImage.rgbPNG),
        Sample(testDescription: "interlaced", bytes: GoldenImage.interlacedPNG),
        Sample(testDescription: "16 bits", bytes: GoldenImage.deepPNG),
        Sample(testDescription: "RGBA", bytes: GoldenImage.rgbaPNG),
        Sample(testDescription: "interlaced RGBA of 16 bits", bytes: GoldenImage.deepAlphaPNG),
        Sample(testDescription: "gray", bytes: GoldenImage.grayPNG),
        Sample(testDescription: "gray with alpha", bytes: GoldenImage.grayAlphaPNG),
        Sample(testDescription: "palette", bytes: GoldenImage.palettePNG),
        Sample(testDescription: "transparent palette", bytes: GoldenImage.transparentPalettePNG),
        Sample(testDescription: "profile", bytes: ICCProfile.adobeRGB.insert(intoPNG: GoldenImage.rgbPNG)),
    ]

    private let decoder = PNGDecoder()

    private func decode(
        _ bytes: [UInt8], with decoder: (any ImageDecoder)? = nil, target: TargetSize? = nil
    ) throws(ImageError) -> DecodedImage {
        try (decoder ?? self.decoder).decode(bytes, DecodeRequest(header: try ImageHeader.read(bytes), target: target))
    }

    private func pixels(_ buffer: PixelBuffer) -> [UInt8] { buffer.withUnsafeBytes { Array($0) } }

    // MARK: Pixels

    @Test func `an interlaced image has the pixels of a plain image at every target size`() throws {
        for side in [nil, 47, 24, 13, 1] {
            let target = side.map(TargetSize.longestSide)
            let plain = try decode(GoldenImage.rgbPNG, target: target).pixels
            #expect(pixels(try decode(GoldenImage.interlacedPNG, target: target).pixels) == pixels(plain))
        }
    }

    /// One level of gray is transparent, in a depth below 8 bits.
    @Test(arguments: [(depth: 1, row: [0b0100_0000]), (2, [0b0011_0000]), (4, [0x0F, 0x00])] as [(UInt8, [UInt8])])
    func `the transparent gray level is applied at depths below 8 bits`(depth: UInt8, row: [UInt8]) throws {
        var file = PNGFile(width: 3, height: 2)
        file.depth = depth
        file.colour = 0
        file.chunks = PNGChunk.make("tRNS", [0, (1 << depth) - 1])
        let image = try decode(file.bytes([row, row])).pixels
        #expect(image.format == .rgba8Premultiplied)
        for y in 0..<2 {
            #expect(
                [image.pixel(0, y), image.pixel(1, y), image.pixel(2, y)] == [
                    [0, 0, 0, 255], [0, 0, 0, 0], [0, 0, 0, 255],
                ])
        }
    }

    @Test func `16-bit channels are rounded to 8 bits`() throws {
        var file = PNGFile(width: 2, height: 1)
        file.depth = 16
        file.colour = 0
        // 127.502 and 254.5 of 255.
        let image = try decode(file.bytes([[0x80, 0x00, 0xFF, 0x00]])).pixels
        #expect(image.pixel(0, 0) == [128, 128, 128])
        #expect(image.pixel(1, 0) == [254, 254, 254])
    }

    @Test func `an opaque alpha channel is dropped at any target size`() throws {
        var file = PNGFile(width: 4, height: 4)
        file.colour = 6
        let opaque = [[UInt8]](repeating: [UInt8](repeating: 255, count: 16), count: 4)
        for side in [4, 2, 1] {
            let image = try decode(file.bytes(opaque), target: .longestSide(side)).pixels
            #expect(image.format == .rgb8)
            #expect(pixels(image).allSatisfy { $0 == 255 })
        }
        var transparent = opaque
        transparent[3][15] = 254
        #expect(try decode(file.bytes(transparent)).pixels.format == .rgba8Premultiplied)
    }

    // MARK: Colours

    private func chunk(_ name: String, _ numbers: [Int]) -> [UInt8] {
        PNGChunk.make(name, numbers.flatMap(PNGFile.number))
    }

    private static let adobeChromaticities = [31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000]
    private static let standardChromaticities = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]

    private func golden(with chunks: [UInt8]) -> [UInt8] {
        Array(GoldenImage.rgbPNG[..<33]) + chunks + Array(GoldenImage.rgbPNG[33...])
    }

    @Test(.enabled(if: ColorConversion.isAvailable))
    func `gamma and chromaticities are converted like an equal profile`() throws {
        let numbers = golden(with: chunk("gAMA", [45470]) + chunk("cHRM", Self.adobeChromaticities))
        let profile = ICCProfile.adobeRGB.insert(intoPNG: GoldenImage.rgbPNG)
        let (found, expected) = (pixels(try decode(numbers).pixels), pixels(try decode(profile).pixels))
        #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        #expect(found != pixels(try decode(GoldenImage.rgbPNG).pixels))
    }

    @Test(.enabled(if: ColorConversion.isAvailable)) func `a gamma without chromaticities is applied`() throws {
        var file = PNGFile(width: 1, height: 1)
        file.chunks = chunk("gAMA", [100_000])
        // Half of the light.
        #expect(try decode(file.bytes([[128, 128, 128]])).pixels.pixel(0, 0).allSatisfy { (187...189).contains($0) })
        file.colour = 0
        #expect(try decode(file.bytes([[128]])).pixels.pixel(0, 0).allSatisfy { (187...189).contains($0) })
    }

    @Test(.enabled(if: ColorConversion.isAvailable)) func `a cICP chunk takes precedence over a profile`() throws {
        let profile = ICCProfile.adobeRGB.insert(intoPNG: GoldenImage.rgbPNG)
        func file(_ numbers: [UInt8]) -> [UInt8] {
            Array(profile[..<33]) + PNGChunk.make("cICP", numbers) + profile[33...]
        }
        let displayP3 = pixels(try decode(ICCProfile.displayP3.insert(intoPNG: GoldenImage.rgbPNG)).pixels)
        let found = pixels(try decode(file([12, 13, 0, 1])).pixels)
        #expect(zip(found, displayP3).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        #expect(pixels(try decode(file([1, 13, 0, 1])).pixels) == pixels(try decode(GoldenImage.rgbPNG).pixels))
        // A matrix and a narrow range are invalid for RGB.
        for numbers: [UInt8] in [[12, 13, 1, 1], [12, 13, 0, 0], [12, 13, 0], []] {
            #expect(pixels(try decode(file(numbers)).pixels) == pixels(try decode(profile).pixels))
        }
    }

    /// Such colors used to be shown like sRGB, which is brighter.
    @Test(.enabled(if: ColorConversion.isAvailable), arguments: [1, 6, 14, 15] as [UInt8])
    func `television colors are shown with the gamma of television screens`(transfer: UInt8) throws {
        var file = PNGFile(width: 1, height: 1)
        file.chunks = PNGChunk.make("cICP", [1, transfer, 0, 1])
        #expect(try decode(file.bytes([[96, 128, 192]])).pixels.pixel(0, 0) == [87, 121, 189])
    }

    /// The levels are those of ``ToneMappingTests``.
    @Test(arguments: [(nil, 255), (4000, 238), (0, 255)] as [(Int?, Int)])
    func `light up to the brightest that a PNG specifies stays apart`(maxLight: Int?, expected: Int) throws {
        var file = PNGFile(width: 1, height: 1)
        file.chunks = PNGChunk.make("cICP", [9, 16, 0, 1])
        if let maxLight {
            file.chunks += PNGChunk.make("cLLI", (10_000 * maxLight).bigEndianBytes() + 0.bigEndianBytes())
        }
        let pixel = try decode(file.bytes([[208, 208, 208]])).pixels.pixel(0, 0)
        #expect(pixel.allSatisfy { abs(Int($0) - expected) <= 2 }, "\(pixel)")
    }

    @Test func `colour chunks of sRGB and invalid colour chunks change nothing`() throws {
        let plain = pixels(try decode(GoldenImage.rgbPNG).pixels)
        let gamma = chunk("gAMA", [45455])
        for chunks in [
            gamma, gamma + chunk("cHRM", Self.standardChromaticities), chunk("cHRM", Self.adobeChromaticities),
            chunk("gAMA", [0]), chunk("gAMA", [1]), chunk("gAMA", [1 << 30]),
            gamma + chunk("cHRM", [Int](repeating: 0, count: 8)),
            // sRGB takes precedence over gAMA and cHRM.
            PNGChunk.make("sRGB", [0]) + gamma + chunk("cHRM", Self.adobeChromaticities),
            PNGChunk.make("sRGB", [0]) + chunk("gAMA", [100_000]),
        ] {
            #expect(pixels(try decode(golden(with: chunks)).pixels) == plain)
        }
    }

    /// The white point leaves almost no response of one cone, so that the adapted primaries exceed
    /// the number range of a profile.
    @Test(arguments: [
        [23648, 8909, 86472, 9130, 37004, 54531, 21734, 6054],
        [57184, 24647, 78606, 2074, 32717, 61459, 41613, 2652],
    ])
    func `chromaticities beyond the number range of a profile change nothing`(chromaticities: [Int]) throws {
        #expect(
            CalibratedColors(
                gamma: 0.45, chromaticities: chromaticities.map { Double($0) / 100_000 }, isGray: false) == nil)
        let bytes = golden(with: chunk("gAMA", [45000]) + chunk("cHRM", chromaticities))
        #expect(pixels(try decode(bytes).pixels) == pixels(try decode(GoldenImage.rgbPNG).pixels))
    }

    @Test func `random chromaticities give a profile or none`() {
        var random = SeededGenerator(seed: 1)
        var profileCount = 0
        for _ in 0..<20_000 {
            let numbers = (0..<8).map { _ in Double(Int.random(in: 0...100_000, using: &random)) / 100_000 }
            guard let colors = CalibratedColors(gamma: 0.45, chromaticities: numbers, isGray: false) else { continue }
            #expect(colors.profile.count > 128)
            profileCount += 1
        }
        #expect(profileCount > 0)
    }

    // MARK: Damage

    /// libpng shows such pixels in black.
    @Test(arguments: [(depth: 8, row: [0, 1, 255]), (2, [0b00_01_11_00])] as [(UInt8, [UInt8])])
    func `indices beyond the palette have its last color`(depth: UInt8, row: [UInt8]) throws {
        var file = PNGFile(width: 3, height: 1)
        (file.depth, file.colour) = (depth, 3)
        file.chunks = PNGChunk.make("PLTE", [1, 2, 3, 4, 5, 6])
        let image = try decode(file.bytes([row])).pixels
        #expect((0..<3).map { image.pixel($0, 0) } == [[1, 2, 3], [4, 5, 6], [4, 5, 6]])
    }

    /// libpng ignores all of such a chunk.
    @Test(
        arguments: [
            (0, [], [0, 9, 1], [9, 10]), (2, [], [0, 9, 0, 9, 0, 9, 1], [9, 9, 9, 10, 10, 10]),
            (3, [9, 9, 9, 10, 10, 10], [0, 255, 1], [0, 1]),
        ] as [(UInt8, [UInt8], [UInt8], [UInt8])])
    func `transparency is applied although its chunk is too long`(
        colour: UInt8, palette: [UInt8], transparency: [UInt8], row: [UInt8]
    ) throws {
        var file = PNGFile(width: 2, height: 1)
        file.colour = colour
        file.chunks =
            (palette.isEmpty ? [] : PNGChunk.make("PLTE", palette)) + PNGChunk.make("tRNS", transparency)
        let image = try decode(file.bytes([row]))
        #expect(!image.isTruncated)
        #expect([image.pixels.pixel(0, 0), image.pixels.pixel(1, 0)] == [[0, 0, 0, 0], [10, 10, 10, 255]])
    }

    @Test func `an incomplete last color of the palette is ignored`() throws {
        var file = PNGFile(width: 2, height: 1)
        file.colour = 3
        file.chunks = PNGChunk.make("PLTE", [1, 2, 3, 4])
        let image = try decode(file.bytes([[0, 1]])).pixels
        #expect([image.pixel(0, 0), image.pixel(1, 0)] == [[1, 2, 3], [1, 2, 3]])
    }

    /// Such files used to be refused.
    @Test(arguments: ["a1cd", "    ", "\u{7F}bcd"])
    func `an ancillary chunk with an invalid name is skipped`(name: String) throws {
        let expected = pixels(try decode(GoldenImage.interlacedPNG).pixels)
        let bytes = GoldenImage.interlacedPNG
        let image = try decode(Array(bytes[..<33]) + PNGChunk.make(name, [1, 2, 3]) + bytes[33...])
        #expect(!image.isTruncated)
        #expect(pixels(image.pixels) == expected)
    }

    @Test func `unknown critical chunks and damaged palettes are corrupt`() {
        var file = PNGFile(width: 1, height: 1)
        let palette = PNGChunk.make("PLTE", [1, 2, 3])
        for chunks in [PNGChunk.make("ABCD", []) + palette, palette.dropLast() + [palette[14] ^ 1]] {
            (file.colour, file.chunks) = (3, Array(chunks))
            #expect(errorCode { () throws(ImageError) in try decode(file.bytes([[0]])) } == .corrupt)
        }
    }

    /// Such a file used to be refused.
    @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 1000])
    func `image data is decoded although its length is too large`(length: Int) throws {
        let file = PNGFile(width: 1, height: 1)
        var bytes = file.bytes([[7, 8, 9]])
        bytes.replaceSubrange(33..<37, with: PNGFile.number(length))
        let image = try decode(bytes)
        #expect(!image.isTruncated)
        #expect(image.pixels.pixel(0, 0) == [7, 8, 9])
    }

    /// The compressed data is valid but ends before the image.
    @Test(arguments: [0, 2, 499])
    func `the rows after the image data are transparent`(rowCount: Int) throws {
        let data = Gzip.zlib(repeating: 0, count: rowCount * 1201)
        let bytes =
            PNGChunk.header(width: 400, height: 500) + PNGChunk.make("IDAT", data) + PNGChunk.make("IEND", [])
        guard rowCount > 0 else {
            #expect(errorCode { () throws(ImageError) in try decode(bytes) } == .corrupt)
            return
        }
        let image = try decode(bytes)
        #expect(image.isTruncated)
        #expect(image.pixels.pixel(399, rowCount - 1) == [0, 0, 0, 255])
        #expect(image.pixels.pixel(0, rowCount) == [0, 0, 0, 0])
    }

    /// Browsers show such files, which used to be refused.
    @Test(arguments: samples)
    func `wrong or missing checksums of the image data, and a missing IEND, change nothing`(sample: Sample) throws {
        let bytes = sample.bytes
        let start = try #require(
            bytes.withUnsafeBytes { buffer in
                (8..<(bytes.count - 8)).first { ByteReader(buffer).has("IDAT", at: $0) }
            })
        let end = bytes.count - 12
        try #require(Int(bytes[start - 1]) + Int(bytes[start - 2]) << 8 == end - 4 - start - 4, "one IDAT chunk")
        let data = Array(bytes[(start + 4)..<(end - 4)])
        var wrongSums = [bytes, bytes]
        // The checksum of IDAT, and that of the compressed data.
        wrongSums[0][end - 1] ^= 1
        wrongSums[1].replaceSubrange(
            (start - 4)..<end, with: PNGChunk.make("IDAT", data.dropLast() + [data[data.count - 1] ^ 1]))
        let expected = pixels(try decode(bytes).pixels)
        let head = Array(bytes[..<(start - 4)])
        for changed in wrongSums + [
            Array(bytes[..<end]), Array(bytes[..<(end - 4)]),
            head + PNGChunk.make("IDAT", Array(data.dropLast(4))) + PNGChunk.make("IEND", []),
            head + PNGChunk.make("IDAT", Array(data.dropLast(2))),
        ] {
            let image = try decode(changed)
            #expect(!image.isTruncated)
            #expect(pixels(image.pixels) == expected)
        }
    }

    /// Two rows of 601 bytes, of which the second repeats the first, compressed by zlib.
    private static let distantRepetition =
        Data(
            base64Encoded: """
                eNpjYGCX8areJZR7LeJugczpjjhzOTlFo5jOIxL5V4IuJ3FtzXMQ/fHlM4Oaf9s1zS6WRp4N4Ty3Vnc11batOMvgM/tH3vM8vo1JOj+vnN\
                h/5BGzUdVRuQmsHSqHC8z+Xzu2c9eVjzIJy/9k3Y761Gv2Y++EmuyMuun7/jlO+pP5pIJ/S5Ex06ur5x58lQiZ/MBtvdo2z1dLEnUEvr/5\
                xa2VNPeZx1qFNdY3+tz53l08dObmF434JUzJl6Ke1hk8XdGSHBAWX7bsplTJRZsD7ne6rH9dWjttxtwNd7g95n2Pu5f4aY4ny431UyZNXn\
                Tqq17DVYstxgfS+I9Ny/RycfQpmH5GKvuU0163F70OPLd3rFu+7txHpZydIh3/W5QOF1mx3rtw9MQTZoOy/WJtP6tENsYoPN+zavasTWe/\
                WdResFmtsS/8377GIBtNFQv/kk2fnVaJ9ilsjRC5vKAtP62sc9UTxZwL5musTmcp3V3WkZuQUz3jHLvfOsEmnpkmL+anOCkLSanaFSx94b\
                JYYJr8tjTJW1sm1jS0zzn122rS27AbsR/meHPc2z5v3sJNdzhdZrwPuRT8qMv03YGpFSXFDcvOs4Wt5Gph7DG43hOlzcX0l03Dt+GMdMW7\
                9Hd9ho/WVIZ42LskNW/65TpPoJVjifOHbfVhbpZWIYVzHqjXvIq+VcS7rcJW4M/rF//E7eoOCtW8TPnRb/Jpc1NWqF9C6YwrwgnH9JeZnc\
                xSebhmQnlOVfeqR7JpJ3QX6OyO4Dvelxfo5BNZsuK+StPjoFup/zakarA8vnDt/je1yFlfAvc4HI/h2l0VpCsmIWsQ031Crvxe3MMimZMt\
                EQyjKWs0ZdEkZQEAdcBc/w==
                """
        ).map { [UInt8]($0) } ?? []

    /// The header claims a window of 512 bytes. libpng then refuses longer distances.
    @Test func `a window that is too small is ignored`() throws {
        var data = Self.distantRepetition
        (data[0], data[1]) = (0x18, UInt8(31 - 0x1800 % 31))
        let bytes =
            PNGChunk.header(width: 601, height: 2, colour: 0) + PNGChunk.make("IDAT", data)
            + PNGChunk.make("IEND", [])
        let image = try decode(bytes)
        #expect(!image.isTruncated)
        let levels = (0..<601).map { (x: Int) -> UInt8 in UInt8((x * x * 7 + x / 3 * 11) & 255) }
        let row = levels.flatMap { (level: UInt8) -> [UInt8] in [level, level, level] }
        #expect(pixels(image.pixels) == row + row)
    }

    /// libpng did not return the rows that the last string of the compression contains.
    @Test(arguments: [1, 8, 64])
    func `uniform rows without the checksum of their data are complete`(width: Int) throws {
        let rowByteCount = 1 + width * 3
        let data = Gzip.zlib(repeating: 0, count: rowByteCount * 48).dropLast(4)
        let bytes =
            PNGChunk.header(width: UInt32(width), height: 48) + PNGChunk.make("IDAT", Array(data))
            + PNGChunk.make("IEND", [])
        let image = try decode(bytes)
        #expect(!image.isTruncated)
        #expect(pixels(image.pixels) == [UInt8](repeating: 0, count: width * 48 * 3))
    }

    /// The libpng of Debian 13 always verifies the checksum, and lost the last row.
    @Test(arguments: [0, 1, 3, 4, 6])
    func `a wrong checksum of the image data in two chunks changes nothing`(lastByteCount: Int) throws {
        var data = Gzip.zlib(repeating: 0, count: 193 * 48)
        data[data.count - 1] ^= 1
        let bytes =
            PNGChunk.header(width: 64, height: 48) + PNGChunk.make("IDAT", Array(data.dropLast(lastByteCount)))
            + PNGChunk.make("IDAT", Array(data.suffix(lastByteCount))) + PNGChunk.make("IEND", [])
        let image = try decode(bytes)
        #expect(!image.isTruncated)
        #expect(pixels(image.pixels) == [UInt8](repeating: 0, count: 64 * 48 * 3))
    }

    /// Truncated files used to fail. Browsers show them as far as they go.
    @Test(arguments: samples, [nil, 10])
    func `a file truncated at any byte shows the rows before the end`(sample: Sample, side: Int?) throws {
        let target = side.map(TargetSize.longestSide)
        let complete = try decode(sample.bytes, target: target).pixels
        var seenCounts: [Int] = []
        for count in stride(from: 1, to: sample.bytes.count - 20, by: 3) {
            do throws(ImageError) {
                let image = try decode(Array(sample.bytes[..<count]), target: target)
                #expect(image.isTruncated)
                #expect(image.pixels.size == complete.size)
                seenCounts.append(image.pixels.alphaSum)
                guard !sample.testDescription.contains("interlaced"), side == nil,
                    image.pixels.format == .rgba8Premultiplied, complete.format == .rgb8
                else { continue }
                for y in 0..<complete.size.height where image.pixels.pixel(0, y)[3] == 255 {
                    #expect((0..<48).allSatisfy { image.pixels.pixel($0, y) == complete.pixel($0, y) + [255] })
                }
            } catch {
                #expect(error.code == .corrupt || error.code == .notAnImage, "\(count) bytes")
            }
        }
        #expect(seenCounts.count > 3)
        // The pixels of later passes replace opaque ones.
        guard !sample.testDescription.contains("interlaced") else { return }
        #expect(seenCounts == seenCounts.sorted(), "more bytes show more")
        #expect((seenCounts.last ?? 0) <= complete.alphaSum)
    }

    /// The first pass has an eighth of the columns and rows.
    @Test func `missing pixels of an interlaced file repeat a neighbor`() throws {
        let bytes = GoldenImage.interlacedPNG
        let complete = try decode(bytes).pixels
        let image = try decode(Array(bytes[..<(bytes.count / 2)]))
        #expect(image.isTruncated)
        #expect(image.pixels.format == .rgb8)
        for (x, y) in [(0, 0), (8, 8), (40, 24)] { #expect(image.pixels.pixel(x, y) == complete.pixel(x, y)) }
        #expect(pixels(image.pixels) != pixels(complete))
    }

    @Test func `a file whose size differs from the requested header is refused`() {
        for size in [
            PixelSize(width: 47, height: 32), PixelSize(width: 48, height: 31), PixelSize(width: 480, height: 320),
        ] {
            let request = DecodeRequest(header: ImageHeader(format: .png, storedSize: size))
            let code = errorCode { () throws(ImageError) in try decoder.decode(GoldenImage.rgbPNG, request) }
            #expect(code == .corrupt)
        }
        var limits = DecodeLimits()
        limits.maxSide = 47
        // The limits apply to the requested header and to the file.
        for size in [GoldenImage.size, PixelSize(width: 2, height: 2)] {
            let request = DecodeRequest(header: ImageHeader(format: .png, storedSize: size), limits: limits)
            let code = errorCode { () throws(ImageError) in try decoder.decode(GoldenImage.rgbPNG, request) }
            #expect(code == .tooManyPixels)
        }
    }

    @Test func `a profile that inflates to megabytes is ignored`() throws {
        let bomb = PNGChunk.make("iCCP", Array("x\0\0".utf8) + Gzip.zlib(repeating: 0, count: 50_000_000))
        #expect(pixels(try decode(golden(with: bomb)).pixels) == pixels(try decode(GoldenImage.rgbPNG).pixels))
    }

    @Test func `an ancillary chunk of any length is skipped`() throws {
        let text = PNGChunk.make(
            "iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + [UInt8](repeating: 65, count: 3 << 20))
        let unknown = PNGChunk.make("juNK", [UInt8](repeating: 1, count: 2 << 20))
        let plain = pixels(try decode(GoldenImage.rgbPNG).pixels)
        #expect(pixels(try decode(golden(with: text + unknown)).pixels) == plain)
    }

    // MARK: The decoder process

    @Test func `the decoder process returns the same pixels and errors`() throws {
        let isolated = IsolatedDecoder([PNGDecoder()])
        for sample in Self.samples {
            for side in [nil, 24, 7] {
                let target = side.map(TargetSize.longestSide)
                let here = try decode(sample.bytes, target: target)
                let there = try decode(sample.bytes, with: isolated, target: target)
                #expect(here.pixels.format == there.pixels.format)
                #expect(pixels(here.pixels) == pixels(there.pixels), "\(sample.testDescription)")
            }
        }
        for sample in Self.samples {
            let cut = Array(sample.bytes.dropLast(40))
            let (here, there) = (try decode(cut), try decode(cut, with: isolated))
            #expect(here.isTruncated && there.isTruncated)
            #expect(pixels(here.pixels) == pixels(there.pixels), "\(sample.testDescription)")
        }
        let cut = Array(GoldenImage.rgbPNG[..<40])
        #expect(errorCode { () throws(ImageError) in try decode(cut, with: isolated) } == .corrupt)
    }
}

extension PixelBuffer {
    /// The sum of the alpha of all pixels.
    fileprivate var alphaSum: Int {
        guard format == .rgba8Premultiplied else { return size.pixelCount * 255 }
        return withUnsafeBytes { bytes in
            Swift.stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }
        }
    }
}

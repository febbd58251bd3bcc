import Glibc
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders

@Suite(.enabled(if: HEIFDecoder().formats.contains(.avif), "libheif with a decoder of AV1 is not installed"))
struct HEIFDecoderTests {
    private typealias Item = HEIFFile.Item
    private let size = PixelSize(width: 16, height: 8)
    private let red: [UInt8] = [64, 0, 0]
    private let green: [UInt8] = [0, 255, 0]
    private let blue: [UInt8] = [0, 0, 255]
    private let white: [UInt8] = [255, 255, 255]
    private static let decodesHEVC = HEIFDecoder().formats.contains(.heic)

    private func decode(
        _ bytes: [UInt8], target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageError) -> DecodedImage {
        let header = try ImageHeader.read(bytes)
        return try HEIFDecoder().decode(bytes, DecodeRequest(header: header, target: target, limits: limits))
    }

    private func decode(_ file: HEIFFile) throws(ImageError) -> DecodedImage { try decode(file.bytes) }

    private func code(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> ImageError.Code? {
        errorCode { () throws(ImageError) in try decode(bytes, limits: limits) }
    }

    /// `av1` with more properties.
    private func file(_ properties: [UInt8]...) -> HEIFFile {
        var item = Item.av1
        item.properties += properties
        return HEIFFile([item])
    }

    /// The pixels at the centres of the quarters.
    private func corners(_ image: PixelBuffer) -> [[UInt8]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { image.pixel(image.size.width * $0 / 4, image.size.height * $1 / 4) }
    }

    private func pixels(_ image: DecodedImage) -> [UInt8] { image.pixels.withUnsafeBytes { Array($0) } }

    // MARK: Still images

    @Test func `a lossless AVIF is decoded exactly at full and at reduced size`() throws {
        let image = try decode(file())
        #expect(image.size == size)
        #expect(image.frameCount == 1)
        #expect(image.pixels.format == .rgb8)
        #expect(corners(image.pixels) == [red, green, blue, white])
        let reduced = try decode(file().bytes, target: .longestSide(8))
        #expect(reduced.size == size)
        #expect(reduced.pixels.size == PixelSize(width: 8, height: 4))
        #expect(corners(reduced.pixels) == [red, green, blue, white])
    }

    @Test(.enabled(if: decodesHEVC, "libheif has no decoder of HEVC")) func `HEIC is decoded`() throws {
        let bytes = HEIFFile([.hevc], brand: "heic").bytes
        #expect(try ImageHeader.read(bytes).format == .heic)
        let image = try decode(bytes)
        #expect(image.size == PixelSize(width: 64, height: 64))
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `AV1 in a file with the brand mif1 is decoded`() throws {
        let image = try decode(HEIFFile([.av1], brand: "mif1"))
        #expect(corners(image.pixels) == [red, green, blue, white])
    }

    @Test func `the standard decoders decode HEIC, and AVIF without libavif, with libheif before GdkPixbuf`() {
        let decoders: [any ImageDecoder] = .standard(isolation: .none)
        for format in HEIFDecoder().formats.subtracting(AVIFDecoder().formats) {
            #expect(decoders.first { $0.formats.contains(format) } is HEIFDecoder)
        }
    }

    @Test func `the frames are checked even if the request has another file's header`() throws {
        let large = PixelSize(width: 16_000, height: 16_000)
        let hidden = Item("av01", AVIFFile.sequence(large) + AVIFFile.frame(), Item.av1.properties)
        let bytes = HEIFFile([.av1, hidden]).bytes
        let request = DecodeRequest(header: try ImageHeader.read(file().bytes))
        let code = errorCode { () throws(ImageError) in try HEIFDecoder().decode(bytes, request) }
        #expect(code == .corrupt)
    }

    @Test func `10-bit samples are converted to 8 bits`() throws {
        let image = try decode(HEIFFile([.deepAV1]))
        #expect(image.pixels.format == .rgb8)
        #expect(image.pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `an image sequence with damaged tracks is decoded as its primary image`() throws {
        var sequence = file()
        sequence.brand = "avis"
        let bytes = sequence.bytes + HEIFFile.box("moov", HEIFFile.box("trak", [1, 2, 3, 4]))
        #expect(corners(try decode(bytes).pixels) == [red, green, blue, white])
    }

    @Test func `the brands of an image sequence are replaced by those of a still image`() throws {
        var sequence = file()
        sequence.brand = "msf1"
        let still = try #require(HEIFHeader.withoutTracks(sequence.bytes))
        #expect(Array(still[8..<12]) == Array("mif1".utf8))
        #expect(Array(still[16..<20]) == Array("mif1".utf8))
    }

    /// libheif reads the last `meta` box and more boxes than the header's limit.
    @Test func `a file with more than a thousand boxes is corrupt`() {
        let empty = (0..<1100).flatMap { _ in HEIFFile.box("free", []) }
        let bytes = file().bytes + empty
        #expect(errorCode { () throws(ImageError) in try decode(bytes) } == .corrupt)
        let few = file().bytes + empty.prefix(8 * 100)
        #expect(errorCode { () throws(ImageError) in try decode(few) } == nil)
    }

    // MARK: Transformations

    @Test func `rotation is applied`() throws {
        let turns = [
            [red, green, blue, white], [green, white, red, blue], [white, blue, green, red], [blue, red, white, green],
        ]
        for (count, expected) in turns.enumerated() {
            let image = try decode(file(HEIFFile.rotation(quarterTurns: count)))
            #expect(image.size == (count % 2 == 0 ? size : size.transposed))
            #expect(image.pixels.size == image.size)
            #expect(corners(image.pixels) == expected)
        }
    }

    /// libheif before version 1.18 states the size without the rotation then.
    @Test func `a rotation that precedes the coded size is applied`() throws {
        var rotated = file(HEIFFile.rotation(quarterTurns: 1))
        rotated.items[0].properties.reverse()
        let image = try decode(rotated)
        #expect(image.size == size.transposed)
        #expect(corners(image.pixels) == [green, white, red, blue])
    }

    @Test func `mirroring is applied after rotation`() throws {
        #expect(corners(try decode(file(HEIFFile.mirror(axis: 0))).pixels) == [blue, white, red, green])
        #expect(corners(try decode(file(HEIFFile.mirror(axis: 1))).pixels) == [green, red, white, blue])
        let both = file(HEIFFile.rotation(quarterTurns: 1), HEIFFile.mirror(axis: 1))
        #expect(corners(try decode(both).pixels) == [white, green, blue, red])
    }

    @Test func `a cropped image has the size of its crop`() throws {
        let cropped = PixelSize(width: 8, height: 4)
        let image = try decode(file(HEIFFile.crop(cropped)))
        #expect(image.size == cropped)
        #expect(image.pixels.size == cropped)
        #expect(corners(image.pixels) == [red, green, blue, white])
    }

    @Test func `the target size applies after the rotation`() throws {
        let image = try decode(
            file(HEIFFile.rotation(quarterTurns: 1)).bytes, target: TargetSize(PixelSize(width: 4, height: 8)))
        #expect(image.pixels.size == PixelSize(width: 4, height: 8))
        #expect(corners(image.pixels) == [green, white, red, blue])
    }

    // MARK: Alpha and grids

    @Test func `colors are premultiplied once`() throws {
        let straight = try decode(HEIFFile([.av1, .alpha(of: 1)]))
        #expect(straight.pixels.format == .rgba8Premultiplied)
        #expect(corners(straight.pixels) == [[32, 0, 0, 128], green + [255], blue + [255], white + [255]])
        var item = Item.av1
        item.references["prem"] = [2]
        let premultiplied = try decode(HEIFFile([item, .alpha(of: 1)]))
        #expect(corners(premultiplied.pixels) == [[64, 0, 0, 128], green + [255], blue + [255], white + [255]])
    }

    @Test func `the tiles of a grid are assembled`() throws {
        let canvas = PixelSize(width: 32, height: 8)
        let grid = Item.grid(columns: 2, rows: 1, canvas)
        let image = try decode(HEIFFile([grid, .av1, .av1]))
        #expect(image.size == canvas)
        for x in [0, 16] {
            let tile = [(4, 2), (12, 2), (4, 6), (12, 6)].map { image.pixels.pixel(x + $0, $1) }
            #expect(tile == [red, green, blue, white])
        }
    }

    @Test(.enabled(if: decodesHEVC, "libheif has no decoder of HEVC"))
    func `an HEVC grid is assembled and cropped to its size`() throws {
        let canvas = PixelSize(width: 100, height: 128)
        let grid = Item.grid(columns: 2, rows: 2, canvas)
        let image = try decode(HEIFFile([grid, .hevc, .hevc, .hevc, .hevc], brand: "heic"))
        #expect(image.size == canvas)
        #expect(image.pixels.size == canvas)
        let (first, last) = (image.pixels.pixel(16, 16), image.pixels.pixel(80, 112))
        #expect(zip(first, [255, 0, 0]).allSatisfy { abs(Int($0) - $1) < 48 })
        #expect(zip(last, [0, 0, 255]).allSatisfy { abs(Int($0) - $1) < 48 })
    }

    /// libheif leaves the pixels of a missing tile unwritten.
    @Test func `a grid with missing tiles is corrupt`() {
        var grid = Item.grid(columns: 2, rows: 1, PixelSize(width: 32, height: 8))
        grid.references["dimg"] = [2]
        #expect(code(HEIFFile([grid, .av1]).bytes) == .corrupt)
        grid.references["dimg"] = [2, 9]
        #expect(code(HEIFFile([grid, .av1]).bytes) == .corrupt)
    }

    // MARK: Colors

    @Test(.enabled(if: ColorConversion.isAvailable), arguments: [ICCProfile.displayP3, .adobeRGB])
    func `an embedded profile takes precedence over color code points`(profile: ICCProfile) throws {
        for image in [
            try decode(file(HEIFFile.profile(profile.bytes))),
            try decode(HEIFFile([.av1.withColors(primaries: 9, transfer: 16), .alpha(of: 1)]).adding(profile)),
        ] {
            for (found, original) in zip(corners(image.pixels), [red, green, blue, white]).dropFirst() {
                #expect(zip(found, profile.inSRGB(original)).allSatisfy { abs(Double($0) - $1) <= 2 })
            }
        }
    }

    @Test(.enabled(if: ColorConversion.isAvailable))
    func `the code points of Display P3 are converted like its profile`() throws {
        let image = try decode(HEIFFile([.av1.withColors(primaries: 12, transfer: 13)]))
        for (found, original) in zip(corners(image.pixels), [red, green, blue, white]) {
            #expect(zip(found, ICCProfile.displayP3.inSRGB(original)).allSatisfy { abs(Double($0) - $1) <= 2 })
        }
    }

    @Test func `sRGB, unspecified and unsupported code points change nothing`() throws {
        for (primaries, transfer) in [(1, 13), (2, 2), (1, 1), (1, 6), (1, 9), (200, 13), (1, 200)] {
            let image = try decode(HEIFFile([.av1.withColors(primaries: primaries, transfer: transfer)]))
            #expect(corners(image.pixels) == [red, green, blue, white])
        }
    }

    @Test func `HDR is tone-mapped like in the tests of its conversion`() throws {
        let item = Item.av1.withColors(primaries: 9, transfer: 16)
        let found = corners(try decode(HEIFFile([item])).pixels)
        #expect(zip(found[0], [40, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 2 })
        #expect(found[3].allSatisfy { $0 == 255 })
    }

    // MARK: Damage and limits

    private static var files: [[UInt8]] {
        var files = [
            HEIFFile([.av1, .alpha(of: 1)]).bytes, SampleImage.avif,
            HEIFFile([.grid(columns: 2, rows: 1, PixelSize(width: 128, height: 64)), .tile, .tile]).bytes,
        ]
        if decodesHEVC { files.append(HEIFFile([.hevc], brand: "heic").bytes) }
        return files
    }

    @Test(arguments: files) func `a file truncated at any byte is refused`(bytes: [UInt8]) throws {
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        for count in 0..<bytes.count {
            #expect(
                errorCode { () throws(ImageError) in
                    try HEIFDecoder().decode(Array(bytes[..<count]), request)
                } != nil)
        }
        #expect(code(Array(bytes.dropLast(4))) == .corrupt)
        #expect(code(Array(bytes.prefix(40))) == .corrupt)
        #expect(code([]) == .emptyBody)
    }

    @Test(arguments: files) func `a file with any damaged byte is decoded or refused`(bytes: [UInt8]) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            var damaged = bytes
            damaged[Int.random(in: 24..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            guard let image = try? decode(damaged) else { continue }
            #expect(image.pixels.size.pixelCount <= DecodeLimits().maxPixelCount)
        }
    }

    @Test func `an image above the limits is refused`() {
        for change in [
            { $0.maxPixelCount = 127 }, { $0.maxSide = 15 }, { $0.maxDecodedByteCount = 511 },
        ] as [(inout DecodeLimits) -> Void] {
            var limits = DecodeLimits()
            change(&limits)
            #expect(code(file().bytes, limits: limits) == .tooManyPixels)
        }
        var limits = DecodeLimits()
        (limits.maxPixelCount, limits.maxSide, limits.maxDecodedByteCount) = (.max, .max, .max)
        #expect(code(file().bytes, limits: limits) == nil)
    }

    // MARK: The decoder process

    @Test func `the decoder process returns the same images`() throws {
        let decoder = IsolatedDecoder()
        var oriented = Item.av1
        oriented.properties += [HEIFFile.rotation(quarterTurns: 1), HEIFFile.profile(ICCProfile.displayP3.bytes)]
        // The second item has more pixels and a shorter side than the primary item.
        let square = Item(
            "av01", Item.av1.data, [Item.av1.properties[0], HEIFFile.extent(PixelSize(width: 12, height: 12))])
        for bytes in Self.files + [
            HEIFFile([.av1, square]).bytes, HEIFFile([oriented]).bytes, HEIFFile([.deepAV1]).bytes,
            GoldenImage.alphaAVIF,
        ] {
            for target in [nil, TargetSize.longestSide(7)] {
                let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
                let local: [any ImageDecoder] = .standard(isolation: .none)
                let (own, isolated) = (try local.decode(bytes, request), try decoder.decode(bytes, request))
                #expect(isolated.size == own.size)
                #expect(isolated.pixels.format == own.pixels.format)
                #expect(pixels(isolated) == pixels(own))
                #expect(isolated.isIsolated && !own.isIsolated)
            }
        }
    }
}

extension HEIFFile {
    /// A copy with a profile for its primary item.
    fileprivate func adding(_ profile: ICCProfile) -> Self {
        var file = self
        file.items[0].properties.append(Self.profile(profile.bytes))
        return file
    }
}

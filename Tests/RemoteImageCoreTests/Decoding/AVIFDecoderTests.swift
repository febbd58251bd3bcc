import Glibc
import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoders
@testable import RemoteImageDecoding

/// The expected pixels are those of Chromium, unless they follow from the file.
@Suite(.enabled(if: AVIFDecoder().decodes(.avif), "libavif with a decoder of AV1 is not installed"))
struct AVIFDecoderTests {
    private typealias Item = HEIFFile.Item
    private let size = PixelSize(width: 16, height: 8)
    private let red: [UInt8] = [64, 0, 0]
    private let green: [UInt8] = [0, 255, 0]
    private let blue: [UInt8] = [0, 0, 255]
    private let white: [UInt8] = [255, 255, 255]

    private func decode(
        _ bytes: [UInt8], target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageError) -> DecodedImage {
        let header = try ImageHeader.read(bytes)
        return try AVIFDecoder().decode(bytes, DecodeRequest(header: header, target: target, limits: limits))
    }

    private func decode(_ items: Item...) throws(ImageError) -> DecodedImage { try decode(HEIFFile(items).bytes) }

    private func code(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> ImageError.Code? {
        errorCode { () throws(ImageError) in try decode(bytes, limits: limits) }
    }

    /// `av1` with more properties.
    private func item(_ properties: [UInt8]...) -> Item {
        var item = Item.av1
        item.properties += properties
        return item
    }

    /// The pixels at the centers of the quarters.
    private func corners(_ image: PixelBuffer) -> [[UInt8]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { image.pixel(image.size.width * $0 / 4, image.size.height * $1 / 4) }
    }

    private func isNear(_ found: [UInt8], _ expected: [Int], tolerance: Int = 2) -> Bool {
        zip(found, expected).allSatisfy { abs(Int($0) - $1) <= tolerance }
    }

    // MARK: Still images

    @Test func `a lossless AVIF is decoded exactly at full and at reduced size`() throws {
        let image = try decode(.av1)
        #expect(image.size == size)
        #expect(image.frameCount == 1)
        #expect(image.timing == nil)
        #expect(image.pixels.format == .rgb8)
        #expect(corners(image.pixels) == [red, green, blue, white])
        let reduced = try decode(HEIFFile([.av1]).bytes, target: .longestSide(8))
        #expect(reduced.size == size)
        #expect(reduced.pixels.size == PixelSize(width: 8, height: 4))
        #expect(corners(reduced.pixels) == [red, green, blue, white])
    }

    @Test func `the standard decoders decode AVIF with libavif`() {
        let decoders: [any ImageDecoder] = .standard(isolation: .none)
        #expect(decoders.first { $0.decodes(.avif) } is AVIFDecoder)
    }

    @Test func `10-bit samples are converted to 8 bits`() throws {
        #expect(try decode(.deepAV1).pixels.quarters == [.red, .green, .blue, .white])
    }

    @Test func `colors are premultiplied once`() throws {
        let straight = try decode(.av1, .alpha(of: 1))
        #expect(straight.pixels.format == .rgba8Premultiplied)
        #expect(corners(straight.pixels) == [[32, 0, 0, 128], green + [255], blue + [255], white + [255]])
        var item = Item.av1
        item.references["prem"] = [2]
        let premultiplied = try decode(item, .alpha(of: 1))
        #expect(corners(premultiplied.pixels) == [[64, 0, 0, 128], green + [255], blue + [255], white + [255]])
    }

    /// libheif 1.15 takes the samples for full range: transparent areas were gray boxes.
    @Test func `alpha of limited range is expanded`() throws {
        let image = try decode(.av1, .limitedAlpha(of: 1))
        #expect(corners(image.pixels).map { $0[3] } == [130, 255, 255, 255])
    }

    /// libheif 1.15 to 1.19 take the samples for full range.
    @Test func `gray of limited range is expanded`() throws {
        #expect(corners(try decode(.gray(isFullRange: true)).pixels) == [[128, 128, 128], white, white, white])
        #expect(corners(try decode(.gray(isFullRange: false)).pixels) == [[130, 130, 130], white, white, white])
    }

    @Test func `the tiles of a grid are assembled`() throws {
        let canvas = PixelSize(width: 128, height: 64)
        let image = try decode(.grid(columns: 2, rows: 1, canvas), .tile, .tile)
        #expect(image.size == canvas)
        for x in [0, 64] {
            let tile = [(16, 16), (48, 16), (16, 48), (48, 48)].map { image.pixels.pixel(x + $0, $1) }
            #expect(tile == [red, green, blue, white])
        }
    }

    /// avifenc 1.2: a layer of 8 × 4 pixels with low quality, and one of 16 × 8.
    private static let layered: [UInt8] = {
        let digits = """
            00000020667479706176696600000000617669666d6966316d6961664d413141000001036d657461000000000000002168646c72000000000000\
            000070696374000000000000000000000000000000000e7069746d00000000000100000026696c6f630000000044000001000100000002000001\
            2b000000620000018d0000003d0000002869696e660000000000010000001a696e6665020000000001000061763031436f6c6f72000000007a69\
            7072700000005a6970636f0000001469737065000000000000001000000008000000107069786900000000030808080000000c61763143812000\
            0000000013636f6c726e636c780001000d0006800000000f61316c78000062000000000000001869706d61000000000000000100010501028304\
            05000000a76d64617412000a0e201301008080cbf9b5f3404341a436004d1201dc003c001d560000049758043a31214ee7d6670c0d9e75da8aae\
            04a48186c2f7cd25cd6a06d11e081b6e63fbae6ae1465bd2b309974b774259cfcd48a32d4ef58ef5a17bc5b53767e15b5a36083a300380400000\
            7a000400b80844fd98bf7cff9b04a6b1da1102113c2ab73e1688c3e52b4ae5e453ade0c4737402f0fbf01eb5ffaf5964383d5b20
            """.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }()

    @Test func `the last layer is shown`() throws {
        let image = try decode(Self.layered)
        #expect(image.size == size)
        let expected = [[254, 0, 0], [0, 255, 1], [0, 0, 254], [255, 255, 255]]
        for (found, color) in zip(corners(image.pixels), expected) { #expect(isNear(found, color, tolerance: 6)) }
        // The lower layer has blurred edges.
        #expect(isNear(image.pixels.pixel(7, 1), [254, 0, 0], tolerance: 40))
        #expect(isNear(image.pixels.pixel(8, 1), [0, 255, 0], tolerance: 40))
    }

    @Test func `a file type without compatible brands is decoded`() throws {
        let bytes = HEIFFile([.av1]).bytes
        let typeEnd = Int(bytes[3])
        let type: [UInt8] = [0, 0, 0, 16] + bytes[4..<16]
        let rest: [UInt8] = [0, 0, 0, UInt8(typeEnd - 16)] + Array("free".utf8)
        let file = type + rest + [UInt8](repeating: 0, count: typeEnd - 24) + bytes[typeEnd...]
        #expect(try ImageHeader.read(file).format == .avif)
        #expect(corners(try decode(file).pixels) == [red, green, blue, white])
    }

    /// libavif refuses two `ipma` boxes with the same flags.
    @Test func `the associations of properties may be in several boxes`() throws {
        var bytes = HEIFFile([.av1, .limitedAlpha(of: 1)]).bytes
        func index(_ name: String) throws -> Int { try find(name, bytes) }
        func grow(_ name: String) throws { bytes[try index(name) + 3] += 16 }
        // Each item has its box; the data is 16 bytes further.
        let list = try index("ipma")
        let firstCount = Int(bytes[list + 18])
        let second = list + 19 + firstCount
        let secondLength = Int(bytes[list + 3]) - (second - list)
        let head = [0, 0, 0, UInt8(16 + secondLength)] + Array("ipma".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        bytes.insert(contentsOf: head, at: second)
        bytes[list + 3] = UInt8(second - list)
        bytes[list + 15] = 1
        bytes[try index("iprp") + 2] += bytes[try index("iprp") + 3] > 239 ? 1 : 0
        bytes[try index("iprp") + 3] &+= 16
        bytes[try index("meta") + 2] += bytes[try index("meta") + 3] > 239 ? 1 : 0
        bytes[try index("meta") + 3] &+= 16
        let locations = try index("iloc") + 16
        for place in [locations + 6, locations + 6 + 14] {
            bytes[place + 2] += bytes[place + 3] > 239 ? 1 : 0
            bytes[place + 3] &+= 16
        }
        #expect(corners(try decode(bytes).pixels).map { $0[3] } == [130, 255, 255, 255])
    }

    private func find(_ name: String, _ bytes: [UInt8]) throws -> Int {
        try #require(bytes.indices.first { bytes[$0...].starts(with: name.utf8) }) - 4
    }

    /// libavif 0.11 does not know `clli`.
    @Test func `the light of the content may be marked as essential`() throws {
        var bytes = HEIFFile([item(HEIFFile.maxLight(400))]).bytes
        let property = bytes[try find("ipma", bytes)...].prefix(24)
        #expect(property.last == 5)
        bytes[property.endIndex - 1] |= 0x80
        #expect(corners(try decode(bytes).pixels) == [red, green, blue, white])
        bytes.replaceSubrange(try find("clli", bytes) + 4..<(try find("clli", bytes) + 8), with: "abcd".utf8)
        #expect(code(bytes) == .corrupt, "an unknown property")
    }

    @Test func `an item may be listed twice if its type is the same`() throws {
        // The entry `infe` has 21 bytes.
        var bytes = HEIFFile([.av1]).bytes
        let entry = try find("infe", bytes)
        for place in [try find("iinf", bytes), try find("meta", bytes), try find("iloc", bytes) + 22] {
            bytes[place + 2] += bytes[place + 3] > 234 ? 1 : 0
            bytes[place + 3] &+= 21
        }
        bytes.insert(contentsOf: bytes[entry..<(entry + 21)], at: entry)
        #expect(corners(try decode(bytes).pixels) == [red, green, blue, white])
        bytes.replaceSubrange((entry + 16)..<(entry + 20), with: "grid".utf8)
        #expect(code(bytes) == .corrupt)
    }

    /// libavif 0.11 refuses boxes of length 0, which extend to the end of the file.
    @Test func `the header may extend to the end of the file`() throws {
        var bytes = HEIFFile([.av1]).bytes
        let start = try find("meta", bytes)
        bytes.replaceSubrange(start..<(start + 4), with: [0, 0, 0, 0])
        #expect(corners(try decode(bytes).pixels) == [red, green, blue, white])
    }

    @Test func `of two files in a row, the first is shown`() throws {
        let image = try decode(HEIFFile([.av1]).bytes + HEIFFile([.tile]).bytes)
        #expect(image.size == size)
        #expect(corners(image.pixels) == [red, green, blue, white])
    }

    /// Chromium drops such alpha, too.
    @Test func `data of an unknown item is ignored`() throws {
        var bytes = HEIFFile([.av1, .alpha(of: 1)]).bytes
        let locations = try find("iloc", bytes)
        bytes[locations + 31] = 9
        #expect(corners(try decode(bytes).pixels) == [red, green, blue, white])
    }

    // MARK: Transformations

    @Test func `rotation and mirroring are applied in this order`() throws {
        let turns = [
            [red, green, blue, white], [green, white, red, blue], [white, blue, green, red], [blue, red, white, green],
        ]
        for (count, expected) in turns.enumerated() {
            let bytes = HEIFFile([item(HEIFFile.rotation(quarterTurns: count))]).bytes
            let image = try decode(bytes)
            #expect(image.size == (count % 2 == 0 ? size : size.transposed))
            #expect(try ImageHeader.read(bytes).size == image.size)
            #expect(image.pixels.size == image.size)
            #expect(corners(image.pixels) == expected)
            for (axis, order) in [(0, [2, 3, 0, 1]), (1, [1, 0, 3, 2])] {
                let mirrored = item(HEIFFile.mirror(axis: axis), HEIFFile.rotation(quarterTurns: count))
                #expect(corners(try decode(mirrored).pixels) == order.map { expected[$0] })
            }
        }
    }

    @Test func `the target size applies after the rotation`() throws {
        let image = try decode(
            HEIFFile([item(HEIFFile.rotation(quarterTurns: 1))]).bytes,
            target: TargetSize(PixelSize(width: 4, height: 8)))
        #expect(image.pixels.size == PixelSize(width: 4, height: 8))
        #expect(corners(image.pixels) == [green, white, red, blue])
    }

    @Test func `an image is cropped only from its upper left corner`() throws {
        let part = PixelSize(width: 8, height: 4)
        for (crop, expected) in [(HEIFFile.cornerCrop(part, of: size), part), (HEIFFile.crop(part), size)] {
            let bytes = HEIFFile([item(crop)]).bytes
            let image = try decode(bytes)
            #expect(image.size == expected)
            #expect(try ImageHeader.read(bytes).size == expected)
            #expect(image.pixels.size == expected)
            #expect(corners(image.pixels) == (expected == part ? [red, red, red, red] : [red, green, blue, white]))
        }
        let turned = try decode(item(HEIFFile.cornerCrop(part, of: size), HEIFFile.rotation(quarterTurns: 1)))
        #expect(turned.size == part.transposed)
    }

    @Test func `a cropped image counts towards the limits as a whole`() {
        var limits = DecodeLimits()
        limits.maxPixelCount = 127
        let bytes = HEIFFile([item(HEIFFile.cornerCrop(PixelSize(width: 8, height: 4), of: size))]).bytes
        #expect(code(bytes, limits: limits) == .tooManyPixels)
        limits.maxPixelCount = 128
        #expect(code(bytes, limits: limits) == nil)
    }

    // MARK: Colors

    @Test(.enabled(if: ColorConversion.isAvailable), arguments: [ICCProfile.displayP3, .adobeRGB])
    func `an embedded profile takes precedence over color code points`(profile: ICCProfile) throws {
        var item = Item.av1.withColors(primaries: 9, transfer: 16)
        item.properties.append(HEIFFile.profile(profile.bytes))
        for image in [try decode(item), try decode(item, .alpha(of: 1))] {
            for (found, original) in zip(corners(image.pixels), [red, green, blue, white]).dropFirst() {
                #expect(zip(found, profile.inSRGB(original)).allSatisfy { abs(Double($0) - $1) <= 2 })
            }
        }
    }

    @Test func `PQ and HLG are shown as in Chromium`() throws {
        let pq = try decode(.av1.withColors(primaries: 9, transfer: 16))
        let hlg = try decode(.av1.withColors(primaries: 9, transfer: 18))
        for (image, dark) in [(pq, 40), (hlg, 49)] {
            #expect(isNear(corners(image.pixels)[0], [dark, 0, 0]))
            #expect(isNear(corners(image.pixels)[3], [255, 255, 255]))
        }
    }

    @Test func `a matrix of constant luminance is approximated`() throws {
        var item = Item.gray(isFullRange: true)
        item.properties[3] = HEIFFile.colors(primaries: 1, transfer: 13, matrix: 10)
        #expect(isNear(corners(try decode(item).pixels)[0], [128, 128, 128]))
    }

    @Test func `a reserved matrix counts as unspecified`() throws {
        var (plain, reserved) = (Item.deepAV1, Item.deepAV1)
        plain.properties[3] = HEIFFile.colors(primaries: 1, transfer: 13, matrix: 2)
        reserved.properties[3] = HEIFFile.colors(primaries: 1, transfer: 13, matrix: 255)
        #expect(try corners(decode(reserved).pixels) == corners(decode(plain).pixels))
    }

    /// The levels of dark red, 64, and of the blue quarter.
    @Test(
        .enabled(if: ColorConversion.isAvailable),
        arguments: [
            (1, 7, [81, 0, 0], [0, 0, 255]), (1, 17, [48, 0, 0], [0, 0, 255]), (10, 13, [112, 0, 11], [0, 56, 255]),
        ] as [(Int, Int, [Int], [Int])])
    func `the code points of film are converted`(primaries: Int, transfer: Int, dark: [Int], blue: [Int]) throws {
        let image = try decode(.av1.withColors(primaries: primaries, transfer: transfer))
        #expect(isNear(corners(image.pixels)[0], dark), "\(corners(image.pixels))")
        #expect(isNear(corners(image.pixels)[2], blue), "\(corners(image.pixels))")
    }

    // MARK: Sequences

    private func outline(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> ImageAnimation? {
        let image = try decode(bytes, limits: limits)
        return ImageAnimation(
            bytes, .avif, image.timing, size: image.size, decoder: OrientedDecoder(AVIFDecoder()), limits: limits)
    }

    /// The first letter of each quarter's color.
    private func letters(_ pixels: PixelBuffer) -> String {
        corners(pixels).map { pixel in
            switch pixel.prefix(3) {
            case [255, 0, 0]: "r"
            case [0, 255, 0]: "g"
            case [0, 0, 255]: "b"
            case [255, 255, 255]: "w"
            default: pixel.last == 128 ? "t" : "?"
            }
        }.joined()
    }

    private static var dependent: AVIFSequence {
        var sequence = AVIFSequence()
        sequence.samples = AVIFSequence.dependentSamples
        sequence.syncSamples = [1]
        return sequence
    }

    @Test(arguments: [false, true], [[3], [1, 2]])
    func `frames that depend on each other play with their delays`(hasAlpha: Bool, chunks: [Int]) async throws {
        var sequence = Self.dependent
        sequence.chunks = chunks
        sequence.hasLongOffsets = chunks.count > 1
        if hasAlpha { sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha] }
        let player = AnimationPlayer(try #require(try outline(sequence.bytes)))
        for _ in 0..<2 {
            for (expected, delay) in [("rgbw", 100), ("gbwr", 200), ("bwrg", 50)] {
                let frame = try #require(await player.next())
                #expect(letters(frame.pixels).dropFirst() == expected.dropFirst())
                #expect(letters(frame.pixels).first == (hasAlpha ? "t" : expected.first))
                #expect(frame.delay == .milliseconds(delay))
            }
        }
    }

    @Test func `a frame is decoded with, without and against the state of its cursor`() throws {
        let bytes = Self.dependent.bytes
        var request = DecodeRequest(header: try ImageHeader.read(bytes))
        let cursor = FrameCursor()
        for (number, expected) in [(2, "bwrg"), (0, "rgbw"), (1, "gbwr"), (2, "bwrg"), (1, "gbwr")] {
            request.frame = (number, cursor)
            #expect(letters(try AVIFDecoder().decode(bytes, request).pixels) == expected)
            #expect(cursor.byteCount > 0)
        }
        request.frame = (3, FrameCursor())
        #expect(errorCode { () throws(ImageError) in try AVIFDecoder().decode(bytes, request) } == .corrupt)
    }

    @Test(arguments: [false, true]) func `a loaded sequence plays`(isIsolated: Bool) async throws {
        let decoder: any ImageDecoder = isIsolated ? IsolatedDecoder() : AVIFDecoder()
        let pipeline = ImagePipeline.test(FakeTransport(), decoder: decoder)
        let image = try await pipeline.image(
            for: ImageRequest(ImageSource.bytes(Self.dependent.bytes, identity: "dependent")))
        #expect(image.info.frameCount == 3)
        #expect(image.info.decoder == "avif")
        #expect(letters(image.pixels) == "rgbw")
        let player = AnimationPlayer(try #require(image.animation))
        for expected in ["rgbw", "gbwr", "bwrg", "rgbw"] {
            #expect(letters(try #require(await player.next()).pixels) == expected)
        }
    }

    @Test func `a sequence plays as often as its edit list specifies`() throws {
        for (edit, count) in [(AVIFSequence.repeatedEdit(175), 2), ([], nil)] {
            var sequence = Self.dependent
            sequence.trackBoxes = edit.isEmpty ? [] : [edit]
            #expect(try decode(sequence.bytes).timing == FrameTiming(delays: [100, 200, 50], playCount: count))
        }
    }

    /// As in Chromium, a file with the major brand of a still image is one.
    @Test func `the major brand decides whether a sequence plays`() throws {
        var bytes = Self.dependent.bytes
        bytes.replaceSubrange(8..<12, with: "avif".utf8)
        #expect(try decode(bytes).timing == nil)
        bytes.replaceSubrange(8..<12, with: "msf1".utf8)
        #expect(try decode(bytes).timing?.delays.count == 3)
    }

    @Test func `a sequence with damaged tracks is decoded as its primary image`() throws {
        let still = HEIFFile([.av1], brand: "avis").bytes
        #expect(corners(try decode(still).pixels) == [red, green, blue, white])
        let damaged = still + HEIFFile.box("moov", HEIFFile.box("trak", [1, 2, 3, 4]))
        #expect(corners(try decode(damaged).pixels) == [red, green, blue, white])
        #expect(try decode(damaged).timing == nil)
    }

    @Test func `the properties of a track apply to its frames`() throws {
        var sequence = Self.dependent
        sequence.entryBoxes = [HEIFFile.rotation(quarterTurns: 2)]
        let image = try decode(sequence.bytes)
        #expect(letters(image.pixels) == "wbgr")
        #expect(image.timing?.delays.count == 3)
    }

    /// As in Chromium and libavif, samples without a duration have that of the last one.
    @Test func `a sequence plays without a clock and without durations`() throws {
        var sequence = Self.dependent
        sequence.delays = [100]
        #expect(try decode(sequence.bytes).timing?.delays == [100, 100, 100])
        #expect(AVIFTrack.playableCount(sequence.bytes, limits: DecodeLimits()) == 3)
        for (name, delays) in [("mdhd", [0, 0, 0]), ("stts", [1, 1, 1])] as [(String, [UInt32])] {
            var bytes = Self.dependent.bytes
            let box = try find(name, bytes)
            bytes.replaceSubrange((box + 4)..<(box + 8), with: "free".utf8)
            #expect(try decode(bytes).timing?.delays == delays)
            #expect(try outline(bytes)?.frameCount == 3)
        }
    }

    @Test func `the frames of a sequence are scaled to the size of their track`() throws {
        var bytes = Self.dependent.bytes
        let entry = try find("stsd", bytes) + 24
        // Twice as large as the frames.
        let header = try find("tkhd", bytes)
        (bytes[header + 85], bytes[header + 89]) = (32, 16)
        #expect(try ImageHeader.read(bytes).size == PixelSize(width: 32, height: 16))
        let image = try decode(bytes)
        #expect(image.pixels.size == PixelSize(width: 32, height: 16))
        #expect(image.timing?.delays.count == 3)
        #expect(letters(image.pixels) == "rgbw")
        // Half as large.
        (bytes[header + 85], bytes[header + 89]) = (8, 4)
        #expect(try decode(bytes).pixels.size == PixelSize(width: 8, height: 4))
        #expect(AVIFTrack.playableCount(bytes, limits: DecodeLimits()) == 3)
        // Without the size in the sample entry, which is the limit of the frames.
        bytes.replaceSubrange((entry + 24)..<(entry + 28), with: [0, 0, 0, 0])
        #expect(AVIFTrack.playableCount(bytes, limits: DecodeLimits()) == 0)
    }

    @Test func `the primary image of a sequence may be larger than its frames`() throws {
        var bytes = Self.dependent.bytes
        let extent = try find("ispe", bytes)
        (bytes[extent + 14], bytes[extent + 18]) = (16, 16)
        let image = try decode(bytes)
        #expect(image.size == size)
        #expect(image.timing?.delays.count == 3)
    }

    /// libavif refuses the size of audio, 0 × 0, and takes every auxiliary track for alpha.
    @Test func `audio and depth are ignored`() async throws {
        var sequence = Self.dependent
        sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha]
        let bytes = sequence.bytes
        func replace(_ old: String, _ new: String, in bytes: inout [UInt8]) throws {
            let place = try #require(bytes.indices.last { bytes[$0...].starts(with: old.utf8) })
            bytes.replaceSubrange(place..<(place + old.utf8.count), with: new.utf8)
        }
        var depth = bytes
        try replace("systems:auxiliary:alpha", "systems:auxiliary:depth", in: &depth)
        var audio = bytes
        try replace("av01", "mp4a", in: &audio)
        try replace("tref", "free", in: &audio)
        let header = try #require(audio.indices.last { audio[$0...].starts(with: "tkhd".utf8) }) - 4
        audio.replaceSubrange((header + 84)..<(header + 92), with: [UInt8](repeating: 0, count: 8))
        for bytes in [depth, audio] {
            let player = AnimationPlayer(try #require(try outline(bytes)))
            for expected in ["rgbw", "gbwr", "bwrg"] {
                #expect(letters(try #require(await player.next()).pixels) == expected)
            }
        }
        #expect(AVIFTrack.withoutOtherTracks(bytes) == nil)
    }

    @Test func `the frames and pixels of a sequence that play are limited`() throws {
        var limits = DecodeLimits()
        limits.maxFrameCount = 2
        #expect(try decode(Self.dependent.bytes, limits: limits).timing?.delays == [100, 200])
        limits = DecodeLimits()
        limits.maxScanPixelCount = 2 * 2 * size.pixelCount
        #expect(try decode(Self.dependent.bytes, limits: limits).timing?.delays == [100, 200])
        limits.maxScanPixelCount = 0
        #expect(try decode(Self.dependent.bytes, limits: limits).timing == nil)
        limits = DecodeLimits()
        // 10 frames of three samples, and three frames of RGBA.
        limits.maxAnimationByteCount = size.pixelCount * (30 + 12)
        #expect(try outline(Self.dependent.bytes, limits: limits) != nil)
        limits.maxAnimationByteCount -= 1
        #expect(try outline(Self.dependent.bytes, limits: limits) == nil)
    }

    @Test func `a frame larger than its track claims does not play`() throws {
        let large = AVIFFile.sequence(PixelSize(width: 16_000, height: 16_000)) + AVIFFile.frame()
        for index in 1...2 {
            var sequence = Self.dependent
            sequence.samples[index] = large
            #expect(AVIFTrack.playableCount(sequence.bytes, limits: DecodeLimits()) == index)
            sequence.samples = AVIFSequence.dependentSamples
            sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha]
            sequence.alphaSamples?[index] = large
            #expect(AVIFTrack.playableCount(sequence.bytes, limits: DecodeLimits()) == index)
        }
    }

    @Test func `the complete frames of a truncated sequence play`() throws {
        let bytes = Self.dependent.bytes
        #expect(AVIFTrack.playableCount(Array(bytes.dropLast()), limits: DecodeLimits()) == 2)
        for count in 0..<bytes.count { _ = code(Array(bytes[..<count])) }
    }

    // MARK: Damage and limits

    private static var files: [[UInt8]] {
        [
            HEIFFile([.av1, .alpha(of: 1)]).bytes, SampleImage.avif, layered,
            HEIFFile([.grid(columns: 2, rows: 1, PixelSize(width: 128, height: 64)), .tile, .tile]).bytes,
        ]
    }

    @Test(arguments: files) func `a file truncated at any byte is refused`(bytes: [UInt8]) throws {
        let request = DecodeRequest(header: try ImageHeader.read(bytes))
        for count in 0..<bytes.count {
            #expect(
                errorCode { () throws(ImageError) in
                    try AVIFDecoder().decode(Array(bytes[..<count]), request)
                } != nil)
        }
    }

    @Test(arguments: files + [dependent.bytes])
    func `a file with any damaged byte is decoded or refused`(bytes: [UInt8]) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            var damaged = bytes
            damaged[Int.random(in: 24..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            guard let image = try? decode(damaged) else { continue }
            #expect(image.pixels.size.pixelCount <= DecodeLimits().maxPixelCount)
        }
    }

    @Test func `an image above the limits is refused`() {
        let bytes = HEIFFile([.av1]).bytes
        for change in [
            { $0.maxPixelCount = 127 }, { $0.maxSide = 15 }, { $0.maxDecodedByteCount = 511 },
        ] as [(inout DecodeLimits) -> Void] {
            var limits = DecodeLimits()
            change(&limits)
            #expect(code(bytes, limits: limits) == .tooManyPixels)
        }
        var limits = DecodeLimits()
        (limits.maxPixelCount, limits.maxSide, limits.maxDecodedByteCount) = (.max, .max, .max)
        #expect(code(bytes, limits: limits) == nil)
    }

    @Test func `the frames are checked even if the request has another file's header`() throws {
        let large = PixelSize(width: 16_000, height: 16_000)
        let hidden = Item("av01", AVIFFile.sequence(large) + AVIFFile.frame(), Item.av1.properties)
        let bytes = HEIFFile([.av1, hidden]).bytes
        let request = DecodeRequest(header: try ImageHeader.read(HEIFFile([.av1]).bytes))
        #expect(errorCode { () throws(ImageError) in try AVIFDecoder().decode(bytes, request) } == .corrupt)
    }
}

import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The boxes of HEIF files in each of their versions, and the transformations of the image.
@Suite struct HEIFHeaderTests {
    private let small = PixelSize(width: 64, height: 48)
    private let large = PixelSize(width: 16_000, height: 16_000)

    private func size(_ bytes: [UInt8]) -> PixelSize? { try? ImageHeader.read(bytes).storedSize }

    private func code(_ bytes: [UInt8]) -> ImageError.Code? {
        errorCode { () throws(ImageError) in try ImageHeader.read(bytes) }
    }

    private func still(_ size: PixelSize) -> [UInt8] { AVIFFile.sequence(size) + AVIFFile.frame() }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] { HEIFFile.box(name, content) }

    // MARK: Limits

    /// Each association takes more memory and time than its byte.
    @Test func `a file with more associations than real files have is damaged`() {
        func file(_ listCount: Int, perItem count: Int) -> [UInt8] {
            let lists = (0..<listCount).flatMap { list in
                let items = (0..<1024).flatMap { item in
                    (list * 1024 + item).bigEndianBytes() + [UInt8(count)] + [UInt8](repeating: 1, count: count)
                }
                return box("ipma", [1, 0, 0, 0] + 1024.bigEndianBytes() + items)
            }
            let properties = box("ipco", HEIFFile.extent(small)) + lists
            let meta = box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 0]) + box("iinf", [0, 0, 0, 0, 0, 0])
            return box("ftyp", Array("avif\0\0\0\0avifmif1".utf8))
                + box("meta", [0, 0, 0, 0] + meta + box("iprp", properties))
        }
        // 16,384 items and associations.
        for (lists, count) in [(16, 0), (8, 1), (1, 15)] {
            #expect(size(file(lists, perItem: count)) == small)
            #expect(code(file(lists + 1, perItem: count)) == .corrupt)
        }
        #expect(code(file(1, perItem: 16)) == .corrupt)
        #expect(HEIFHeader.asReadByLibavif(file(17, perItem: 0)) == nil)
    }

    @Test func `the sizes in configurations are limited, too`() {
        func file(_ count: Int) -> [UInt8] {
            var item = HEIFFile.Item.av1
            let sequence = AVIFFile.sequence(PixelSize(width: 1, height: 1))
            let configuration = box("av1C", [0x81, 0x20, 0, 0] + (0..<count).flatMap { _ in sequence })
            item.properties.replaceSubrange(0...0, with: [configuration, configuration])
            return HEIFFile([item]).bytes
        }
        // 8,192 sizes, with those of the item itself.
        #expect(size(file(4095)) == PixelSize(width: 16, height: 8))
        #expect(code(file(4096)) == .corrupt)
    }

    // MARK: Crops

    /// Width, height, and the offsets of the center, each as a numerator and a denominator.
    private func crop(_ numbers: [Int]) -> [UInt8] { box("clap", numbers.flatMap { $0.bigEndianBytes() }) }

    @Test(
        arguments: [
            ([8, 1, 4, 1, -4, 1, -2, 1], 8, 4), ([16, 2, 12, 3, -8, 2, -4, 2], 8, 4),
            ([1, 1, 1, 1, -15, 2, -7, 2], 1, 1),
            ([16, 1, 8, 1, 0, 1, 0, 1], 16, 8), ([8, 1, 8, 1, -4, 1, 0, 1], 8, 8), ([16, 1, 4, 1, 0, 1, -2, 1], 16, 4),
            // Not in whole pixels, of no size, and larger than the image.
            ([17, 2, 4, 1, -4, 1, -2, 1], 16, 8), ([8, 1, 9, 2, -4, 1, -2, 1], 16, 8),
            ([0, 1, 4, 1, -8, 1, -2, 1], 16, 8),
            ([17, 1, 8, 1, 1, 2, 0, 1], 16, 8), ([16, 1, 9, 1, 0, 1, 1, 2], 16, 8),
            // Not at the upper left corner.
            ([8, 1, 4, 1, -3, 1, -2, 1], 16, 8), ([8, 1, 4, 1, -4, 1, 2, 1], 16, 8),
            ([8, 1, 4, 1, 4, 1, -2, 1], 16, 8),
            // Denominators of 0.
            ([8, 0, 4, 1, -4, 1, -2, 1], 16, 8), ([8, 1, 4, 1, 0, 0, -2, 1], 16, 8),
            ([8, 1, 4, 1, -4, 1, 0, 0], 16, 8),
        ] as [([Int], Int, Int)])
    func `an AVIF is cropped to whole pixels at its upper left corner`(numbers: [Int], width: Int, height: Int) {
        var item = HEIFFile.Item.av1
        item.properties.append(crop(numbers))
        #expect(size(HEIFFile([item]).bytes) == PixelSize(width: width, height: height))
        item.properties.append(HEIFFile.rotation(quarterTurns: 3))
        #expect(size(HEIFFile([item]).bytes) == PixelSize(width: height, height: width))
    }

    private func heic(_ properties: [[UInt8]]) -> [UInt8] {
        let start = [HEIFFile.configuration([HEIFFile.sequenceParameters(small)]), HEIFFile.extent(small)]
        let item = HEIFFile.Item("hvc1", HEIFFile.units([HEIFFile.slice()]), start + properties)
        return HEIFFile([item], brand: "heic").bytes
    }

    /// The sizes that libheif reports.
    @Test(
        arguments: [
            ([32, 1, 24, 1, 0, 1, 0, 1], 32, 24), ([64, 2, 72, 3, 0, 1, 0, 1], 32, 24),
            ([65, 2, 24, 1, 0, 1, 0, 1], 33, 24),
            ([32, 1, 24, 1, 40, 1, -30, 1], 8, 6), ([32, 1, 24, 1, 81, 2, 1, 3], 8, 24),
            ([10, 1, 9, 1, 7, 2, 0, 1], 11, 10),
            ([20, 2, 9, 1, 7, 2, 0, 1], 11, 10), ([100, 1, 100, 1, 0, 1, 0, 1], 64, 48),
            // Outside of the image.
            ([32, 1, 24, 1, 200, 1, -200, 1], 1, 1),
            // The length is not signed.
            ([-1, 1, 24, 1, 0, 1, 0, 1], 64, 24),
            // Denominators of 0.
            ([32, 0, 24, 1, 0, 1, 0, 1], 64, 24), ([32, 1, 24, 1, 0, 1, 0, 0], 32, 48),
        ] as [([Int], Int, Int)])
    func `a HEIC is cropped to the nearest pixels`(numbers: [Int], width: Int, height: Int) {
        #expect(size(heic([crop(numbers)])) == PixelSize(width: width, height: height))
    }

    @Test func `the crops and rotations of a HEIC are applied in their order`() {
        let wide = crop([60, 1, 24, 1, 0, 1, 0, 1])
        func turn(_ count: Int) -> [UInt8] { HEIFFile.rotation(quarterTurns: count) }
        #expect(size(heic([wide, turn(1)])) == PixelSize(width: 24, height: 60))
        #expect(size(heic([turn(1), wide])) == PixelSize(width: 48, height: 24))
        #expect(size(heic([turn(3), wide])) == PixelSize(width: 48, height: 24))
        #expect(size(heic([turn(2), wide])) == PixelSize(width: 60, height: 24))
        #expect(size(heic([turn(1), turn(1), wide])) == PixelSize(width: 60, height: 24))
    }

    @Test func `the brightest light of an image is read, and 0 means that it is not known`() throws {
        for (light, expected) in [(400, 400), (1, 1), (0, nil)] as [(Int, Int?)] {
            var item = HEIFFile.Item.av1
            item.properties.append(HEIFFile.maxLight(light))
            let image = try #require(HEIFHeader.image(of: HEIFFile([item]).bytes, .avif))
            #expect(image.maxLight == expected)
            #expect(image.codedSize == PixelSize(width: 16, height: 8))
            #expect(image.orientation == .up)
        }
    }

    // MARK: Brands

    private func format(
        _ major: String, _ minor: String = "\0\0\0\0", _ others: [String] = [], length: Int? = nil
    )
        -> ImageFormat?
    {
        let content = Array((major + minor + others.joined()).utf8)
        let type = (length ?? content.count + 8).bigEndianBytes() + Array("ftyp".utf8) + content
        return ImageFormat.sniff(type + [UInt8](repeating: 0, count: 64))
    }

    @Test func `the format of a HEIF file follows from its brands`() {
        for brand in ["avif", "avis"] { #expect(format(brand) == .avif) }
        for brand in ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"] {
            #expect(format(brand) == .heic)
            #expect(format("isom", "\0\0\0\0", ["isom", brand]) == .heic)
        }
        #expect(format("heic", "\0\0\0\0", ["avif"]) == .avif)
        #expect(format("isom") == nil)
        #expect(format("isom", "avif", ["isom"]) == nil, "the version is no brand")
        #expect(format("isom", "\0\0\0\0", ["aavif", "fff"]) == nil, "brands have four letters")
        for brand in ["mif1", "msf1"] { #expect(format(brand) == .heic, "without a primary item") }
    }

    @Test func `brands are read up to the end of their box and up to 256 bytes`() {
        #expect(format("avif", length: 15) == nil)
        #expect(format("avif", length: 16) == .avif)
        #expect(format("isom", "\0\0\0\0", ["isom", "avif"], length: 24) == .avif)
        #expect(format("isom", "\0\0\0\0", ["isom", "avif"], length: 20) == nil)
        let others = [String](repeating: "isom", count: 59)
        #expect(format("isom", "\0\0\0\0", others + ["avif"]) == .avif)
        #expect(format("isom", "\0\0\0\0", others + ["isom", "avif"]) == nil)
    }

    @Test func `a file that has tracks and no meta box has only tracks`() {
        let (movie, meta) = (box("moov", [1, 2]), box("meta", [0, 0, 0, 0]))
        #expect(HEIFHeader.hasOnlyTracks(movie))
        #expect(!HEIFHeader.hasOnlyTracks(movie + meta))
        #expect(!HEIFHeader.hasOnlyTracks(meta))
        #expect(!HEIFHeader.hasOnlyTracks([]))
    }

    @Test func `a sequence is a file with its major brand, or with a compatible one and no brand of still images`() {
        func isSequence(_ major: String, _ others: [String], length: Int? = nil) -> Bool {
            let content = Array((major + "\0\0\0\0" + others.joined()).utf8)
            let type = (length ?? content.count + 8).bigEndianBytes() + Array("ftyp".utf8) + content
            return type.withReader { AVIFTrack.isSequence($0) }
        }
        #expect(isSequence("avis", []))
        #expect(!isSequence("avif", ["avis"]))
        #expect(isSequence("mif1", ["msf1", "avis"]))
        #expect(!isSequence("mif1", ["msf1", "avis"], length: 20))
        #expect(!isSequence("mif1", ["avif"]))
    }

    // MARK: Versions of boxes

    /// A grid of two tiles. Each box may have the version with the longer fields.
    private struct Grid {
        /// The names of the boxes with longer fields; `links` stands for the properties in `ipma`.
        var wide: Set<String> = []
        var firstIdentifier = 1
        var canvas = PixelSize(width: 128, height: 48)
        var tiles = [PixelSize](repeating: PixelSize(width: 64, height: 48), count: 2)
        var tileTypes = ["av01", "av01"]
        /// Whether the data of the grid is in the `meta` box.
        var hasOwnData = false

        static let all: Set<String> = ["pitm", "iloc", "iinf", "infe", "iref", "ipma", "links"]

        private func identifier(_ index: Int, _ box: String) -> [UInt8] {
            (firstIdentifier + index).bigEndianBytes(wide.contains(box) ? 4 : 2)
        }

        private func full(_ name: String, version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
            HEIFFile.box(name, [version, 0, 0, flags] + content)
        }

        var bytes: [UInt8] {
            let type = HEIFFile.box("ftyp", Array("avif\0\0\0\0avifmif1".utf8))
            return type + meta(dataStart: type.count + meta(dataStart: 0).count + 8)
                + HEIFFile.box("mdat", (hasOwnData ? [] : grid) + data.flatMap { $0 })
        }

        private var grid: [UInt8] { AVIFFile.grid(canvas) }
        private var data: [[UInt8]] { tiles.map { AVIFFile.sequence($0) + AVIFFile.frame() } }

        private func meta(dataStart: Int) -> [UInt8] {
            var content = full("pitm", version: wide.contains("pitm") ? 1 : 0, identifier(0, "pitm"))
            content += locations(dataStart)
            let entries = (["grid"] + tileTypes).enumerated().flatMap { index, type in
                full(
                    "infe", version: wide.contains("infe") ? 3 : 2,
                    identifier(index, "infe") + [0, 0] + Array(type.utf8) + [0])
            }
            content += full(
                "iinf", version: wide.contains("iinf") ? 1 : 0,
                3.bigEndianBytes(wide.contains("iinf") ? 4 : 2) + entries)
            let sources = identifier(1, "iref") + identifier(2, "iref")
            content += full(
                "iref", version: wide.contains("iref") ? 1 : 0,
                HEIFFile.box("dimg", identifier(0, "iref") + [0, 2] + sources))
            if hasOwnData { content += HEIFFile.box("idat", grid) }
            // The last extent belongs to no item and is larger than the others.
            let properties =
                HEIFFile.box("av1C", [0x81, 0, 0, 0]) + HEIFFile.extent(PixelSize(width: 128, height: 48))
                + HEIFFile.extent(PixelSize(width: 64, height: 48)) + HEIFFile.extent(PixelSize(width: 256, height: 96))
            content += HEIFFile.box("iprp", HEIFFile.box("ipco", properties) + links)
            return full("meta", version: 0, content)
        }

        private var links: [UInt8] {
            let isWide = wide.contains("links")
            let items = [[2], [0x81, 3], [0x81, 3]].enumerated().flatMap { index, properties -> [UInt8] in
                let places = properties.flatMap { property -> [UInt8] in
                    isWide ? [UInt8(property & 0x80), UInt8(property & 0x7F)] : [UInt8(property)]
                }
                return identifier(index, "ipma") + [UInt8(properties.count)] + places
            }
            return full(
                "ipma", version: wide.contains("ipma") ? 1 : 0, flags: isWide ? 1 : 0, 3.bigEndianBytes() + items)
        }

        /// The long form has a number for each extent, a base offset, and offsets relative to it.
        private func locations(_ dataStart: Int) -> [UInt8] {
            let isWide = wide.contains("iloc")
            let hasMethod = isWide || hasOwnData
            var content: [UInt8] = isWide ? [0x44, 0x84] : [0x44, 0]
            content += 3.bigEndianBytes(isWide ? 4 : 2)
            var offset = 0
            for (index, data) in ([grid] + data).enumerated() {
                let isOwn = hasOwnData && index == 0
                content += identifier(index, "iloc")
                if hasMethod { content += [0, isOwn ? 1 : 0] }
                content += [0, 0]
                let base = isOwn ? 0 : dataStart
                if isWide { content += base.bigEndianBytes(8) }
                content += [0, 1]
                if isWide { content += [0, 0, 0, 1] }
                let start = isOwn ? 0 : offset
                content += (isWide ? start : base + start).bigEndianBytes() + data.count.bigEndianBytes()
                if !isOwn { offset += data.count }
            }
            return full("iloc", version: isWide ? 2 : hasMethod ? 1 : 0, content)
        }
    }

    private static let versions: [(Set<String>, Int)] =
        [([], 1), (Grid.all, 1), (Grid.all, 70_000)] + Grid.all.sorted().map { ([$0], 300) }

    @Test(arguments: versions, [false, true])
    func `each version of the boxes describes the same image`(version: (Set<String>, Int), hasOwnData: Bool) {
        let grid = Grid(wide: version.0, firstIdentifier: version.1, hasOwnData: hasOwnData)
        #expect(size(grid.bytes) == PixelSize(width: 128, height: 48))
        // The data of each item is found.
        for index in 0..<2 {
            var other = grid
            other.tiles[index] = large
            #expect(code(other.bytes) == .corrupt)
            other.tiles[index] = PixelSize(width: 256, height: 97)
            #expect(size(other.bytes) == PixelSize(width: 128, height: 48), "in whole superblocks")
            other.tiles[index] = PixelSize(width: 257, height: 96)
            #expect(code(other.bytes) == .corrupt)
        }
        var other = grid
        other.canvas = large
        #expect(code(other.bytes) == .corrupt)
        // Its type, too; that of the first tile decides how the image is coded.
        other = grid
        other.tileTypes[0] = "jpeg"
        #expect(code(other.bytes) == .unsupportedFormat)
        other.tileTypes = ["av01", "jpeg"]
        #expect(code(other.bytes) == .corrupt)
    }

    @Test(arguments: versions, [false, true])
    func `the data of every item must be in the file`(version: (Set<String>, Int), hasOwnData: Bool) {
        let bytes = Grid(wide: version.0, firstIdentifier: version.1, hasOwnData: hasOwnData).bytes
        func isComplete(_ bytes: [UInt8]) -> Bool {
            errorCode { () throws(ImageError) in try ImageFormat.avif.checkEnd(of: bytes) } == nil
        }
        #expect(isComplete(bytes))
        #expect(isComplete(bytes + [1]))
        #expect(!isComplete(Array(bytes.dropLast())))
    }

    @Test(arguments: [true, false])
    func `the canvas of a grid has sides of 16 or 32 bits`(isLarge: Bool) {
        func code(_ size: PixelSize) -> ImageError.Code? {
            var grid = HEIFFile.Item.grid(columns: 1, rows: 1, size)
            if isLarge { grid.data = AVIFFile.grid(size) }
            grid.properties[0] = HEIFFile.extent(small)
            return self.code(HEIFFile([grid, HEIFFile.Item("av01", still(small), [HEIFFile.extent(small)])]).bytes)
        }
        #expect(code(PixelSize(width: 64, height: 64)) == nil)
        #expect(code(PixelSize(width: 65, height: 48)) == .corrupt)
        #expect(code(PixelSize(width: 64, height: 65)) == .corrupt)
    }

    // MARK: Numbers of items

    @Test func `a file has at most 1,023 items and extents`() {
        func file(itemCount: Int) -> [UInt8] {
            var note = AVIFFile.Item([1], extent: nil)
            note.type = "Exif"
            let notes = [AVIFFile.Item](repeating: note, count: itemCount - 1)
            return AVIFFile([.init(still(small), extent: small)] + notes).bytes
        }
        #expect(size(file(itemCount: 1023)) == small)
        #expect(code(file(itemCount: 1024)) == .corrupt)
        func file(extentCount: Int) -> [UInt8] {
            var item = AVIFFile.Item(still(small) + [UInt8](repeating: 0, count: 2000), extent: small)
            item.extentCount = extentCount
            return AVIFFile([item]).bytes
        }
        #expect(size(file(extentCount: 1023)) == small)
        #expect(code(file(extentCount: 1024)) == .corrupt)
    }

    @Test func `a file has at most 8,192 references`() {
        func file(_ referenceCount: Int) -> [UInt8] {
            var alpha = HEIFFile.Item.alpha(of: 1)
            alpha.references["auxl"] = [1] + (100..<(99 + referenceCount))
            return HEIFFile([.av1, alpha]).bytes
        }
        #expect(size(file(8192)) == PixelSize(width: 16, height: 8))
        #expect(code(file(8193)) == .corrupt)
    }

    @Test func `items are derived over at most four levels`() {
        let size = PixelSize(width: 16, height: 8)
        func identity(of item: Int) -> HEIFFile.Item {
            var identity = HEIFFile.Item("iden", [], [HEIFFile.extent(size)])
            identity.references["dimg"] = [item]
            return identity
        }
        var grid = HEIFFile.Item.grid(columns: 1, rows: 1, size)
        grid.references["dimg"] = [4]
        let items = [identity(of: 2), identity(of: 3), grid, .av1]
        #expect(self.size(HEIFFile(items).bytes) == size)
        #expect(code(HEIFFile(items + [.alpha(of: 4)]).bytes) == .corrupt)
    }

    // MARK: Files for other libraries

    @Test func `brands of sequences and further items are replaced, and nothing else`() {
        func file(_ brands: [String], _ boxes: [String]) -> [UInt8] {
            let type = [brands[0], "\0\0\0\0"] + brands.dropFirst()
            return box("ftyp", Array(type.joined().utf8)) + boxes.flatMap { box($0, Array("avis".utf8)) }
        }
        let old = file(["msf1", "avis", "avif", "isom", "mp41", "mp42"], ["meta", "moov", "meta", "moov", "mdat"])
        let new = file(["mif1", "avif", "avif", "mif1", "mif1", "mif1"], ["meta", "free", "free", "free", "mdat"])
        #expect(HEIFHeader.withoutTracks(old) == new)
        #expect(HEIFHeader.withoutTracks(new) == nil)
        #expect(HEIFHeader.withoutTracks(Array(old.prefix(14))) == Array(new.prefix(14)))
        #expect(HEIFHeader.withoutTracks([]) == nil)
    }
}

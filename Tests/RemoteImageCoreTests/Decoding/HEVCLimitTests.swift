import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore
@testable import RemoteImageDecoding

/// The size that a container claims against the coded sizes of its HEVC frames.
@Suite struct HEVCLimitTests {
    private let small = PixelSize(width: 64, height: 48)
    private let large = PixelSize(width: 16_000, height: 16_000)

    private func item(
        _ configuration: [[UInt8]], _ units: [[UInt8]] = [HEIFFile.slice()], extent: PixelSize? = nil
    ) -> HEIFFile.Item {
        HEIFFile.Item(
            "hvc1", HEIFFile.units(units), [HEIFFile.configuration(configuration), HEIFFile.extent(extent ?? small)])
    }

    private func header(_ items: HEIFFile.Item..., brand: String = "heic") throws(ImageError) -> ImageHeader {
        try ImageHeader.read(HEIFFile(items, brand: brand).bytes)
    }

    private func isRefused(_ item: HEIFFile.Item) -> Bool {
        errorCode { () throws(ImageError) in try header(item) } == .corrupt
    }

    @Test(arguments: ["heic", "heix", "hevc", "mif1"])
    func `the brands of HEIC are distinguished from those of AVIF`(brand: String) throws {
        let file = item([HEIFFile.sequenceParameters(small)])
        let found = try header(file, brand: brand)
        #expect(found.format == .heic)
        #expect(found.storedSize == small)
        #expect(try ImageHeader.read(SampleImage.avif).format == .avif)
        #expect(ImageFormat.sniff(Array("\0\0\0\u{10}ftypisom\0\0\0\0".utf8)) == nil)
    }

    @Test func `the parameter set of a real file is read`() throws {
        let configuration = HEIFFile.Item.hevc.properties[0]
        let frames = configuration.withUnsafeBytes { HEVCFrames(configuration: ByteReader($0), in: 8..<$0.count) }
        #expect(frames?.sizes == [PixelSize(width: 64, height: 64)])
        let data = HEIFFile.Item.hevc.data.withUnsafeBytes { HEVCFrames(ByteReader($0)) }
        #expect(data?.frameCount == 1)
    }

    @Test(arguments: 0...6)
    func `a file with a frame larger than the claimed size is corrupt`(layerCount: Int) {
        #expect(!isRefused(item([HEIFFile.sequenceParameters(small, layerCount: layerCount)])))
        for size in [large, PixelSize(width: 65, height: 48), PixelSize(width: 64, height: 65)] {
            #expect(isRefused(item([HEIFFile.sequenceParameters(size, layerCount: layerCount)])))
        }
        let aligned = PixelSize(width: 64, height: 64)
        #expect(!isRefused(item([HEIFFile.sequenceParameters(aligned, layerCount: layerCount)])))
    }

    @Test func `every parameter set is checked, including those in the item data`() {
        let (honest, hidden) = (HEIFFile.sequenceParameters(small), HEIFFile.sequenceParameters(large))
        #expect(isRefused(item([honest, hidden])))
        #expect(isRefused(item([honest], [HEIFFile.slice(), hidden])))
        #expect(isRefused(item([], [hidden, HEIFFile.slice()])))
        let upperLayer = HEIFFile.sequenceParameters(large, layer: 1)
        #expect(!isRefused(item([honest], [upperLayer, HEIFFile.slice()])), "decoders leave upper layers out")
    }

    @Test func `hidden frames count towards the limit, and slices of one frame do not`() {
        let parameters = HEIFFile.sequenceParameters(small)
        func frames(_ count: Int) -> [[UInt8]] { [[UInt8]](repeating: HEIFFile.slice(), count: count) }
        // A file of 353 KB with 32 frames took 10 seconds.
        #expect(isRefused(item([parameters], frames(2))), "an image item has one frame")
        let slices = [[UInt8]](repeating: HEIFFile.slice(isFirst: false), count: 500)
        #expect(!isRefused(item([parameters], frames(1) + slices)))
        #expect(isRefused(item([parameters], frames(1) + [[UInt8]](repeating: [0, 1], count: 5000))))
        // 8 frames of 64 × 64 pixels are 10 of 64 × 48.
        func file(frameCount: Int) -> [UInt8] {
            var grid = HEIFFile.Item.grid(columns: 1, rows: 1, small)
            grid.references["dimg"] = [Int](repeating: 2, count: frameCount)
            return HEIFFile([grid, item([parameters])], brand: "heic").bytes
        }
        #expect(code(file(frameCount: 10)) == nil)
        #expect(code(file(frameCount: 11)) == .corrupt)
    }

    /// A file of 50 million pixels with one tile that was named 32 times took a minute.
    @Test func `a large grid may name a tile of its size three times`() {
        let size = PixelSize(width: 4096, height: 4096)
        func file(_ count: Int) -> [UInt8] {
            var grid = HEIFFile.Item.grid(columns: 1, rows: 1, size)
            grid.references["dimg"] = [Int](repeating: 2, count: count)
            return HEIFFile([grid, item([HEIFFile.sequenceParameters(size)], extent: size)], brand: "heic").bytes
        }
        #expect(code(file(3)) == nil)
        #expect(code(file(4)) == .corrupt)
    }

    @Test func `damaged parameter sets and lengths other than four bytes are corrupt`() {
        let parameters = HEIFFile.sequenceParameters(small)
        #expect(isRefused(item([Array(parameters.prefix(12))])))
        var other = item([])
        other.properties[0] = HEIFFile.configuration([parameters], lengthByteCount: 2)
        #expect(isRefused(other))
        other.properties[0] = Array(HEIFFile.configuration([parameters]).dropLast(20))
        #expect(isRefused(other))
    }

    @Test(arguments: ["jpeg", "iovl", "unci", "vvc1"])
    func `another codec makes an image unsupported, its alpha plane corrupt, and no difference elsewhere`(
        type: String
    ) throws {
        var other = item([HEIFFile.sequenceParameters(small)])
        other.type = type
        for brand in ["heic", "mif1", "avif"] {
            #expect(errorCode { () throws(ImageError) in try header(other, brand: brand) } == .unsupportedFormat)
            let grid = HEIFFile.Item.grid(columns: 1, rows: 1, small)
            #expect(errorCode { () throws(ImageError) in try header(grid, other, brand: brand) } == .unsupportedFormat)
        }
        let known = item([HEIFFile.sequenceParameters(small)])
        #expect(try header(known, other).storedSize == small)
        other.references["thmb"] = [1]
        #expect(try header(known, other).storedSize == small)
        other.references = ["auxl": [1]]
        #expect(errorCode { () throws(ImageError) in try header(known, other) } == .corrupt)
    }

    @Test func `a file with a generic HEIF brand has the format of its image's codec`() throws {
        let grid = HEIFFile.Item.grid(columns: 1, rows: 1, PixelSize(width: 16, height: 8))
        for brand in ["mif1", "msf1"] {
            #expect(try header(.av1, brand: brand).format == .avif)
            #expect(try header(grid, .av1, brand: brand).format == .avif)
            #expect(try header(item([HEIFFile.sequenceParameters(small)]), brand: brand).format == .heic)
        }
        #expect(try header(.av1, brand: "heic").format == .heic)
    }

    private static let gainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"

    /// 36 tiles of 64 × 64 pixels and an auxiliary image of their total size in one frame.
    private func tiles(auxiliary name: String, _ change: (inout [HEIFFile.Item]) -> Void = { _ in }) -> [UInt8] {
        let (side, canvas) = (PixelSize(width: 64, height: 64), PixelSize(width: 384, height: 384))
        let tile = item([HEIFFile.sequenceParameters(side)], extent: side)
        var map = item([HEIFFile.sequenceParameters(canvas)], extent: canvas)
        map.properties.append(HEIFFile.auxiliary(name))
        map.references["auxl"] = [1]
        var items = [HEIFFile.Item.grid(columns: 6, rows: 6, canvas)] + Array(repeating: tile, count: 36) + [map]
        change(&items)
        return HEIFFile(items, brand: "heic").bytes
    }

    private func code(_ bytes: [UInt8]) -> ImageError.Code? {
        errorCode { () throws(ImageError) in try ImageHeader.read(bytes) }
    }

    @Test(arguments: [gainMap, "urn:mpeg:hevc:2015:auxid:2"])
    func `an auxiliary map that is never decoded does not count towards the limit`(name: String) throws {
        #expect(code(tiles(auxiliary: name)) == nil)
        // Its coded size does not count either.
        let hidden = HEIFFile.configuration([HEIFFile.sequenceParameters(large)])
        #expect(code(tiles(auxiliary: name) { $0[37].properties[0] = hidden }) == nil)
    }

    @Test func `an auxiliary image that may be decoded counts towards the limit`() {
        for name in ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "", "urn:other"] {
            #expect(code(tiles(auxiliary: name)) == .corrupt)
        }
        #expect(code(tiles(auxiliary: Self.gainMap) { $0[37].references["auxl"] = nil }) == .corrupt)
        #expect(code(tiles(auxiliary: Self.gainMap) { $0[0].references["dimg"] = [38] + (2...36) }) == .corrupt)
        // The items are swapped, so that the map is the primary image.
        let primary = tiles(auxiliary: Self.gainMap) { items in
            items.swapAt(0, 37)
            items[0].references["auxl"] = [38]
            items[37].references["dimg"] = (2...37).map { $0 }
        }
        #expect(code(primary) == nil, "its own frame is all that is decoded")
        let both = tiles(auxiliary: Self.gainMap) {
            $0[37].properties.append(HEIFFile.auxiliary("urn:mpeg:hevc:2015:auxid:1"))
        }
        #expect(code(both) == .corrupt)
    }

    @Test func `HEVC in an AVIF is refused`() {
        let file = item([HEIFFile.sequenceParameters(small)])
        #expect(errorCode { () throws(ImageError) in try header(file, brand: "avif") } == .corrupt)
    }

    @Test func `a truncated file has the same header or none`() throws {
        let bytes = HEIFFile([item([HEIFFile.sequenceParameters(small)])], brand: "heic").bytes
        for count in 0..<bytes.count {
            guard let header = try? ImageHeader.read(Array(bytes[..<count])) else { continue }
            #expect(header.storedSize == small)
        }
    }

    // MARK: References

    private func refuses(_ items: [HEIFFile.Item]) -> Bool {
        errorCode { () throws(ImageError) in try ImageHeader.read(HEIFFile(items).bytes) } == .corrupt
    }

    /// Found by fuzzing: libheif 1.15 decoded such a grid until its stack overflowed.
    @Test func `items with cyclic references are corrupt`() {
        let size = PixelSize(width: 16, height: 8)
        var grid = HEIFFile.Item.grid(columns: 1, rows: 1, size)
        #expect(!refuses([grid, .av1]))
        grid.references["dimg"] = [1]
        #expect(refuses([grid, .av1]))
        // Through an identity item.
        var identity = HEIFFile.Item("iden", [], [])
        (grid.references["dimg"], identity.references["dimg"]) = ([2], [1])
        #expect(refuses([grid, identity, .av1]))
        // Alpha of itself, and a grid that is the alpha of its tile.
        #expect(refuses([.av1, .alpha(of: 2)]))
        grid.references = ["dimg": [2], "auxl": [2]]
        #expect(refuses([grid, .av1]))
        // An identity of a grid of a tile with alpha.
        (grid.references, identity.references) = (["dimg": [3]], ["dimg": [2]])
        #expect(!refuses([identity, grid, .av1, .alpha(of: 3)]))
    }

    @Test func `a tile counts as often as it is decoded`() {
        func items(_ count: Int) -> [HEIFFile.Item] {
            var grid = HEIFFile.Item.grid(columns: 1, rows: 1, PixelSize(width: 16, height: 8))
            grid.references["dimg"] = [Int](repeating: 2, count: count)
            return [grid, .av1]
        }
        // 8 frames of 64 × 64 pixels are 256 of 16 × 8.
        #expect(!refuses(items(256)))
        #expect(refuses(items(257)))
        // Grids of grids: 40 × 40 × 40 tiles.
        var levels = (0..<3).map { level in
            var grid = HEIFFile.Item.grid(columns: 1, rows: 1, PixelSize(width: 16, height: 8))
            grid.references["dimg"] = [Int](repeating: level + 2, count: 40)
            return grid
        }
        levels.append(.av1)
        #expect(refuses(levels))
    }
}

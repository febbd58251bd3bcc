import RemoteImageCore

/// HEIF files (ISO/IEC 23008-12) assembled from items, which may contain real encoded frames.
public struct HEIFFile: Sendable {
    public struct Item: Sendable {
        public var type: String
        public var data: [UInt8]
        /// Property boxes, in the order in which they are applied. Items do not share properties.
        public var properties: [[UInt8]]
        /// The IDs of the referenced items, for each type of reference. Item IDs start at 1.
        public var references: [String: [Int]] = [:]

        public init(_ type: String, _ data: [UInt8], _ properties: [[UInt8]]) {
            (self.type, self.data, self.properties) = (type, data, properties)
        }
    }

    /// The first item is the primary item.
    public var items: [Item]
    public var brand: String

    public init(_ items: [Item], brand: String = "avif") {
        (self.items, self.brand) = (items, brand)
    }

    public var bytes: [UInt8] {
        let type = Self.box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array(brand.utf8) + Array("mif1".utf8))
        let start = type.count + meta(dataStart: 0).count + 8
        return type + meta(dataStart: start) + Self.box("mdat", items.flatMap(\.data))
    }

    private func meta(dataStart: Int) -> [UInt8] {
        var (offset, propertyCount) = (dataStart, 0)
        var (locations, entries, links, references) = ([UInt8](), [UInt8](), [UInt8](), [UInt8]())
        for (index, item) in items.enumerated() {
            let identifier = Self.number(index + 1, 2)
            locations += identifier + [0, 0, 0, 1] + Self.number(offset, 4) + Self.number(item.data.count, 4)
            offset += item.data.count
            entries += Self.box("infe", [2, 0, 0, 0] + identifier + [0, 0] + Array(item.type.utf8) + [0])
            links += identifier + [UInt8(item.properties.count)]
            for property in item.properties {
                propertyCount += 1
                let isEssential = Self.essential.contains { property[4..<8].elementsEqual($0.utf8) }
                links.append(UInt8(propertyCount) | (isEssential ? 0x80 : 0))
            }
            for (kind, targets) in item.references.sorted(by: { $0.key < $1.key }) {
                references += Self.box(
                    kind, identifier + Self.number(targets.count, 2) + targets.flatMap { Self.number($0, 2) })
            }
        }
        let count = Self.number(items.count, 2)
        var content = Self.box(
            "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
        content += Self.box("pitm", [0, 0, 0, 0, 0, 1])
        content += Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + count + locations)
        content += Self.box("iinf", [0, 0, 0, 0] + count + entries)
        if !references.isEmpty { content += Self.box("iref", [0, 0, 0, 0] + references) }
        let properties = Self.box("ipco", items.flatMap { $0.properties.flatMap { $0 } })
        content += Self.box("iprp", properties + Self.box("ipma", [0, 0, 0, 0] + Self.number(items.count, 4) + links))
        return Self.box("meta", [0, 0, 0, 0] + content)
    }

    // MARK: Properties

    private static let essential = ["av1C", "hvcC", "irot", "imir", "clap"]

    public static func extent(_ size: PixelSize) -> [UInt8] {
        box("ispe", number(0, 4) + number(size.width, 4) + number(size.height, 4))
    }

    /// Rotates counterclockwise.
    public static func rotation(quarterTurns: Int) -> [UInt8] { box("irot", [UInt8(quarterTurns)]) }

    /// Exchanges top and bottom for axis 0, left and right for axis 1.
    public static func mirror(axis: Int) -> [UInt8] { box("imir", [UInt8(axis)]) }

    /// Crops the image to an area of this size at its center.
    public static func crop(_ size: PixelSize) -> [UInt8] {
        box("clap", [size.width, 1, size.height, 1, 0, 1, 0, 1].flatMap { number($0, 4) })
    }

    /// Crops the image to an area of this size at the upper left corner of an image of another
    /// size.
    public static func cornerCrop(_ size: PixelSize, of whole: PixelSize) -> [UInt8] {
        let offsets = [size.width - whole.width, 2, size.height - whole.height, 2]
        return box("clap", ([size.width, 1, size.height, 1] + offsets).flatMap { number($0, 4) })
    }

    /// Code points of ITU-T H.273.
    public static func colors(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool = true) -> [UInt8] {
        let numbers = [primaries, transfer, matrix].flatMap { number($0, 2) }
        return box("colr", Array("nclx".utf8) + numbers + [isFullRange ? 0x80 : 0])
    }

    /// The light of the brightest pixel in cd/m².
    public static func maxLight(_ light: Int) -> [UInt8] { box("clli", number(light, 2) + [0, 0]) }

    public static func profile(_ profile: [UInt8]) -> [UInt8] { box("colr", Array("prof".utf8) + profile) }

    static func depth(_ bits: UInt8, channelCount: Int = 3) -> [UInt8] {
        box("pixi", [0, 0, 0, 0, UInt8(channelCount)] + [UInt8](repeating: bits, count: channelCount))
    }

    public static func auxiliary(_ name: String) -> [UInt8] { box("auxC", [0, 0, 0, 0] + Array(name.utf8) + [0]) }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + name.utf8 + content
    }
}

extension HEIFFile.Item {
    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Lossless AV1, 16 × 8 pixels: the upper left quarter dark red (64, 0, 0), the upper right
    /// green, the lower left blue, the lower right white.
    public static var av1: Self {
        let data = bytes(
            """
            12000a08380cbfb080868010322c100000b6fc328a3bf275e28f0a76e0bc662fb5869ce2479809e48270894b4f91f19184b857155070b1\
            4cd560
            """)
        return Self(
            "av01", data,
            [
                HEIFFile.box("av1C", [0x81, 0x20, 0, 0]), HEIFFile.extent(PixelSize(width: 16, height: 8)),
                HEIFFile.depth(8), HEIFFile.colors(primaries: 1, transfer: 13, matrix: 0),
            ])
    }

    /// `av1` with 64 × 64 pixels, the least of a tile.
    public static var tile: Self {
        var tile = av1
        tile.data = bytes(
            """
            12000a0938157fff9404340080322f10000092f1b93102a9e2d8d3f4fcef6b4459e08472ff900e0ef5a16d2b441213634399bb60b037b1\
            5ae7a809f29f80
            """)
        tile.properties[1] = HEIFFile.extent(PixelSize(width: 64, height: 64))
        return tile
    }

    /// An alpha item for `av1`: 128 in the upper left quarter, 255 elsewhere.
    public static func alpha(of item: Int) -> Self {
        var alpha = Self(
            "av01", bytes("12000a05180cbfb0a8320d1000de4edc7a58bf50a2a960a4"),
            [
                HEIFFile.box("av1C", [0x81, 0, 0x1C, 0]), HEIFFile.extent(PixelSize(width: 16, height: 8)),
                HEIFFile.depth(8, channelCount: 1), HEIFFile.auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"),
            ])
        alpha.references["auxl"] = [item]
        return alpha
    }

    /// `alpha(of:)` with samples of limited range, 16 to 235: a bit of the sequence header differs.
    public static func limitedAlpha(of item: Int) -> Self {
        var alpha = alpha(of: item)
        alpha.data[8] ^= 0x20
        return alpha
    }

    /// A gray image of the samples of `alpha(of:)`.
    public static func gray(isFullRange: Bool) -> Self {
        Self(
            "av01", isFullRange ? alpha(of: 1).data : limitedAlpha(of: 1).data,
            Array(alpha(of: 1).properties.prefix(3)) + [
                HEIFFile.colors(primaries: 1, transfer: 13, matrix: 6, isFullRange: isFullRange)
            ])
    }

    /// The same quarters as `av1`, but the first is full red, with 10 bits per channel.
    public static var deepAV1: Self {
        let data = bytes(
            """
            12000a08380cbfb180868348323a100000ded2dfc4fb40e887af02ca695c2f2f822005f2130f80f7b33f3244fee5b865430114eec9202a\
            366bab5fa190a790e8edbe311e829715d0
            """)
        return Self(
            "av01", data,
            [
                HEIFFile.box("av1C", [0x81, 0x20, 0x40, 0]), HEIFFile.extent(PixelSize(width: 16, height: 8)),
                HEIFFile.depth(10), HEIFFile.colors(primaries: 1, transfer: 13, matrix: 6),
            ])
    }

    /// HEVC, 64 × 64 pixels, with the same quarters as `deepAV1`.
    public static var hevc: Self {
        let configuration = bytes(
            """
            0103700000000000000000001ef000fcfdf8f800000f03200001001840010c01ffff03700000030090000003000003001eba0240210001\
            002b42010103700000030090000003000003001ea020810596ea4929ae6e04040c08000003000800000300084022000100074401c172b0\
            2240
            """)
        let data = bytes(
            """
            0000003f2801af06385afcfd37f99defffffcaf5de87fbd8386c257f972e5fffd37bbffff804bcb198fe390a11bfa6586ffff1f62b2d41\
            fcd227227e92f25d7eb81550
            """)
        return Self(
            "hvc1", data,
            [HEIFFile.box("hvcC", configuration), HEIFFile.extent(PixelSize(width: 64, height: 64)), HEIFFile.depth(8)])
    }

    /// A grid whose tiles are the items from ID 2 on, row by row.
    public static func grid(columns: Int, rows: Int, _ size: PixelSize) -> Self {
        var grid = Self(
            "grid",
            [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + HEIFFile.number(size.width, 2)
                + HEIFFile.number(size.height, 2),
            [HEIFFile.extent(size), HEIFFile.depth(8)])
        grid.references["dimg"] = (0..<(columns * rows)).map { $0 + 2 }
        return grid
    }
}

extension HEIFFile.Item {
    /// A copy with other color code points.
    public func withColors(primaries: Int, transfer: Int) -> Self {
        var item = self
        item.properties.removeAll { $0[4..<8].elementsEqual("colr".utf8) }
        item.properties.append(HEIFFile.colors(primaries: primaries, transfer: transfer, matrix: 0))
        return item
    }
}

// MARK: HEVC

extension HEIFFile {
    /// A sequence parameter set (ITU-T H.265, section 7.3.2.2.1) up to the size.
    ///
    /// - Parameters:
    ///   - layerCount: `sps_max_sub_layers_minus1`, the number of temporal sub-layers below the
    ///     highest.
    ///   - layer: `nuh_layer_id`.
    public static func sequenceParameters(_ size: PixelSize, layerCount: Int = 0, layer: UInt8 = 0) -> [UInt8] {
        var bits = HighBitWriter()
        bits.write(0, 4)
        bits.write(layerCount, 3)
        bits.write(1, 1)
        // A zero profile and level; the zeros require the emulation prevention bytes below.
        bits.write(0, 96)
        for _ in 0..<layerCount { bits.write(0b11, 2) }
        if layerCount > 0 { bits.write(0, (8 - layerCount) * 2) }
        for _ in 0..<layerCount { bits.write(0, 96) }
        for value in [0, 1, size.width, size.height] {
            let length = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
            bits.write(0, length - 1)
            bits.write(value + 1, length)
        }
        bits.write(0, 64)
        var (escaped, zeros): ([UInt8], Int) = ([33 << 1, layer << 3 | 1], 0)
        for byte in bits.bytes {
            if zeros >= 2, byte <= 3 {
                escaped.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            escaped.append(byte)
        }
        return escaped
    }

    /// The start of an IDR slice, which is the first of its frame or a later one.
    public static func slice(isFirst: Bool = true) -> [UInt8] { [19 << 1, 1, isFirst ? 0x80 : 0] }

    /// NAL units, each preceded by its length in four bytes.
    public static func units(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { number($0.count, 4) + $0 } }

    /// The `hvcC` property (ISO/IEC 14496-15, section 8.3.3.1) with these sequence parameter sets.
    public static func configuration(_ units: [[UInt8]], lengthByteCount: UInt8 = 4) -> [UInt8] {
        var content: [UInt8] = [1] + [UInt8](repeating: 0, count: 20)
        content += [0xFC | (lengthByteCount - 1), UInt8(units.count)]
        for unit in units {
            content += [33, 0, 1]
            content += number(unit.count, 2)
            content += unit
        }
        return box("hvcC", content)
    }
}

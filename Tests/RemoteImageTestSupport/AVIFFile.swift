import RemoteImageCore

/// AVIF files (ISO/IEC 23008-12) assembled from hand-written items, for tests that read headers
/// without decoding.
public struct AVIFFile: Sendable {
    public struct Item: Sendable {
        public var type = "av01"
        public var data: [UInt8]
        /// The size in the item's `ispe` property; `nil` omits the property.
        public var extent: PixelSize?
        /// The number of `iloc` extents that the data is split into.
        public var extentCount = 1
        /// Whether each `iloc` extent has the length 0: it continues to the end of the file.
        public var hasOpenExtents = false
        /// Whether the item refers to the data of the previous item, which the file contains once.
        public var sharesData = false

        public init(_ data: [UInt8], extent: PixelSize?) {
            (self.data, self.extent) = (data, extent)
        }
    }

    public var items: [Item]
    /// The OBUs in `av1C`, after its first four bytes.
    public var configurationUnits: [UInt8] = []

    public init(_ items: [Item]) {
        self.items = items
    }

    public var bytes: [UInt8] {
        let brands: [UInt8] = Array("avif\0\0\0\0avifmif1".utf8)
        let type = Self.box("ftyp", brands)
        // The length of `meta` does not depend on the offset of the data.
        let start = type.count + meta(dataStart: 0).count + 8
        return type + meta(dataStart: start) + Self.box("mdat", items.filter { !$0.sharesData }.flatMap(\.data))
    }

    private func meta(dataStart: Int) -> [UInt8] {
        var offset = dataStart
        var (locations, entries) = ([UInt8](), [UInt8]())
        for (index, item) in items.enumerated() {
            if item.sharesData { offset -= item.data.count }
            locations += Self.number(index + 1, 2)
            locations += Self.number(0, 2)
            locations += Self.number(item.extentCount, 2)
            var rest = item.data.count
            for piece in 0..<item.extentCount {
                let count = piece == item.extentCount - 1 ? rest : item.data.count / item.extentCount
                locations += Self.number(offset, 4) + Self.number(item.hasOpenExtents ? 0 : count, 4)
                offset += count
                rest -= count
            }
            var entry: [UInt8] = [2, 0, 0, 0]
            entry += Self.number(index + 1, 2)
            entry += [0, 0]
            entry += item.type.utf8
            entries += Self.box("infe", entry + [0])
        }
        var properties = Self.box("av1C", [0x81, 0, 0, 0] + configurationUnits)
        for size in items.compactMap(\.extent) {
            properties += Self.box("ispe", Self.number(0, 4) + Self.number(size.width, 4) + Self.number(size.height, 4))
        }
        let count = Self.number(items.count, 2)
        var content: [UInt8] = [0, 0, 0, 0]
        content += Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + count + locations)
        content += Self.box("iinf", [0, 0, 0, 0] + count + entries)
        content += Self.box("iprp", Self.box("ipco", properties))
        return Self.box("meta", content)
    }

    // MARK: AV1

    /// A sequence header OBU (AV1 specification, section 5.5): the reduced header of still images,
    /// or the full header, with a number of spatial layers. `lengths` is the number of bits of the
    /// width and of the height.
    public static func sequence(
        _ size: PixelSize, isReduced: Bool = true, lengths: Int = 16, layerCount: Int = 1
    ) -> [UInt8] {
        var bits = HighBitWriter()
        bits.write(isReduced ? 0b00011 : 0b00000, 5)
        // Reduced: the level. Full: no timing info, no display delay, one operating point.
        if isReduced {
            bits.write(0, 5)
        } else {
            bits.write(0, 1 + 1 + 5)
            bits.write(1 << layerCount - 1, 4)
            bits.write(1, 8)
            bits.write(0, 5)
        }
        bits.write(lengths - 1, 4)
        bits.write(lengths - 1, 4)
        bits.write(size.width - 1, lengths)
        bits.write(size.height - 1, lengths)
        // No frame IDs, coding tools or screen content.
        bits.write(0, 64)
        return unit(1, bits.bytes)
    }

    /// A frame OBU with the header of a shown key frame. A size, with sides of 16 bits, overrides
    /// that of the sequence header.
    public static func frame(_ size: PixelSize? = nil) -> [UInt8] {
        var bits = HighBitWriter()
        // show_existing_frame 0, KEY_FRAME, show_frame 1, disable_cdf_update 0.
        bits.write(0b00010, 5)
        bits.write(size == nil ? 0 : 1, 1)
        if let size {
            bits.write(size.width - 1, 16)
            bits.write(size.height - 1, 16)
        }
        bits.write(0, 58)
        return unit(6, bits.bytes)
    }

    /// A frame OBU with the header of an inter frame that overrides the size: with that of its
    /// first reference, or with `size`.
    public static func interFrame(_ size: PixelSize?) -> [UInt8] {
        var bits = HighBitWriter()
        // show_existing_frame 0, INTER_FRAME, show_frame 1, error_resilient_mode 0,
        // disable_cdf_update 0, frame_size_override_flag 1.
        bits.write(0b0011001, 7)
        // primary_ref_frame, refresh_frame_flags, and seven references.
        bits.write(0, 3 + 8 + 7 * 3)
        if let size {
            bits.write(0, 7)
            bits.write(size.width - 1, 16)
            bits.write(size.height - 1, 16)
        } else {
            bits.write(1, 1)
        }
        bits.write(0, 24)
        return unit(6, bits.bytes)
    }

    /// The data of a grid item with one row of two tiles and a canvas of `size` (ISO/IEC 23008-12
    /// section 6.6.2.3.2).
    public static func grid(_ size: PixelSize) -> [UInt8] {
        [0, 1, 0, 1] + number(size.width, 4) + number(size.height, 4)
    }

    private static func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type << 3 | 0x02, UInt8(content.count)] + content
    }

    public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + name.utf8 + content
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

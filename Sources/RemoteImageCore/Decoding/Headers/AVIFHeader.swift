/// The size in an AVIF file: boxes of the ISO base media format (ISO/IEC 14496-12, and 23008-12 for images).
package enum AVIFHeader {
    /// Whether a file type box names AVIF, as its major brand or as one that it is compatible with.
    static func isOne(_ reader: ByteReader) -> Bool {
        guard let size = reader.bigEndian32(at: 0), size >= 16 else { return false }
        let end = min(reader.count, size, 256)
        for index in stride(from: 8, to: end - 3, by: 4) where index != 12 {
            if reader.has("avif", at: index) || reader.has("avis", at: index) { return true }
        }
        return false
    }

    /// The largest extent among the properties of the file's items: the image itself, since thumbnails and
    /// alpha planes are no larger. `nil` where an item is coded in a larger size than that.
    static func read(_ reader: ByteReader) -> ImageHeader? {
        let metas = ISOBox.boxes(reader, in: 0..<reader.count, named: "meta")
        guard metas.count == 1, let meta = metas.first?.dropFirst(4),
            // A full box: its version and flags come before its children.
            let properties = ISOBox.boxes(reader, in: meta, named: "iprp").first,
            let container = ISOBox.boxes(reader, in: properties, named: "ipco").first
        else { return nil }
        let sizes = ISOBox.boxes(reader, in: container, named: "ispe").compactMap { box -> PixelSize? in
            guard box.count >= 12, let width = reader.bigEndian32(at: box.lowerBound + 4),
                let height = reader.bigEndian32(at: box.lowerBound + 8)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
        guard let size = sizes.max(by: { $0.pixelCount < $1.pixelCount }),
            let items = AVIFItems(reader, meta), var coded = items.coded
        else { return nil }
        for configuration in ISOBox.boxes(reader, in: container, named: "av1C") {
            // libheif decodes these units in front of an item's data.
            let units = Array(reader[configuration.dropFirst(4)])
            guard let frames = units.withUnsafeBytes({ AV1Frames(ByteReader($0)) }) else { return nil }
            coded.add(frames)
        }
        let isCovered = coded.sizes.allSatisfy { coded in
            sizes.contains { coded.width <= aligned($0.width) && coded.height <= aligned($0.height) }
        }
        return isCovered && isWorth(coded, size) ? ImageHeader(format: .avif, storedSize: size) : nil
    }

    /// Whether decoding takes no more than an image of this size should: tiles, an alpha plane and a gain map add up to a few
    /// times its pixels, and layers to some more.
    private static func isWorth(_ coded: AVIFCoded, _ size: PixelSize) -> Bool {
        // Claimed sizes exceed what `Int` can add up.
        let pixelCount = Double(aligned(size.width)) * Double(aligned(size.height))
        let codedPixelCount = coded.sizes.reduce(0) { $0 + Double($1.pixelCount) }
        return codedPixelCount <= 8 * pixelCount && Double(coded.framePixelCount) <= 32 * pixelCount
    }

    /// A side in whole superblocks, which some encoders code in full.
    private static func aligned(_ side: Int) -> Int { (side + 63) / 64 * 64 }

    /// The file without its tracks, `nil` where it has none: decoders then decode the primary item, a still image, instead of
    /// an image sequence. Every byte stays in its place.
    package static func withoutTracks(_ bytes: [UInt8]) -> [UInt8]? {
        let tracks = bytes.withUnsafeBytes { buffer -> [Range<Int>] in
            let reader = ByteReader(buffer)
            return ISOBox.boxes(reader, in: 0..<reader.count, named: "moov", limit: .max)
        }
        let typeEnd = min(bytes.count, bytes.withUnsafeBytes { ByteReader($0).bigEndian32(at: 0) } ?? 0)
        var still = bytes
        for index in stride(from: 8, to: typeEnd - 3, by: 4) where still[index..<(index + 4)].elementsEqual("avis".utf8)
        {
            still.replaceSubrange(index..<(index + 4), with: "avif".utf8)
        }
        for track in tracks {
            // The name is in front of the contents, and of their length where that has 64 bits.
            let isLong = still[(track.lowerBound - 4)..<track.lowerBound] != ArraySlice("moov".utf8)
            let name = track.lowerBound - (isLong ? 12 : 4)
            still.replaceSubrange(name..<(name + 4), with: "free".utf8)
        }
        return still == bytes ? nil : still
    }
}

/// The boxes of one level of a file.
enum ISOBox {
    /// No real file has so many boxes on one level before its image.
    static let limit = 1024

    /// The contents of the boxes of a name that are in `range`, as far as they are there.
    static func boxes(
        _ reader: ByteReader, in range: Range<Int>, named name: StaticString, limit: Int = limit
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = range.lowerBound
        var count = 0
        while count < limit {
            count += 1
            guard index + 8 <= range.upperBound, let size = reader.bigEndian32(at: index) else { break }
            var (length, header) = (size, 8)
            if size == 1 {
                // A 64-bit length. One whose upper half is used is longer than what we have.
                guard let high = reader.bigEndian32(at: index + 8), let low = reader.bigEndian32(at: index + 12) else {
                    break
                }
                (length, header) = (high == 0 ? low : range.upperBound - index, 16)
            } else if size == 0 {
                length = range.upperBound - index
            }
            guard length >= header else { break }
            let end = min(range.upperBound, index + length)
            if reader.has(name, at: index + 4), index + header <= end { found.append((index + header)..<end) }
            index += length
        }
        return found
    }
}

/// What the items of a file are coded in.
private struct AVIFCoded {
    /// Those of all coded images, tiles among them, and of the grids that tiles are put on.
    var sizes: [PixelSize] = []
    private(set) var framePixelCount = 0

    mutating func add(_ frames: AV1Frames) {
        sizes += frames.sizes
        framePixelCount += frames.framePixelCount
    }
}

/// The items of a file and where their data is (ISO/IEC 14496-12, sections 8.11.3 and 8.11.6).
private struct AVIFItems {
    private let reader: ByteReader
    private var types: [Int: Kind] = [:]
    private var data: [(kind: Kind, extents: [Range<Int>])] = []

    private enum Kind {
        case coded, grid
        /// Metadata, and items that are made of others without a size of their own.
        case other
    }

    /// `nil` where an item would be decoded by another codec, or where it is not clear what an item is.
    init?(_ reader: ByteReader, _ meta: Range<Int>) {
        self.reader = reader
        guard readTypes(meta), readLocations(meta) else { return nil }
    }

    /// `nil` where the data of an item is damaged, as far as it is there.
    var coded: AVIFCoded? {
        var coded = AVIFCoded()
        // Items may share their data, and extents overlap; what is copied in total stays bounded.
        var byteCount = 0
        for (kind, extents) in data where kind != .other {
            for extent in extents {
                let (sum, overflow) = byteCount.addingReportingOverflow(extent.count)
                guard !overflow, sum <= reader.count else { return nil }
                byteCount = sum
            }
            let isDamaged = extents.flatMap { reader[$0] }.withUnsafeBytes { buffer in
                let item = ByteReader(buffer)
                guard kind == .coded else {
                    coded.sizes += Self.gridSize(item)
                    return false
                }
                guard let frames = AV1Frames(item) else { return true }
                coded.add(frames)
                return false
            }
            guard !isDamaged else { return nil }
        }
        return coded
    }

    /// The canvas of a grid (ISO/IEC 23008-12 section 6.6.2.3.2), as far as it is there.
    private static func gridSize(_ reader: ByteReader) -> [PixelSize] {
        guard let flags = reader.byte(at: 1) else { return [] }
        let isLarge = flags & 1 == 1
        guard let width = isLarge ? reader.bigEndian32(at: 4) : reader.bigEndian16(at: 4),
            let height = isLarge ? reader.bigEndian32(at: 8) : reader.bigEndian16(at: 6)
        else { return [] }
        return [PixelSize(width: width, height: height)]
    }

    private mutating func readTypes(_ meta: Range<Int>) -> Bool {
        let lists = ISOBox.boxes(reader, in: meta, named: "iinf")
        guard lists.count == 1, let list = lists.first, let version = reader.byte(at: list.lowerBound) else {
            return false
        }
        let entries = ISOBox.boxes(reader, in: list.dropFirst(version == 0 ? 6 : 8), named: "infe")
        guard entries.count < ISOBox.limit else { return false }
        for entry in entries {
            guard let version = reader.byte(at: entry.lowerBound), version >= 2 else { continue }
            let isLong = version > 2
            let start = entry.lowerBound + 4
            guard let identifier = isLong ? reader.bigEndian32(at: start) : reader.bigEndian16(at: start),
                let kind = kind(at: start + (isLong ? 6 : 4)), types.updateValue(kind, forKey: identifier) == nil
            else { return false }
        }
        return true
    }

    private func kind(at index: Int) -> Kind? {
        if reader.has("av01", at: index) { return .coded }
        if reader.has("grid", at: index) { return .grid }
        let others: [StaticString] = ["Exif", "mime", "uri ", "iden", "tmap"]
        return others.contains { reader.has($0, at: index) } ? .other : nil
    }

    private mutating func readLocations(_ meta: Range<Int>) -> Bool {
        let lists = ISOBox.boxes(reader, in: meta, named: "iloc")
        guard lists.count == 1, let list = lists.first, let version = reader.byte(at: list.lowerBound),
            let lengths = reader.bigEndian16(at: list.lowerBound + 4)
        else { return false }
        let own = ISOBox.boxes(reader, in: meta, named: "idat").first
        var index = list.lowerBound + 6
        func number(_ byteCount: Int) -> Int? {
            var value = 0
            for _ in 0..<byteCount {
                guard index < list.upperBound, let byte = reader.byte(at: index), value < 1 << 50 else { return nil }
                value = value << 8 | Int(byte)
                index += 1
            }
            return value
        }
        guard let count = number(version < 2 ? 2 : 4), count < ISOBox.limit else { return false }
        var extentCount = 0
        for _ in 0..<count {
            guard let identifier = number(version < 2 ? 2 : 4),
                let method = version == 0 ? 0 : number(2).map({ $0 & 0x0F }), number(2) != nil,
                let base = number(lengths >> 4 & 0x0F), let extents = number(2)
            else { return false }
            var ranges: [Range<Int>] = []
            for _ in 0..<extents {
                guard version == 0 || number(lengths & 0x0F) != nil, let offset = number(lengths >> 12),
                    let length = number(lengths >> 8 & 0x0F)
                else { return false }
                extentCount += 1
                let container = method == 0 ? 0..<reader.count : own ?? 0..<0
                let start = min(container.upperBound, container.lowerBound + base + offset)
                let end = length == 0 ? container.upperBound : min(container.upperBound, start + length)
                ranges.append(start..<end)
            }
            guard let kind = types[identifier], extentCount < ISOBox.limit, kind == .other || method <= 1 else {
                return false
            }
            data.append((kind, ranges))
        }
        return true
    }
}

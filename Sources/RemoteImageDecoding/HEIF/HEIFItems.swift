/// The coded sizes and frames of the items of a file.
struct HEIFCoded {
    /// The coded sizes of AV1 images, including tiles, and the canvas sizes of grids.
    var sizes: [PixelSize] = []
    private var av1PixelCount = 0.0
    /// The sizes in HEVC parameter sets, which several images may share.
    private var hevcSizes: [PixelSize] = []
    private var hevcFrameCount = 0

    var allSizes: [PixelSize] { sizes + hevcSizes }

    /// Whether there are more sizes than in real files, in which an item has one or two. Each is
    /// compared with all declared sizes.
    var hasTooManySizes: Bool { sizes.count + hevcSizes.count > 8192 }

    /// The pixels of all frames.
    var framePixelCount: Double { av1PixelCount + hevcPixelCount }

    /// The pixels of all HEVC frames. Each one counts as the largest one of the file.
    var hevcPixelCount: Double { Double(hevcSizes.map(\.pixelCount).max() ?? 0) * Double(hevcFrameCount) }

    /// - Parameter decodeCount: The number of times that a decoder decodes the frames.
    mutating func add(_ frames: AV1Frames, decodeCount: Int = 1) {
        sizes += frames.sizes
        av1PixelCount += Double(frames.framePixelCount) * Double(decodeCount)
    }

    mutating func add(_ frames: HEVCFrames, decodeCount: Int = 1) {
        hevcSizes.append(contentsOf: frames.sizes)
        hevcFrameCount += frames.frameCount * decodeCount
    }
}

/// The items of a file and the positions of their data (ISO/IEC 14496-12, sections 8.11.3 and
/// 8.11.6).
struct HEIFItems {
    private let reader: ByteReader
    private let format: ImageFormat
    private var types: [Int: Kind] = [:]
    private var data: [(item: Int, kind: Kind, extents: [Range<Int>])] = []
    private var decodeCounts: [Int: Int] = [:]
    /// Whether the data of all images is within the file.
    private(set) var isComplete = true
    /// The auxiliary items, except the primary item and items from which others are derived.
    private(set) var auxiliaries: Set<Int> = []

    private static let sharedByteLimit = 4 << 20

    private enum Kind {
        case av1, hevc, grid
        /// Metadata, and derived items without a size of their own.
        case other
        /// For example a thumbnail coded as JPEG.
        case unknown

        var isCoded: Bool { self != .other && self != .unknown }
    }

    /// `nil` if the primary item or an item decoded along with it is of an unknown type, if the
    /// type of an item is ambiguous, and if the references between items have a cycle.
    init?(_ reader: ByteReader, _ meta: Range<Int>, _ format: ImageFormat) {
        self.reader = reader
        self.format = format
        let references = HEIFReferences(reader, meta)
        // libheif follows the references of all items.
        guard readTypes(meta), readLocations(meta), let counts = references.decodeCounts(for: types.keys) else {
            return nil
        }
        decodeCounts = counts
        let unknown = Set(types.filter { $0.value == .unknown }.keys)
        if let primary = HEIFPrimary(reader, meta) {
            // libheif decodes only the primary item, with its parts.
            guard references.items(decodedFor: primary.identifier).isDisjoint(with: unknown) else { return nil }
            decodeCounts = references.decodeCounts(for: [primary.identifier]) ?? counts
            auxiliaries = references.auxiliaries.subtracting(references.sources).subtracting([primary.identifier])
        } else if !unknown.isEmpty {
            return nil
        }
    }

    /// The coded sizes and frames of all items except `left`. `nil` if the available data of an
    /// item is damaged.
    func coded(without left: Set<Int>) -> HEIFCoded? {
        var coded = HEIFCoded()
        // Extents may overlap, so the total of the copied bytes is limited. Encoders share the data
        // of equal tiles, which are small.
        var byteCount = 0
        for (identifier, kind, extents) in data where kind.isCoded && !left.contains(identifier) {
            for extent in extents {
                let (sum, overflow) = byteCount.addingReportingOverflow(extent.count)
                guard !overflow, sum <= reader.count + Self.sharedByteLimit else { return nil }
                byteCount = sum
            }
            let isDamaged = extents.flatMap { reader[$0] }.withReader { item in
                let count = decodeCounts[identifier] ?? 0
                switch kind {
                case .av1:
                    guard let frames = AV1Frames(item) else { return true }
                    coded.add(frames, decodeCount: count)
                case .hevc:
                    guard let frames = HEVCFrames(item) else { return true }
                    coded.add(frames, decodeCount: count)
                case .grid: coded.sizes += Self.gridSize(item)
                case .other, .unknown: break
                }
                return false
            }
            guard !isDamaged, !coded.hasTooManySizes else { return nil }
        }
        return coded
    }

    /// The canvas size of a grid (ISO/IEC 23008-12 section 6.6.2.3.2); empty if it is incomplete.
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
            let kind = kind(at: start + (isLong ? 6 : 4))
            guard let identifier = isLong ? reader.bigEndian32(at: start) : reader.bigEndian16(at: start),
                (types.updateValue(kind, forKey: identifier) ?? kind) == kind
            else { return false }
        }
        return true
    }

    private func kind(at index: Int) -> Kind {
        if reader.has("av01", at: index) { return .av1 }
        if format == .heic, reader.has("hvc1", at: index) { return .hevc }
        if reader.has("grid", at: index) { return .grid }
        let others: [StaticString] = ["Exif", "mime", "uri ", "iden", "tmap", "sato"]
        return others.contains { reader.has($0, at: index) } ? .other : .unknown
    }

    private mutating func readLocations(_ meta: Range<Int>) -> Bool {
        let lists = ISOBox.boxes(reader, in: meta, named: "iloc")
        guard lists.count == 1, let list = lists.first, let version = reader.byte(at: list.lowerBound),
            let lengths = reader.bigEndian16(at: list.lowerBound + 4)
        else { return false }
        let own = ISOBox.first(reader, in: meta, named: "idat")
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
            // Decoders do not decode data of no item.
            let kind = types[identifier] ?? .other
            var ranges: [Range<Int>] = []
            for _ in 0..<extents {
                guard version == 0 || number(lengths & 0x0F) != nil, let offset = number(lengths >> 12),
                    let length = number(lengths >> 8 & 0x0F)
                else { return false }
                extentCount += 1
                let container = method == 0 ? 0..<reader.count : own ?? 0..<0
                if container.lowerBound + base + offset + length > container.upperBound, kind.isCoded {
                    isComplete = false
                }
                let start = min(container.upperBound, container.lowerBound + base + offset)
                let end = length == 0 ? container.upperBound : min(container.upperBound, start + length)
                ranges.append(start..<end)
            }
            guard extentCount < ISOBox.limit, !kind.isCoded || method <= 1 else { return false }
            data.append((identifier, kind, ranges))
        }
        return true
    }
}

import RemoteImageCore

/// AVIF image sequences (ISO/IEC 14496-12) assembled from real samples: lossless key frames of
/// 16 × 8 pixels whose quarters change color from frame to frame.
public struct AVIFSequence: Sendable {
    /// The samples of the color track. The quarters (upper left, upper right, lower left, lower
    /// right) are red, green, blue and white, then green, blue, white and red, then blue, white,
    /// red and green.
    public var samples = Self.colorSamples
    /// The samples of the alpha track, such as ``alpha``; `nil` omits the track.
    public var alphaSamples: [[UInt8]]?
    /// The duration of each sample, in milliseconds.
    public var delays = [100, 200, 50]
    /// The number of samples with each delay; `nil` for one.
    public var delayCounts: [Int]?
    /// The numbers of the sync samples, from 1; `nil` omits `stss`.
    public var syncSamples: [Int]? = [1, 2, 3]
    /// The sample count in `stsz`; `nil` for the actual number.
    public var claimedCount: Int?
    /// The number of samples in each chunk.
    public var chunks = [3]
    /// Additional boxes in the `trak` of the color track, and in its `stbl`.
    public var trackBoxes: [[UInt8]] = []
    public var tableBoxes: [[UInt8]] = []
    /// Additional boxes in the sample entry of the color track.
    public var entryBoxes: [[UInt8]] = []
    /// Additional properties of the primary item, which is the first frame.
    public var properties: [[UInt8]] = []
    /// The size in the headers and sample entries of the tracks.
    public var trackSize = PixelSize(width: 16, height: 8)
    public var matrix = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]
    public var hasLongOffsets = false
    /// Whether the headers of the tracks and their clocks have times of 64 bits.
    public var hasLongHeaders = false
    /// The unit of the delays, in ticks per second.
    public var timescale = 1000
    /// The duration of the tracks in the unit of an edit list.
    public var trackDuration = 350
    /// The runs in `stsc`, each with the number of its first chunk and the number of samples in a
    /// chunk; `nil` for a run per chunk.
    public var runs: [(first: Int, sampleCount: Int)]?
    /// The size of every sample in `stsz`; `nil` lists the size of each.
    public var sampleSize: Int?

    public init() {}

    public var bytes: [UInt8] {
        var item = HEIFFile.Item.av1
        item.data = samples[0]
        item.properties.removeAll { $0[4..<8].elementsEqual("av1C".utf8) }
        item.properties.insert(Self.configuration, at: 0)
        item.properties += properties
        let still = HEIFFile([item], brand: "avis").bytes
        let start = still.count + movie(dataStart: 0).count + 8
        let data = (samples + (alphaSamples ?? [])).flatMap { $0 }
        return still + movie(dataStart: start) + HEIFFile.box("mdat", data)
    }

    /// An edit list with one edit of this duration, which repeats if `flags` is 1. The tracks last
    /// 350 ms.
    public static func repeatedEdit(_ milliseconds: Int, flags: UInt8 = 1) -> [UInt8] {
        let entry = HEIFFile.number(milliseconds, 4) + [0, 0, 0, 0, 0, 1, 0, 0]
        return HEIFFile.box("edts", HEIFFile.box("elst", [0, 0, 0, flags, 0, 0, 0, 1] + entry))
    }

    /// ``repeatedEdit(_:flags:)`` with times of 64 bits.
    public static func longRepeatedEdit(_ milliseconds: Int) -> [UInt8] {
        let entry = HEIFFile.number(milliseconds, 8) + HEIFFile.number(0, 8) + [0, 1, 0, 0]
        return HEIFFile.box("edts", HEIFFile.box("elst", [1, 0, 0, 1, 0, 0, 0, 1] + entry))
    }

    private func movie(dataStart: Int) -> [UInt8] {
        var content = track(
            1, samples, dataStart, trackBoxes, Self.configuration,
            HEIFFile.colors(primaries: 1, transfer: 13, matrix: 0))
        if let alphaSamples {
            let start = dataStart + samples.reduce(0) { $0 + $1.count }
            let owner = HEIFFile.box("tref", HEIFFile.box("auxl", [0, 0, 0, 1]))
            let name = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0]
            content += track(
                2, alphaSamples, start, [owner], HEIFFile.box("av1C", [0x81, 0, 0x1C, 0]),
                HEIFFile.box("auxi", [0, 0, 0, 0] + name))
        }
        return HEIFFile.box("moov", content)
    }

    private func track(
        _ identifier: Int, _ samples: [[UInt8]], _ start: Int, _ boxes: [[UInt8]], _ configuration: [UInt8],
        _ property: [UInt8]
    ) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { HEIFFile.number(value, 4) }
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        let count = number(claimedCount ?? samples.count)
        let sizes = sampleSize == nil ? samples.flatMap { number($0.count) } : []
        let entries = identifier == 1 ? entryBoxes.flatMap { $0 } : []
        let sides = HEIFFile.number(trackSize.width, 2) + HEIFFile.number(trackSize.height, 2)
        let entry = HEIFFile.box("av01", zeros(24) + sides + zeros(50) + configuration + property + entries)
        var (offsets, runTable) = ([UInt8](), [UInt8]())
        var (offset, index) = (start, 0)
        for (place, sampleCount) in chunks.enumerated() {
            offsets += hasLongOffsets ? zeros(4) + number(offset) : number(offset)
            runTable += number(place + 1) + number(sampleCount) + number(1)
            for sample in samples.dropFirst(index).prefix(sampleCount) { offset += sample.count }
            index += sampleCount
        }
        if let runs { runTable = runs.flatMap { number($0.first) + number($0.sampleCount) + number(1) } }
        var table = HEIFFile.box("stsd", zeros(4) + number(1) + entry)
        table += HEIFFile.box(hasLongOffsets ? "co64" : "stco", zeros(4) + number(chunks.count) + offsets)
        table += HEIFFile.box("stsc", zeros(4) + number(runs?.count ?? chunks.count) + runTable)
        table += HEIFFile.box("stsz", zeros(4) + number(sampleSize ?? 0) + count + sizes)
        let counts = delayCounts ?? delays.map { _ in 1 }
        let durations = zip(counts, delays).flatMap { number($0) + number($1) }
        table += HEIFFile.box("stts", zeros(4) + number(delays.count) + durations)
        if let syncSamples {
            table += HEIFFile.box("stss", zeros(4) + number(syncSamples.count) + syncSamples.flatMap(number))
        }
        table += identifier == 1 ? tableBoxes.flatMap { $0 } : []
        let times: [UInt8] = hasLongHeaders ? [1] + zeros(19) : zeros(12)
        func time(_ value: Int) -> [UInt8] { HEIFFile.number(value, hasLongHeaders ? 8 : 4) }
        let clock = HEIFFile.box("mdhd", times + number(timescale) + time(350) + zeros(4))
        let handler = HEIFFile.box("hdlr", zeros(8) + Array((identifier == 1 ? "pict" : "auxv").utf8) + zeros(13))
        let media = HEIFFile.box("mdia", clock + handler + HEIFFile.box("minf", HEIFFile.box("stbl", table)))
        var head = times + number(identifier) + zeros(4)
        head += time(trackDuration) + zeros(16) + matrix.flatMap(number)
        head += number(trackSize.width << 16) + number(trackSize.height << 16)
        return HEIFFile.box("trak", HEIFFile.box("tkhd", head) + boxes.flatMap { $0 } + media)
    }

    private static let configuration = HEIFFile.box("av1C", [0x81, 0x20, 0, 0])

    public static let colorSamples = [
        """
        12000a0c2000000197f36be480868010322810008000ab08e51b980b61659e27146b2f68309806fd753b61aafb73518d2d31730c7c541a208598
        """,
        """
        12000a0c2000000197f36be480868010322810008000ab08e43fd684929ca7124238b03494646f6a3656e137b5f983e82e8f13341c413f988d98
        """,
        """
        12000a0c2000000197f36be480868010322810008000ab08e51b980b61659e27146b20eab36c436a6721cc60b1e165508f4c9c8644ebca28ab58
        """,
    ].map(bytes)

    /// The same frames as ``colorSamples``; the second depends on the first, and the third on the
    /// second.
    public static let dependentSamples =
        [colorSamples[0]]
        + [
            "1200321e3003c080000046800100e048f0fd0d3bd489428d0c2b0ccafe98d0db7d78",
            """
            1200322d3005c104000046800100e048f17fc52dacbcfbdb07cdbb2ce882c1fe3555d7e5a8d590001b4206388fbbdff7c0
            """,
        ].map(bytes)

    /// An alpha sample for any of the frames: 128 in the upper left quarter, 255 elsewhere.
    public static let alpha = bytes("12000a090000000197f36be4a8320e10008000a8ccd0063191fb0d16bb")

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// A track of an AVIF image sequence (ISO/IEC 14496-12, sections 8.3 to 8.7; AV1 in ISOBMFF,
/// section 2).
package struct AVIFTrack {
    /// Where the box of the track starts.
    let start: Int
    let identifier: Int
    let size: PixelSize
    /// The tracks to which this track is auxiliary.
    let owners: [Int]
    /// Whether the track has the alpha of its owners.
    let isAlpha: Bool
    /// The number that the file declares.
    let sampleCount: Int
    /// Whether every sample can be decoded independently and is shown without a transformation.
    let isPlayable: Bool
    /// How the frames are displayed.
    let image: HEIFImage
    /// The contents of the `av1C` and `colr` boxes, which apply to all frames.
    let configuration: Range<Int>
    let colors: [Range<Int>]
    /// The number of times that the track plays; `nil` means forever.
    let playCount: Int?

    let reader: ByteReader
    private let samples: Range<Int>
    /// Ticks per second; 0 if it is not known.
    private let timescale: Int

    /// Real files have tracks for colors, alpha and sometimes depth.
    private static let trackLimit = 8

    /// Whether the brands ask for the tracks instead of the primary item: as in browsers, the major
    /// brand decides if it is that of a sequence or a still image.
    static func isSequence(_ reader: ByteReader) -> Bool {
        guard reader.has("ftyp", at: 4) else { return false }
        if reader.has("avis", at: 8) { return true }
        if reader.has("avif", at: 8) { return false }
        let typeEnd = min(reader.count, reader.bigEndian32(at: 0) ?? 0, 256)
        return stride(from: 16, to: typeEnd - 3, by: 4).contains { reader.has("avis", at: $0) }
    }

    /// The tracks of a sequence; empty for other files.
    static func all(_ reader: ByteReader) -> [AVIFTrack] {
        guard isSequence(reader), let movie = movie(reader) else { return [] }
        let tracks = ISOBox.all(reader, in: movie).filter { reader.has("trak", at: $0.start + 4) }
        return tracks.prefix(trackLimit).compactMap { AVIFTrack(reader, $0.content, start: $0.start) }
    }

    private static func movie(_ reader: ByteReader) -> Range<Int>? {
        ISOBox.first(reader, in: 0..<reader.count, named: "moov")
    }

    /// The file with all tracks disabled except the one with the displayed frames and its alpha,
    /// since libavif refuses audio and takes depth for alpha. No byte changes its position. `nil`
    /// if nothing has to change.
    package static func withoutOtherTracks(_ bytes: [UInt8]) -> [UInt8]? {
        let others = bytes.withReader { reader -> [Int] in
            let tracks = all(reader)
            guard let colors = main(tracks), let movie = movie(reader) else { return [] }
            let kept = [colors.start, colors.alpha(among: tracks)?.start]
            return ISOBox.starts(reader, in: movie, named: "trak").filter { !kept.contains($0) }
        }
        guard !others.isEmpty else { return nil }
        var changed = bytes
        for start in others { changed.replaceSubrange((start + 4)..<(start + 8), with: "free".utf8) }
        return changed
    }

    /// The track with the displayed frames. Its alpha may be in another track.
    static func main(_ tracks: [AVIFTrack]) -> AVIFTrack? { tracks.first { $0.owners.isEmpty && !$0.isAlpha } }

    /// The track with the alpha of this track.
    func alpha(among tracks: [AVIFTrack]) -> AVIFTrack? {
        tracks.first { $0.isAlpha && $0.owners.contains(identifier) }
    }

    /// The number of frames in the file, at most `limit`; 0 if it is not a sequence.
    static func frameCount(_ reader: ByteReader, limit: Int) -> Int {
        main(all(reader))?.samples(limit: limit).count ?? 0
    }

    private init?(_ reader: ByteReader, _ track: Range<Int>, start: Int) {
        func box(_ name: StaticString, _ range: Range<Int>) -> Range<Int>? {
            ISOBox.first(reader, in: range, named: name)
        }
        guard let header = box("tkhd", track), let media = box("mdia", track),
            let information = box("minf", media), let table = box("stbl", information),
            let descriptions = box("stsd", table), let sizes = box("stsz", table),
            let sampleCount = reader.bigEndian32(at: sizes.lowerBound + 8),
            // Exactly one description; its count, length and name precede its fields.
            reader.bigEndian32(at: descriptions.lowerBound + 4) == 1,
            let entry = box("av01", descriptions.dropFirst(8)), entry.count > 78,
            let configuration = box("av1C", entry.dropFirst(78))
        else { return nil }
        let isLong = reader.byte(at: header.lowerBound) == 1
        let sides = header.lowerBound + (isLong ? 88 : 76)
        guard let identifier = reader.bigEndian32(at: header.lowerBound + (isLong ? 20 : 12)),
            // Numbers of 16.16 bits.
            let width = reader.bigEndian16(at: sides), let height = reader.bigEndian16(at: sides + 4),
            width > 0, height > 0
        else { return nil }
        let timescale = box("mdhd", media).flatMap { clock in
            reader.bigEndian32(at: clock.lowerBound + (reader.byte(at: clock.lowerBound) == 1 ? 20 : 12))
        }
        self.reader = reader
        self.start = start
        self.identifier = identifier
        self.timescale = timescale ?? 0
        self.sampleCount = sampleCount
        self.configuration = configuration
        size = PixelSize(width: width, height: height)
        samples = table
        // libavif and browsers scale the frames to the size of the track.
        let codedSize = PixelSize(
            width: max(width, reader.bigEndian16(at: entry.lowerBound + 24) ?? 0),
            height: max(height, reader.bigEndian16(at: entry.lowerBound + 26) ?? 0))
        image = HEIFImage(reader, ISOBox.all(reader, in: entry.dropFirst(78)), codedSize: codedSize, size: size, .avif)
        colors = ISOBox.boxes(reader, in: entry.dropFirst(78), named: "colr")
        isAlpha =
            box("auxi", entry.dropFirst(78)).map {
                reader.has("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: $0.lowerBound + 4)
            } ?? false
        let references = ISOBox.boxes(reader, in: track, named: "tref")
        owners = references.flatMap { ISOBox.boxes(reader, in: $0, named: "auxl") }.flatMap { list in
            stride(from: list.lowerBound, to: list.upperBound - 3, by: 4).prefix(ISOBox.limit).compactMap {
                reader.bigEndian32(at: $0)
            }
        }
        let isMultiplied = references.contains { box("prem", $0) != nil }
        let matrix: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        let isUpright = reader.has(matrix, at: header.lowerBound + (isLong ? 52 : 40))
        // Samples that depend on others or are shown in another order need a sequence decoder.
        let isIndependent = box("stss", table).map { list in
            reader.bigEndian32(at: list.lowerBound + 4) == sampleCount && list.count >= 8 + 4 * sampleCount
        }
        isPlayable = isUpright && !isMultiplied && (isIndependent ?? true) && box("ctts", table) == nil
        playCount = Self.playCount(reader, track, header, isLong)
    }

    /// A repeated edit plays until the duration of the track ends. Without an edit list, browsers
    /// play forever.
    private static func playCount(
        _ reader: ByteReader, _ track: Range<Int>, _ header: Range<Int>, _ isLong: Bool
    ) -> Int? {
        guard let edits = ISOBox.first(reader, in: track, named: "edts"),
            let list = ISOBox.first(reader, in: edits, named: "elst")
        else { return nil }
        func duration(at index: Int, isLong: Bool) -> Int? {
            guard isLong else { return reader.bigEndian32(at: index).map { $0 == Int(UInt32.max) ? .max : $0 } }
            guard let high = reader.bigEndian32(at: index), let low = reader.bigEndian32(at: index + 4) else {
                return nil
            }
            return high > Int(UInt16.max) ? .max : high << 32 | low
        }
        let isLongList = reader.byte(at: list.lowerBound) == 1
        guard let flags = reader.byte(at: list.lowerBound + 3), flags & 1 == 1,
            let whole = duration(at: header.lowerBound + (isLong ? 28 : 20), isLong: isLong),
            let segment = duration(at: list.lowerBound + 8, isLong: isLongList), segment > 0
        else { return 1 }
        if whole == .max { return nil }
        return max(1, (whole - 1) / segment + 1)
    }

    /// The byte ranges and durations of the samples that are completely in the file.
    func samples(limit: Int) -> [(range: Range<Int>, milliseconds: Int)] {
        let sizes = sizes(limit: limit)
        let delays = delays(limit: sizes.count)
        var found: [(Range<Int>, Int)] = []
        for (start, count) in chunks(limit: sizes.count) {
            var index = start
            for _ in 0..<min(count, sizes.count - found.count) {
                let end = index + sizes[found.count]
                guard end <= reader.count else { return found }
                found.append((index..<end, delays[found.count]))
                index = end
            }
        }
        return found
    }

    private func table(_ name: StaticString) -> Range<Int>? {
        ISOBox.first(reader, in: samples, named: name)
    }

    private func sizes(limit: Int) -> [Int] {
        guard let list = table("stsz"), let size = reader.bigEndian32(at: list.lowerBound + 4) else { return [] }
        return (0..<max(0, min(limit, sampleCount))).lazy.map { index -> Int? in
            let place = list.lowerBound + 12 + 4 * index
            return size > 0 ? size : place + 4 <= list.upperBound ? reader.bigEndian32(at: place) : nil
        }.prefix { $0 != nil }.compactMap { $0 }
    }

    /// The durations of `limit` samples in milliseconds. As in libavif, samples without one get the
    /// last one or a tick.
    private func delays(limit: Int) -> [Int] {
        var delays: [Int] = []
        var ticks = 1
        let list = table("stts") ?? 0..<0
        for place in stride(from: list.lowerBound + 8, to: list.upperBound - 7, by: 8) where delays.count < limit {
            guard let count = reader.bigEndian32(at: place), let next = reader.bigEndian32(at: place + 4) else {
                break
            }
            ticks = next
            delays += repeatElement(milliseconds(ticks), count: min(count, limit - delays.count))
        }
        return delays + repeatElement(milliseconds(ticks), count: limit - delays.count)
    }

    private func milliseconds(_ ticks: Int) -> Int { timescale > 0 ? ticks * 1000 / timescale : 0 }

    /// The start of each chunk and its number of samples.
    private func chunks(limit: Int) -> [(start: Int, sampleCount: Int)] {
        guard let runs = table("stsc"), let list = table("stco") ?? table("co64") else { return [] }
        let isLong = table("stco") == nil
        var chunks: [(Int, Int)] = []
        var run = runs.lowerBound + 8
        var (number, found) = (0, 0)
        for place in stride(from: list.lowerBound + 8, to: list.upperBound - (isLong ? 7 : 3), by: isLong ? 8 : 4)
        where found < limit {
            number += 1
            // The entry of a run has the number of its first chunk.
            while run + 24 <= runs.upperBound, reader.bigEndian32(at: run + 12).map({ $0 <= number }) ?? false {
                run += 12
            }
            guard run + 12 <= runs.upperBound, let count = reader.bigEndian32(at: run + 4),
                let start = reader.bigEndian32(at: place + (isLong ? 4 : 0)),
                !isLong || reader.bigEndian32(at: place) == 0
            else { break }
            chunks.append((start, count))
            found += max(1, count)
        }
        return chunks
    }
}

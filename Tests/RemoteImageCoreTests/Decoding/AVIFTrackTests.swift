import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The tables of AVIF sequences in each of their versions, and the files of their frames.
@Suite struct AVIFTrackTests {
    private func outline(_ change: (inout AVIFSequence) -> Void) -> AnimationOutline? {
        var sequence = AVIFSequence()
        change(&sequence)
        return outline(sequence.bytes)
    }

    private func outline(_ bytes: [UInt8]) -> AnimationOutline? {
        bytes.withReader { AVIFAnimation.outline($0, frameLimit: 10) }
    }

    private func milliseconds(_ outline: AnimationOutline?) -> [Int]? {
        outline?.frames.map { Int($0.delay / .milliseconds(1)) }
    }

    // MARK: Times

    @Test(arguments: [false, true])
    func `headers have times of 32 or 64 bits`(hasLongHeaders: Bool) throws {
        let found = try #require(
            outline {
                $0.hasLongHeaders = hasLongHeaders
                $0.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha]
            })
        #expect(found.canvas == PixelSize(width: 16, height: 8))
        #expect(milliseconds(found) == [100, 200, 50])
        #expect(found.playCount == nil)
        #expect(outline { ($0.hasLongHeaders, $0.trackSize.height) = (hasLongHeaders, 9) } == nil)
        #expect(outline { ($0.hasLongHeaders, $0.trackSize.width) = (hasLongHeaders, 17) } == nil)
        #expect(
            outline {
                $0.hasLongHeaders = hasLongHeaders
                $0.matrix[4] = -1 << 16
            } == nil)
    }

    @Test func `an edit that repeats plays until the duration of the track`() {
        func count(_ edit: [UInt8], _ duration: Int, isLong: Bool) -> Int? {
            outline { ($0.trackBoxes, $0.trackDuration, $0.hasLongHeaders) = ([edit], duration, isLong) }?.playCount
        }
        for isLong in [false, true] {
            for edit in [AVIFSequence.repeatedEdit(175), AVIFSequence.longRepeatedEdit(175)] {
                #expect([350, 351, 349, 175, 1, 0].map { count(edit, $0, isLong: isLong) } == [2, 3, 2, 1, 1, 1])
            }
        }
        let short = AVIFSequence.repeatedEdit(175)
        #expect(count(short, Int(UInt32.max), isLong: false) == nil, "forever")
        #expect(count(AVIFSequence.repeatedEdit(1 << 30), Int(UInt32.max) - 1, isLong: false) == 4)
        let long = AVIFSequence.longRepeatedEdit(1 << 32)
        #expect(count(long, 3 << 32, isLong: true) == 3)
        #expect(count(long, 1 << 48 - 1, isLong: true) == 65_536)
        #expect(count(long, 1 << 48, isLong: true) == nil, "forever")
    }

    @Test func `delays are converted from the clock of the track`() {
        #expect(milliseconds(outline { $0.timescale = 500 }) == [200, 400, 100])
        #expect(milliseconds(outline { $0.timescale = 3000 }) == [33, 66, 16])
        #expect(milliseconds(outline { $0.timescale = 0 }) == [100, 100, 100])
        #expect(milliseconds(outline { $0.delays = [70, 30] }) == [70, 30, 30])
        #expect(milliseconds(outline { ($0.delays, $0.timescale) = ([], 20) }) == [50, 50, 50], "a tick")
    }

    @Test(arguments: [
        ([1, 1000], [70, 30, 30]), ([2, 2], [70, 70, 30]), ([1000, 1], [70, 70, 70]), ([0, 1], [30, 30, 30]),
    ])
    func `a delay is that of its number of samples`(counts: [Int], delays: [Int]) {
        let found = outline {
            $0.delays = [70, 30]
            $0.delayCounts = counts
        }
        #expect(milliseconds(found) == delays)
    }

    // MARK: Places of samples

    /// The files of frames end with their samples.
    private func expectSamples(_ sequence: AVIFSequence) throws {
        let bytes = sequence.bytes
        let found = try #require(outline(bytes))
        #expect(found.frames.count == sequence.samples.count)
        for (frame, sample) in zip(found.frames, sequence.samples) {
            #expect(Array(frame.file(from: bytes).suffix(sample.count)) == sample)
        }
    }

    @Test(arguments: [false, true])
    func `a run stands for chunks up to the next run`(hasLongOffsets: Bool) throws {
        for (chunks, runs) in [
            ([3], [(1, 3)]), ([1, 1, 1], [(1, 1)]), ([1, 1, 1], [(1, 1), (3, 1)]), ([2, 1], [(1, 2), (2, 1)]),
            ([1, 2], [(1, 1), (2, 2)]), ([1, 1, 1], [(1, 1), (2, 1), (3, 1)]),
        ] as [([Int], [(first: Int, sampleCount: Int)])] {
            var sequence = AVIFSequence()
            (sequence.chunks, sequence.runs, sequence.hasLongOffsets) = (chunks, runs, hasLongOffsets)
            try expectSamples(sequence)
        }
    }

    @Test func `samples may all have the same size`() throws {
        var sequence = AVIFSequence()
        let size = sequence.samples.map(\.count).max() ?? 0
        sequence.samples = sequence.samples.map { $0 + [UInt8](repeating: 0, count: size + 1 - $0.count) }
        sequence.sampleSize = size + 1
        try expectSamples(sequence)
    }

    @Test func `the tracks of colors and alpha are told apart by their references`() throws {
        var sequence = AVIFSequence()
        sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha]
        sequence.bytes.withReader { reader in
            let tracks = AVIFTrack.all(reader)
            #expect(tracks.map(\.identifier) == [1, 2])
            #expect(tracks.map(\.owners) == [[], [1]])
            #expect(tracks.map(\.isAlpha) == [false, true])
            #expect(tracks.map(\.sampleCount) == [3, 3])
            #expect(tracks.map(\.size) == [PixelSize(width: 16, height: 8), PixelSize(width: 16, height: 8)])
            #expect(AVIFTrack.main(tracks.reversed())?.identifier == 1)
            #expect(tracks[0].alpha(among: tracks)?.identifier == 2)
            #expect(tracks[1].alpha(among: tracks) == nil)
        }
    }

    // MARK: Files of frames

    @Test(arguments: [false, true])
    func `a frame becomes a still image with the properties of its tracks`(hasAlpha: Bool) throws {
        var sequence = AVIFSequence()
        if hasAlpha { sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha] }
        let bytes = sequence.bytes
        let found = try #require(outline(bytes))
        let extent = HEIFFile.extent(PixelSize(width: 16, height: 8))
        for (frame, sample) in zip(found.frames, sequence.samples) {
            var items = [
                HEIFFile.Item(
                    "av01", sample,
                    [
                        extent, HEIFFile.box("av1C", [0x81, 0x20, 0, 0]),
                        HEIFFile.colors(primaries: 1, transfer: 13, matrix: 0),
                    ])
            ]
            if hasAlpha {
                var alpha = HEIFFile.Item.alpha(of: 1)
                alpha.data = AVIFSequence.alpha
                alpha.properties = [extent, alpha.properties[0], alpha.properties[3]]
                items.append(alpha)
            }
            // With one more brand, which moves the data.
            var expected = HEIFFile(items).bytes
            expected.insert(contentsOf: "miaf".utf8, at: 24)
            expected[3] += 4
            let locations = try #require(expected.indices.first { expected[$0...].starts(with: "iloc".utf8) })
            for index in items.indices {
                let place = locations + 18 + index * 14
                let offset = expected[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
                expected.replaceSubrange(place..<(place + 4), with: (offset + 4).bigEndianBytes())
            }
            #expect(frame.file(from: bytes) == expected)
        }
    }

    // MARK: Memory

    @Test(
        arguments: [
            (0x00, 30), (0x40, 60), (0x0C, 20), (0x4C, 30), (0x08, 20), (0x48, 40), (0x1C, 10), (0x5C, 20),
        ] as [(UInt8, Int)])
    func `the memory between two frames depends on the samples of a pixel`(flags: UInt8, byteCount: Int) throws {
        for hasAlpha in [false, true] {
            var sequence = AVIFSequence()
            if hasAlpha { sequence.alphaSamples = [AVIFSequence.alpha, AVIFSequence.alpha, AVIFSequence.alpha] }
            var bytes = sequence.bytes
            let movie = try #require(bytes.indices.first { bytes[$0...].starts(with: "moov".utf8) })
            let configuration = try #require(
                bytes.indices.first { $0 > movie && bytes[$0...].starts(with: "av1C".utf8) })
            bytes[configuration + 6] = flags
            #expect(AVIFTrack.heldBytesPerPixel(bytes) == byteCount + (hasAlpha ? 10 : 0))
        }
        #expect(AVIFTrack.heldBytesPerPixel(HEIFFile([.av1]).bytes) == 48)
    }
}

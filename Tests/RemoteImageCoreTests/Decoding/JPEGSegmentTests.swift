import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The segments of JPEG files and the chunks of PNG files, byte by byte.
@Suite struct JPEGSegmentTests {
    private func segments(_ bytes: [UInt8]) -> [String] {
        bytes.withReader { reader in
            JPEGSegments(reader).map { String($0.marker, radix: 16) + " \($0.content)" }
        }
    }

    @Test func `segments are found between fill bytes, junk, single markers and pixels`() {
        let bytes: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xE0, 0, 4, 1, 2,
            // Junk, and markers without content.
            0, 7, 0xFF, 0x01, 0xFF, 0xD0, 0xFF, 0xD8,
            // A length that is too small.
            0xFF, 0xE1, 0, 0, 0xFF, 0xC4, 0, 2,
            // A scan and its pixels.
            0xFF, 0xDA, 0, 3, 9, 0x11, 0xFF, 0, 0x22, 0xFF, 0xD7, 0x33,
            // The end, after which nothing is read.
            0xFF, 0xD9, 0xFF, 0xE2, 0, 2,
        ]
        #expect(segments(bytes) == ["e0 8..<10", "e1 22..<22", "c4 26..<26", "da 30..<31", "d9 40..<40"])
    }

    @Test func `a segment may extend past the end, but its length must be there`() {
        #expect(segments([0xFF, 0xD8, 0xFF, 0xE0, 0, 9, 1]) == ["e0 6..<13"])
        #expect(segments([0xFF, 0xD8, 0xFF, 0xE0, 0]) == [])
        #expect(segments([0xFF, 0xD8, 0xFF]) == [])
        #expect(segments([0xFF, 0xD8]) == [])
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + (content.count + 2).bigEndianBytes(2) + content
    }

    private func frame(_ marker: UInt8, _ width: Int = 300, _ height: Int = 7) -> [UInt8] {
        segment(marker, [8] + height.bigEndianBytes(2) + width.bigEndianBytes(2) + [1, 1, 0x11, 0])
    }

    private let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]

    private func header(_ parts: [UInt8]...) -> ImageHeader? {
        ([0xFF, 0xD8] + parts.flatMap { $0 }).withReader { JPEGHeader.read($0) }
    }

    @Test func `the size of a JPEG is in its frame header`() {
        let size = PixelSize(width: 300, height: 7)
        for marker in 0xC0...0xCF as ClosedRange<UInt8> {
            let isFrame = ![0xC4, 0xC8, 0xCC].contains(marker)
            #expect(header(frame(marker), scan)?.storedSize == (isFrame ? size : nil))
        }
        #expect(header(frame(0xC0)) == nil, "without pixels")
        #expect(header(scan) == nil)
        #expect(header(frame(0xC0), [0xFF, 0xD9], scan) == nil)
        #expect(header(frame(0xC0), frame(0xC0), scan) == nil, "two frames")
    }

    private func profile(_ parts: [UInt8]...) -> [UInt8]? {
        ([0xFF, 0xD8] + parts.flatMap { $0 }).withReader { JPEGHeader.colorProfile($0) }
    }

    private func part(_ number: UInt8, of count: UInt8, _ content: [UInt8]) -> [UInt8] {
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + content)
    }

    @Test func `the parts of a profile are joined in the order of their numbers`() {
        #expect(profile(part(1, of: 1, [5])) == [5])
        #expect(profile(part(2, of: 3, [3, 4]), part(3, of: 3, [5]), part(1, of: 3, [1, 2])) == [1, 2, 3, 4, 5])
        #expect(profile(part(1, of: 2, [1]), scan, part(2, of: 2, [2])) == nil, "a part after the pixels")
        #expect(profile(part(1, of: 1, [1]), scan) == [1])
        #expect(profile(part(1, of: 2, [1])) == nil, "a missing part")
        #expect(profile(part(1, of: 2, [1]), part(1, of: 2, [2])) == nil, "a repeated part")
        #expect(profile(part(1, of: 2, [1]), part(2, of: 3, [2])) == nil, "another number of parts")
        #expect(profile(part(0, of: 1, [1])) == nil)
        #expect(profile(part(1, of: 0, [1])) == nil)
        #expect(profile(part(1, of: 1, [])) == nil)
        #expect(profile(part(2, of: 2, []), part(1, of: 1, [9])) == [9], "a part without content is left out")
        #expect(profile(segment(0xE1, Array("ICC_PROFILE\0".utf8) + [1, 1, 5])) == nil)
        #expect(profile(segment(0xE2, Array("ICC_PROFILE!".utf8) + [1, 1, 5])) == nil)
    }

    @Test func `the end of a JPEG is its marker after a frame`() {
        func reachesEnd(_ parts: [UInt8]...) -> Bool {
            ([0xFF, 0xD8] + parts.flatMap { $0 }).withReader { JPEGHeader.reachesEnd($0) }
        }
        let end: [UInt8] = [0xFF, 0xD9]
        #expect(reachesEnd(frame(0xC0), scan, [1, 2, 3], end))
        #expect(reachesEnd(frame(0xC0), scan, [1, 2, 3], end, [0, 0]))
        #expect(!reachesEnd(frame(0xC0), scan, [1, 2, 3]))
        #expect(!reachesEnd(frame(0xC0), scan, [1, 2, 3, 0xFF]))
        #expect(!reachesEnd(segment(0xE1, [1, 2, 0xFF, 0xD9])), "the end of a thumbnail")
    }

    // MARK: PNG

    private func chunks(_ bytes: [UInt8]) -> [String] {
        bytes.withReader { reader in
            PNGChunks(reader).map { chunk in
                let name = String(decoding: reader[chunk.name..<(chunk.name + 4)], as: UTF8.self)
                return
                    "\(name) \(chunk.content) \(chunk.whole) \(chunk.isCritical(reader)) \(chunk.isIntact(3, reader))"
            }
        }
    }

    @Test func `the chunks of a PNG end before IEND or with the file`() {
        let bytes =
            PNGChunk.signature + PNGChunk.make("IHDR", [1, 2, 3]) + PNGChunk.make("tEXt", [])
            + PNGChunk.make("IDAT", [4, 5]) + PNGChunk.make("IEND", []) + PNGChunk.make("IDAT", [9])
        let expected = [
            "IHDR 16..<19 8..<23 true true", "tEXt 31..<31 23..<35 false false", "IDAT 43..<45 35..<49 true false",
        ]
        #expect(chunks(bytes) == expected)
        #expect(chunks(Array(bytes[..<49])) == expected)
        #expect(chunks(Array(bytes[..<44])).last == "IDAT 43..<44 35..<48 true false")
        #expect(chunks(Array(bytes[..<43])).count == 3)
        #expect(chunks(Array(bytes[..<42])).count == 2)
        var damaged = bytes
        damaged[16] = 9
        #expect(chunks(damaged)[0] == "IHDR 16..<19 8..<23 true false")
    }

    @Test func `a PNG is complete with the name of its last chunk`() {
        let bytes = PNGChunk.signature + PNGChunk.make("IHDR", [1, 2, 3]) + PNGChunk.make("IEND", [])
        func reachesEnd(_ bytes: [UInt8]) -> Bool { bytes.withReader { PNGHeader.reachesEnd($0) } }
        #expect(reachesEnd(bytes))
        #expect(reachesEnd(Array(bytes.dropLast(4))))
        #expect(!reachesEnd(Array(bytes.dropLast(5))))
        #expect(!reachesEnd(PNGChunk.signature + PNGChunk.make("IHDR", Array("0000IEND".utf8))))
    }

    @Test func `a chunk is written with its length and its checksum`() {
        #expect(PNGChunks.make("IEND", []) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        #expect(PNGChunks.make("tEXt", [1, 2, 3]) == PNGChunk.make("tEXt", [1, 2, 3]))
    }

    @Test func `the last rows of an image fit into 258 bytes`() {
        func fits(_ rowCount: Int, width: UInt32, depth: UInt8, color: UInt8, interlaced: UInt8 = 0) -> Bool {
            var bytes = PNGChunk.header(width: width, height: 9, colour: color)
            (bytes[24], bytes[28]) = (depth, interlaced)
            return PNGRepair.canBeInLastString(rowCount, bytes)
        }
        // Rows of 1 + 85 bytes, of which three have 258.
        for (width, depth, color) in [
            (85, 8, 0), (680, 1, 0), (85, 8, 3), (28, 8, 2), (42, 8, 4), (21, 8, 6), (42, 16, 0),
        ] as [(UInt32, UInt8, UInt8)] {
            #expect(fits(3, width: width, depth: depth, color: color))
            #expect(!fits(4, width: width, depth: depth, color: color), "\(width) \(depth) \(color)")
            #expect(!fits(1, width: width, depth: depth, color: color, interlaced: 1))
        }
        #expect(!fits(1, width: 258, depth: 8, color: 0))
        #expect(fits(1, width: 257, depth: 8, color: 0))
        #expect(!fits(2, width: 257, depth: 8, color: 0))
    }
}

import RemoteImageTestSupport
import Testing

@testable import RemoteImageDecoding

/// The readers of bytes, bits, boxes and Exif blocks, at the ends of their data.
@Suite struct HeaderReaderTests {
    private func read<Value>(_ bytes: [UInt8], _ body: (ByteReader) -> Value) -> Value {
        bytes.withReader { body($0) }
    }

    // MARK: Bytes

    @Test func `numbers are read up to the last byte in both byte orders`() {
        read([0x01, 0x82, 0x03, 0x84, 0x05]) { reader in
            #expect((-1...5).map { reader.byte(at: $0) } == [nil, 0x01, 0x82, 0x03, 0x84, 0x05, nil])
            #expect((-1...4).map { reader.bigEndian16(at: $0) } == [nil, 0x0182, 0x8203, 0x0384, 0x8405, nil])
            #expect((-1...2).map { reader.bigEndian32(at: $0) } == [nil, 0x0182_0384, 0x8203_8405, nil])
            #expect((-1...4).map { reader.littleEndian16(at: $0) } == [nil, 0x8201, 0x0382, 0x8403, 0x0584, nil])
            #expect((-1...3).map { reader.littleEndian24(at: $0) } == [nil, 0x03_8201, 0x84_0382, 0x05_8403, nil])
            #expect((-1...2).map { reader.littleEndian32(at: $0) } == [nil, 0x8403_8201, 0x0584_0382, nil])
        }
    }

    @Test func `texts and bytes are found up to the end of the data`() {
        read(Array("abcab".utf8)) { reader in
            #expect((-1...4).map { reader.has("ab", at: $0) } == [false, true, false, false, true, false])
            let bytes: [UInt8] = [0x61, 0x62]
            #expect((-1...4).map { reader.has(bytes, at: $0) } == [false, true, false, false, true, false])
            let b = UInt8(ascii: "b")
            #expect((-1...5).map { reader.firstIndex(of: b, from: $0) } == [nil, 1, 1, 4, 4, 4, nil])
            #expect(reader.firstIndex(of: 0, from: 0) == nil)
            #expect(Array(reader[3..<9]) == Array("ab".utf8))
            #expect(Array(reader[-2..<2]) == Array("ab".utf8))
            #expect(Array(reader[1..<4]) == Array("bca".utf8))
        }
    }

    @Test func `numbers are written in both byte orders`() {
        #expect(0x0102_0304.bigEndianBytes() == [1, 2, 3, 4])
        #expect(0x0102_0304.bigEndianBytes(2) == [3, 4])
        #expect(0x0102_0304.littleEndianBytes(3) == [4, 3, 2])
    }

    // MARK: Bits

    @Test func `bits are read from the highest or from the lowest one on`() {
        read([0b1010_0110, 0b1100_0001]) { reader in
            var bits = BitReader(reader, from: 0, to: 2)
            #expect(bits.number(3) == 0b101)
            #expect(bits.number(7) == 0b001_1011)
            bits.skip(1)
            #expect(bits.flag() == false)
            #expect(bits.number(4) == 1)
            #expect(bits.isComplete)
            #expect(bits.flag() == false)
            #expect(!bits.isComplete)
            var lowest = BitReader(reader, from: 0, to: 2, lowestFirst: true)
            #expect(lowest.number(3) == 0b110)
            #expect(lowest.number(7) == 0b011_0100)
            #expect(lowest.number(6) == 0b11_0000)
            #expect(lowest.isComplete)
        }
    }

    @Test func `bits outside of the range are zeros`() {
        read([0xFF, 0x81, 0xFF]) { reader in
            var bits = BitReader(reader, from: 1, to: 2)
            #expect(bits.number(12) == 0x810)
            #expect(!bits.isComplete)
            var skipping = BitReader(reader, from: 1, to: 2)
            skipping.skip(8)
            #expect(skipping.isComplete)
            skipping.skip(1)
            #expect(!skipping.isComplete)
        }
    }

    @Test func `numbers of variable length have up to 31 leading zeros`() {
        // 1, 010, 011, 00100, 00111, and a single 1.
        read([0b1010_0110, 0b0100_0011, 0b1100_0000]) { reader in
            var bits = BitReader(reader, from: 0, to: 3)
            #expect((0..<6).map { _ in bits.universalCode() } == [0, 1, 2, 3, 6, 0])
        }
        read([0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFE]) { reader in
            var bits = BitReader(reader, from: 0, to: 8)
            #expect(bits.universalCode() == Int(UInt32.max) - 1)
            #expect(bits.flag() == false)
            #expect(bits.isComplete)
        }
        read([0, 0, 0, 0, 0x80]) { reader in
            var bits = BitReader(reader, from: 0, to: 5)
            #expect(bits.universalCode() == Int(UInt32.max))
            #expect(bits.flag() == true, "no bit after the zeros is taken")
        }
    }

    // MARK: Boxes

    private func places(_ bytes: [UInt8], in range: Range<Int>? = nil) -> [[Int]] {
        read(bytes) { reader in
            ISOBox.all(reader, in: range ?? 0..<reader.count).map {
                [$0.start, $0.content.lowerBound, $0.content.upperBound]
            }
        }
    }

    /// Boxes with lengths of 32 bits, 64 bits, and up to the end.
    private let boxes: [UInt8] = {
        let parts: [(head: [UInt8], name: String, rest: [UInt8])] = [
            ([0, 0, 0, 10], "aaaa", [1, 2]), ([0, 0, 0, 1], "bbbb", [0, 0, 0, 0, 0, 0, 0, 19, 1, 2, 3]),
            ([0, 0, 0, 8], "cccc", []), ([0, 0, 0, 0], "aaaa", [9, 9, 9]),
        ]
        return parts.flatMap { $0.head + Array($0.name.utf8) + $0.rest }
    }()

    @Test func `boxes have lengths of 32 or 64 bits, or extend to the end`() {
        #expect(places(boxes) == [[0, 8, 10], [10, 26, 29], [29, 37, 37], [37, 45, 48]])
        #expect(places(boxes, in: 10..<37) == [[10, 26, 29], [29, 37, 37]])
        #expect(places(boxes, in: 37..<47) == [[37, 45, 47]], "the end of the range")
        read(boxes) { reader in
            let all = 0..<reader.count
            #expect(ISOBox.boxes(reader, in: all, named: "aaaa") == [8..<10, 45..<48])
            #expect(ISOBox.boxes(reader, in: all, named: "aaaa", limit: 3) == [8..<10])
            #expect(ISOBox.first(reader, in: all, named: "aaaa") == 8..<10)
            #expect(ISOBox.first(reader, in: all, named: "dddd") == nil)
            #expect(ISOBox.starts(reader, in: all, named: "aaaa") == [0, 37])
        }
    }

    @Test func `a box longer than the data ends with it, and a box with a damaged length ends the list`() {
        let first = Array(boxes[..<10])
        func box(_ length: Int, _ rest: [UInt8]) -> [UInt8] { length.bigEndianBytes() + Array("bbbb".utf8) + rest }
        #expect(places(first + box(100, [1, 2])) == [[0, 8, 10], [10, 18, 20]])
        #expect(places(first + box(1, [0, 0, 0, 1, 0, 0, 0, 0, 5])) == [[0, 8, 10], [10, 26, 27]])
        #expect(
            places(first + box(1, [0, 0, 0, 0, 0, 0, 0, 16]) + first) == [[0, 8, 10], [10, 26, 26], [26, 34, 36]])
        for damaged in [box(7, []), box(2, [1, 2]), box(1, [0, 0, 0, 0, 0, 0, 0, 15]), box(1, [0, 0, 0, 0, 0])] {
            #expect(places(first + damaged + first) == [[0, 8, 10]])
        }
        #expect(places(first + Array(box(9, []).dropLast())) == [[0, 8, 10]], "an incomplete head")
    }

    @Test func `the number of boxes of a level is limited`() {
        let box: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
        for (count, isComplete) in [(1024, true), (1025, false)] {
            read((0..<count).flatMap { _ in box }) { reader in
                let all = 0..<reader.count
                #expect(ISOBox.areAllRead(reader, in: all) == isComplete)
                #expect(ISOBox.boxes(reader, in: all, named: "free").count == 1024)
                #expect(ISOBox.starts(reader, in: all, named: "free").count == count)
            }
        }
    }

    // MARK: Exif

    private struct Entry {
        var tag: Int
        var type = 3
        var count = 1
        var value: Int
    }

    /// A TIFF file with two directories and bytes after them.
    private func tiff(_ first: [Entry], _ second: [Entry] = [], rest: [UInt8] = [], isLittleEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isLittleEndian ? value.littleEndianBytes(count) : value.bigEndianBytes(count)
        }
        func directory(_ entries: [Entry], next: Int) -> [UInt8] {
            var content = number(entries.count, 2)
            for entry in entries {
                content += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
                content += number(entry.value, entry.type == 3 ? 2 : 4)
                if entry.type == 3 { content += [0, 0] }
            }
            return content + number(next, 4)
        }
        let mark: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        var bytes = mark + number(42, 2) + number(8, 4)
        bytes += directory(first, next: second.isEmpty ? 0 : 8 + 6 + first.count * 12)
        if !second.isEmpty { bytes += directory(second, next: 0) }
        return bytes + rest
    }

    private func orientation(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) -> ImageOrientation? {
        read(bytes) { ExifBlock($0, from: start, to: end ?? bytes.count)?.orientation }
    }

    @Test(arguments: [true, false])
    func `the orientation is the first entry with its tag, as a number of 16 or 32 bits`(isLittleEndian: Bool) {
        for (type, expected) in [(3, ImageOrientation.right), (4, .right), (9, .right), (1, .up), (8, .up)] {
            let entries = [
                Entry(tag: 0x010E, type: 4, value: 3), Entry(tag: 0x0112, type: type, value: 6),
                Entry(tag: 0x0112, value: 3),
            ]
            let bytes = tiff(entries, isLittleEndian: isLittleEndian)
            #expect(orientation(bytes) == expected, "type \(type)")
            #expect(orientation([1, 2, 3] + bytes, from: 3) == expected, "type \(type)")
        }
        for count in [0, 2] {
            let bytes = tiff([Entry(tag: 0x0112, count: count, value: 6)], isLittleEndian: isLittleEndian)
            #expect(orientation(bytes) == .up)
        }
        #expect(orientation([0x49, 0x4D, 0x2A, 0]) == nil, "no byte order mark")
        #expect(orientation([0x4D, 0x4D, 0x2A, 0]) == nil)
    }

    @Test(arguments: [true, false])
    func `the orientation is read up to the end of the block`(isLittleEndian: Bool) {
        let short = tiff([Entry(tag: 0x0112, value: 6)], isLittleEndian: isLittleEndian)
        #expect(orientation(short, to: 20) == .right)
        #expect(orientation(short, to: 19) == .up)
        let long = tiff([Entry(tag: 0x0112, type: 4, value: 6)], isLittleEndian: isLittleEndian)
        #expect(orientation(long, to: 22) == .right)
        #expect(orientation(long, to: 21) == .up)
    }

    @Test func `512 entries of a directory are read`() {
        for (count, expected) in [(511, ImageOrientation.left), (512, .up)] {
            let others = [Entry](repeating: Entry(tag: 0x010F, value: 3), count: count)
            #expect(orientation(tiff(others + [Entry(tag: 0x0112, value: 8)], isLittleEndian: true)) == expected)
        }
    }

    @Test(arguments: [true, false])
    func `the thumbnail is the range that the second directory names`(isLittleEndian: Bool) {
        func file(
            length: Int = 5, _ first: [Entry] = [Entry(tag: 0x0112, value: 6), Entry(tag: 0x010F, value: 9)]
        )
            -> [UInt8]
        {
            // 8 bytes, the directories with 2 + 2 × 12 + 4 and 2 + 3 × 12 + 4 bytes, and 2 more.
            let second = [
                Entry(tag: 0x0103, value: 6), Entry(tag: 0x0201, type: 4, value: 82),
                Entry(tag: 0x0202, type: 4, value: length),
            ]
            let start: [UInt8] = [7, 7, 7]
            return start + tiff(first, second, rest: [0, 0, 1, 2, 3, 4, 5], isLittleEndian: isLittleEndian)
        }
        func thumbnail(_ bytes: [UInt8], to end: Int) -> Range<Int>? {
            read(bytes) { ExifBlock($0, from: 3, to: end)?.thumbnail }
        }
        #expect(file().count == 90)
        #expect(thumbnail(file(), to: 90) == 85..<90)
        #expect(Array(file()[85..<90]) == [1, 2, 3, 4, 5])
        #expect(thumbnail(file(), to: 89) == nil, "the block ends earlier")
        #expect(thumbnail(Array(file().dropLast()), to: 90) == nil, "the file ends earlier")
        #expect(thumbnail(file(length: 1), to: 90) == 85..<86)
        #expect(thumbnail(file(length: 0), to: 90) == nil)
        let alone = [0, 0, 0] + tiff([Entry(tag: 0x0112, value: 6)], isLittleEndian: isLittleEndian)
        #expect(thumbnail(alone, to: alone.count) == nil, "no second directory")
    }
}

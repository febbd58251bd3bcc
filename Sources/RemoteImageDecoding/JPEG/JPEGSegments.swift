/// The segments of a JPEG (ITU-T T.81 section B.1.1). Like decoders, it skips fill bytes, junk,
/// standalone markers and the pixels of scans. EOI is the last segment.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        let marker: UInt8
        /// The bytes after the length field, which may extend past the end of the file.
        let content: Range<Int>
    }

    private let reader: ByteReader
    private var index = 2

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func next() -> Segment? {
        while let found = reader.firstIndex(of: 0xFF, from: index), let marker = reader.byte(at: found + 1) {
            switch marker {
            case 0xFF: index = found + 1
            // Stuffed bytes and restart markers within the pixels, and standalone markers.
            case 0x00, 0x01, 0xD0...0xD8: index = found + 2
            case 0xD9:
                index = reader.count
                return Segment(marker: marker, content: (found + 2)..<(found + 2))
            default:
                guard let length = reader.bigEndian16(at: found + 2) else { return nil }
                // libjpeg continues after a length that is too small.
                index = found + 2 + Swift.max(2, length)
                return Segment(marker: marker, content: (found + 4)..<index)
            }
        }
        return nil
    }
}

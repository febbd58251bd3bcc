/// The scans of a JPEG, as far as they are there (ITU-T T.81 section B.1.1).
struct JPEGScans {
    private(set) var isProgressive = false
    /// Scans after whose end another segment begins.
    private(set) var completeCount = 0

    init(_ reader: ByteReader) {
        var index = 2
        while let marker = Self.marker(reader, at: index) {
            switch marker {
            case 0xC2: isProgressive = true
            case 0xD9: return
            default: break
            }
            guard let length = reader.bigEndian16(at: index + 2), length >= 2 else { return }
            index += 2 + length
            guard marker == 0xDA else { continue }
            guard let end = Self.endOfScan(reader, from: index) else { return }
            completeCount += 1
            index = end
        }
    }

    private static func marker(_ reader: ByteReader, at index: Int) -> UInt8? {
        guard reader.byte(at: index) == 0xFF, let marker = reader.byte(at: index + 1), marker != 0, marker != 0xFF
        else {
            return nil
        }
        return marker
    }

    /// Where the marker after the data is: one that is no restart, and no zero that is stuffed.
    private static func endOfScan(_ reader: ByteReader, from start: Int) -> Int? {
        var index = start
        while let found = reader.firstIndex(of: 0xFF, from: index) {
            guard let next = reader.byte(at: found + 1) else { return nil }
            if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return found }
            index = found + (next == 0xFF ? 1 : 2)
        }
        return nil
    }
}

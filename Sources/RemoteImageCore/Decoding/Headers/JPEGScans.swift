/// The scans of a JPEG, as far as they are there (ITU-T T.81 section B.2.3). They are counted where
/// a decoder takes the image in several passes; of the usual photograph, which has one scan, only
/// the beginning is looked at.
struct JPEGScans {
    private(set) var isProgressive = false
    private(set) var count = 0
    /// Scans after whose end another segment begins.
    private(set) var completeCount = 0

    init(_ reader: ByteReader) {
        var isInScan = false
        for segment in JPEGSegments(reader) {
            if isInScan { completeCount += 1 }
            isInScan = segment.marker == 0xDA
            if JPEGFrame.progressiveMarkers.contains(segment.marker) { isProgressive = true }
            guard isInScan else { continue }
            count += 1
            if count == 1, JPEGFrame(reader)?.coefficientByteCount == 0 { return }
        }
    }
}

/// What the header of the frame and of its first scan say of how a JPEG is decoded (ITU-T T.81
/// sections B.2.2 and B.2.3).
struct JPEGFrame {
    /// Frames of several scans that make each pixel better.
    static let progressiveMarkers: Set<UInt8> = [0xC2, 0xC6, 0xCA, 0xCE]

    /// What libjpeg keeps of an image that comes in several scans, in whatever size it is wanted:
    /// two bytes for each sample, in whole blocks. Nothing where the first scan has all components.
    private(set) var coefficientByteCount = 0

    /// Nil where the first scan is not there.
    init?(_ reader: ByteReader) {
        var frame: JPEGSegments.Segment?
        for segment in JPEGSegments(reader) {
            switch segment.marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: frame = segment
            case 0xD9: return nil
            case 0xDA:
                guard let frame, let count = reader.byte(at: frame.content.lowerBound + 5),
                    let firstCount = reader.byte(at: segment.content.lowerBound)
                else { return nil }
                if Self.progressiveMarkers.contains(frame.marker) || firstCount < count {
                    coefficientByteCount = Self.sampleCount(reader, frame.content.lowerBound) * 2
                }
                return
            default: break
            }
        }
        return nil
    }

    /// The samples of all components, each in as many blocks as its part of the whole units has.
    private static func sampleCount(_ reader: ByteReader, _ start: Int) -> Int {
        guard let height = reader.bigEndian16(at: start + 1), let width = reader.bigEndian16(at: start + 3),
            let count = reader.byte(at: start + 5)
        else { return 0 }
        let factors = (0..<Int(count)).map { reader.byte(at: start + 7 + $0 * 3) ?? 0 }
        let (across, down) = (Int(factors.map { $0 >> 4 }.max() ?? 0), Int(factors.map { $0 & 15 }.max() ?? 0))
        guard across > 0, down > 0 else { return 0 }
        let unitCount = ((width + 8 * across - 1) / (8 * across)) * ((height + 8 * down - 1) / (8 * down))
        return factors.reduce(0) { $0 + unitCount * 64 * Int($1 >> 4) * Int($1 & 15) }
    }
}

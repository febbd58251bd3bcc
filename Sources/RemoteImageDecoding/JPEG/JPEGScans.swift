/// Counts the available scans of a JPEG (ITU-T T.81 section B.2.3) that a decoder reads in several
/// passes. For an ordinary photograph with one scan, only the start of the file is read.
package struct JPEGScans {
    package private(set) var isProgressive = false
    private(set) var count = 0
    /// The number of scans that are followed by another segment.
    package private(set) var completeCount = 0

    package init(_ reader: ByteReader) {
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

/// The cost of decoding a JPEG, from the headers of its frame and its first scan (ITU-T T.81
/// sections B.2.2 and B.2.3).
package struct JPEGFrame {
    /// The markers of progressive frames, whose scans refine all pixels.
    static let progressiveMarkers: Set<UInt8> = [0xC2, 0xC6, 0xCA, 0xCE]

    /// The bytes of coefficients that libjpeg keeps for an image with several scans, at any decoded
    /// size: two per sample, in whole blocks. 0 for a sequential image whose first scan has all
    /// components.
    private(set) var coefficientByteCount = 0
    /// Whether the first scan has all pixels, Huffman-coded: libjpeg then notices if a part of them
    /// is missing.
    package private(set) var isOneHuffmanScan = false
    /// Whether the image is lossless JPEG, which libjpeg decodes only at full size.
    package private(set) var isLossless = false

    /// `nil` if the first scan is missing.
    package init?(_ reader: ByteReader) {
        var frame: JPEGSegments.Segment?
        for segment in JPEGSegments(reader) {
            switch segment.marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: frame = segment
            case 0xD9: return nil
            case 0xDA:
                guard let frame, let count = reader.byte(at: frame.content.lowerBound + 5),
                    let firstCount = reader.byte(at: segment.content.lowerBound)
                else { return nil }
                isLossless = frame.marker == 0xC3
                isOneHuffmanScan = (0xC0...0xC1).contains(frame.marker) && firstCount == count
                if Self.progressiveMarkers.contains(frame.marker) || firstCount < count {
                    coefficientByteCount = Self.sampleCount(reader, frame.content.lowerBound) * 2
                }
                return
            default: break
            }
        }
        return nil
    }

    /// The number of samples of all components, rounded up to whole minimum coded units.
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

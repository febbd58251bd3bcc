// Fuzzes the header parsers, the other parsers that run in the application, and the GIF decoder. It
// is built with libFuzzer: scripts/fuzz.sh compiles this file together with the sources.

/// Called with each input; a trap, a sanitizer's report, or an input that takes long is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeaders(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    _ = ImageFormat.sniff(bytes)
    _ = ImageFormat.unsupportedName(of: bytes)
    _ = try? ImageHeader.read(bytes)
    // The input is read as every format, whatever its signature, to reach each parser.
    for format in ImageFormat.allCases {
        try? format.checkEnd(of: bytes)
        if format.frameCount(of: bytes) < 1 { fatalError("no frame") }
    }
    _ = ColorProfile.ofJPEG(bytes)
    decodeGIF(bytes)
    bytes.withUnsafeBytes { buffer in
        let (scans, frame) = (JPEGScans(ByteReader(buffer)), JPEGFrame(ByteReader(buffer)))
        if scans.completeCount > scans.count || (frame?.coefficientByteCount ?? 0) < 0 { fatalError("scans") }
    }
    for frame in bytes.withUnsafeBytes({ PNGAnimation.outline(ByteReader($0), frameLimit: 64) })?.frames ?? [] {
        // The ranges of the frame are within the file and form a PNG of the claimed size.
        let file = frame.file(from: bytes)
        if (try? ImageHeader.read(file))?.storedSize != frame.size { fatalError("a frame of another size") }
        if (try? ImageFormat.png.checkEnd(of: file)) == nil { fatalError("a frame without an end") }
    }
    for frame in bytes.withUnsafeBytes({ AVIFAnimation.outline(ByteReader($0), frameLimit: 64) })?.frames ?? [] {
        // The coded size may differ from the claimed size, which makes the header unreadable.
        guard let header = try? ImageHeader.read(frame.file(from: bytes)) else { continue }
        if header.storedSize != frame.size { fatalError("a frame of another size") }
    }
    for frame in bytes.withUnsafeBytes({ GIFAnimation.outline(ByteReader($0), frameLimit: 64) })?.frames ?? [] {
        guard let header = try? ImageHeader.read(frame.file(from: bytes)) else { continue }
        if header.storedSize != frame.size { fatalError("a frame of another size") }
    }
    for frame in bytes.withUnsafeBytes({ WebPAnimation.outline(ByteReader($0), frameLimit: 64) })?.frames ?? [] {
        // The frame has a size of its own in its pixel data.
        _ = try? ImageHeader.read(frame.file(from: bytes))
    }
    if let still = HEIFHeader.withoutTracks(bytes) {
        if still.count != bytes.count { fatalError("bytes have moved") }
        if HEIFHeader.withoutTracks(still) != nil { fatalError("a track is left") }
    }
    if let changed = AVIFTrack.withoutOtherTracks(bytes) {
        if AVIFTrack.withoutOtherTracks(changed) != nil { fatalError("a track is left") }
    }
    if let changed = HEIFHeader.asReadByLibavif(bytes), changed.count != bytes.count { fatalError("bytes have moved") }
    if let range = bytes.withUnsafeBytes({ JPEGHeader.thumbnail(ByteReader($0)) }) {
        _ = try? ImageHeader.read(Array(bytes[range]))
    }
    return 0
}

/// Decodes at full size and at an averaged size.
private func decodeGIF(_ bytes: [UInt8]) {
    guard let header = try? ImageHeader.read(bytes), header.format == .gif else { return }
    var limits = DecodeLimits()
    limits.maxPixelCount = 1 << 16
    for target in [nil, TargetSize.longestSide(7)] {
        let request = DecodeRequest(header: header, target: target, limits: limits)
        guard let pixels = try? GIFDecoder().decode(bytes, request).pixels else { continue }
        if pixels.byteCount != pixels.size.pixelCount * pixels.format.bytesPerPixel { fatalError("pixels are missing") }
    }
}

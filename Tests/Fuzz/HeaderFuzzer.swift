// What reads a file before any decoder does, for libFuzzer: scripts/fuzz.sh compiles it together with the sources.

/// Called with each input; a trap, a sanitizer's report, or an input that takes long is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeaders(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    _ = ImageFormat.sniff(bytes)
    _ = UnsupportedFormat.name(of: bytes)
    _ = try? ImageHeader.read(bytes)
    // As if the signature were each of them: what follows is read by another function then.
    for format in ImageFormat.allCases {
        try? FileEnd.check(bytes, format)
        if let end = FirstFrame.byteCount(in: bytes, format), end < 0 || end > count { fatalError("beyond the end") }
        if FrameCount.of(bytes, format) < 1 { fatalError("no frame") }
    }
    _ = ColorProfile.isEmbedded(inJPEG: bytes)
    let ranges = PictureChunks.ranges(in: bytes)
    var last = 0
    for range in ranges {
        if range.lowerBound < last || range.upperBound > count { fatalError("ranges out of order") }
        last = range.upperBound
    }
    return 0
}

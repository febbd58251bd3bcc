extension PixelBuffer {
    /// Whether `count` pixels of RGBA are all opaque.
    package static func isOpaque(_ pixels: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        // Four pixels at a time and one check at the end: a branch per pixel would cost more than
        // it saves.
        var four = SIMD16<UInt8>(repeating: 255)
        for x in 0..<(count / 4) {
            four &= UnsafeRawPointer(pixels + x * 16).loadUnaligned(as: SIMD16<UInt8>.self)
        }
        var all = four[3] & four[7] & four[11] & four[15]
        for x in (count / 4 * 4)..<count { all &= pixels[x * 4 + 3] }
        return all == 255
    }
}

/// Names image formats that the library recognizes but does not decode, for error messages.
enum UnsupportedFormat {
    static func name(of bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { buffer in
            let reader = ByteReader(buffer)
            if reader.has("BM"), reader.littleEndian32(at: 6) == 0 { return "bmp" }
            if reader.has([0x49, 0x49, 0x2A, 0x00]) || reader.has([0x4D, 0x4D, 0x00, 0x2A]) { return "tiff" }
            if reader.has([0x00, 0x00, 0x01, 0x00]) { return "ico" }
            if reader.has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || reader.has([0xFF, 0x4F, 0xFF, 0x51]) {
                return "jp2"
            }
            if reader.has("8BPS") { return "psd" }
            if reader.has("qoif") { return "qoi" }
            if reader.has("%PDF-") { return "pdf" }
            return nil
        }
    }
}

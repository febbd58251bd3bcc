/// Chunks of PNG files (W3C PNG specification, section 5.3).
public enum PNGChunk {
    public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A chunk: length, type, data, and the CRC of type and data.
    public static func make(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return number(UInt32(content.count)) + body + number(checksum(body[...]))
    }

    /// The signature and the IHDR chunk of an image with 8 bits per channel. `colour` is the color
    /// type: 0 for gray, 2 for RGB, 6 for RGBA.
    public static func header(width: UInt32, height: UInt32, colour: UInt8 = 2) -> [UInt8] {
        signature + make("IHDR", number(width) + number(height) + [8, colour, 0, 0, 0])
    }

    /// The CRC-32 that PNG specifies.
    public static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8)
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// Reads the size of a Windows bitmap file.
package enum BMPHeader {
    /// The position of the information header in a file.
    package static let informationStart = 14

    static func isOne(_ reader: ByteReader) -> Bool {
        guard reader.has("BM"), let length = reader.littleEndian32(at: informationStart) else { return false }
        return isInformation(length)
    }

    /// Whether an information header may have this length: those of Windows, or 16 to 64 bytes of
    /// that of OS/2 2, whose missing fields are 0.
    static func isInformation(_ length: Int) -> Bool {
        isWindows(length) || (16...64).contains(length) && (length % 4 == 0 || length == 42 || length == 46)
    }

    /// Whether a header of this length has the layout of Windows.
    package static func isWindows(_ length: Int) -> Bool { [12, 40, 52, 56, 108, 124].contains(length) }

    static func read(_ reader: ByteReader) -> ImageHeader? {
        size(reader, at: informationStart).map { ImageHeader(format: .bmp, storedSize: $0.size) }
    }

    /// The size in the information header at `index`, and whether the first row is the top one.
    package static func size(_ reader: ByteReader, at index: Int) -> (size: PixelSize, isTopDown: Bool)? {
        if reader.littleEndian32(at: index) == 12 {
            guard let width = reader.littleEndian16(at: index + 4), let height = reader.littleEndian16(at: index + 6)
            else {
                return nil
            }
            return (PixelSize(width: width, height: height), false)
        }
        guard let width = signed(reader, at: index + 4), let height = signed(reader, at: index + 8) else { return nil }
        return (PixelSize(width: width, height: abs(height)), height < 0)
    }

    private static func signed(_ reader: ByteReader, at index: Int) -> Int? {
        reader.littleEndian32(at: index).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}

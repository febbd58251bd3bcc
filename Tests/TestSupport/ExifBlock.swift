/// An Exif block with nothing but an orientation, as JPEG and PNG files carry it.
public enum ExifBlock {
    /// A TIFF header and one directory with one entry.
    public static func tiff(orientation: UInt16, isLittleEndian: Bool) -> [UInt8] {
        func number16(_ value: UInt16) -> [UInt8] {
            let bytes = [UInt8(value >> 8), UInt8(value & 0xFF)]
            return isLittleEndian ? bytes.reversed() : bytes
        }
        func number32(_ value: UInt32) -> [UInt8] {
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
            return isLittleEndian ? bytes.reversed() : bytes
        }
        let mark: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        return mark + number16(42) + number32(8) + number16(1)
            // Tag, type SHORT, one of them, its value in the first half of the field.
            + number16(0x0112) + number16(3) + number32(1) + number16(orientation) + number16(0) + number32(0)
    }

    /// `jpeg` with the block in an APP1 segment behind its start.
    public static func insert(orientation: UInt16, isLittleEndian: Bool, into jpeg: [UInt8]) -> [UInt8] {
        let content = Array("Exif".utf8) + [0, 0] + tiff(orientation: orientation, isLittleEndian: isLittleEndian)
        let length = content.count + 2
        return jpeg[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content + jpeg[2...]
    }
}

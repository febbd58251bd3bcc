/// Exif blocks with an orientation, for JPEG and PNG files.
public enum ExifBlock {
    /// A TIFF header and one IFD whose only entry is the orientation, of type SHORT, or SLONG if
    /// `isLong`.
    public static func tiff(orientation: UInt16, isLittleEndian: Bool, isLong: Bool = false) -> [UInt8] {
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
            // Tag, type, count 1, and value. A SHORT occupies the first half of the value field.
            + number16(0x0112) + number16(isLong ? 9 : 3) + number32(1)
            + (isLong ? number32(UInt32(orientation)) : number16(orientation) + number16(0)) + number32(0)
    }

    /// `jpeg` with an Exif block, which has an orientation and a thumbnail, after the SOI marker.
    public static func insert(orientation: UInt16, thumbnail: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        func number16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        func number32(_ value: Int) -> [UInt8] { number16(value >> 16) + number16(value & 0xFFFF) }
        // The first IFD ends with the offset of the second IFD, which follows it directly.
        var tiff = Array(tiff(orientation: orientation, isLittleEndian: false).dropLast(4))
        tiff += number32(tiff.count + 4)
        let offset = tiff.count + 2 + 2 * 12 + 4
        tiff += number16(2)
        tiff += number16(0x0201) + number16(4) + number32(1) + number32(offset)
        tiff += number16(0x0202) + number16(4) + number32(1) + number32(thumbnail.count)
        tiff += number32(0) + thumbnail
        let content = Array("Exif".utf8) + [0, 0] + tiff
        return jpeg[..<2] + [0xFF, 0xE1] + number16(content.count + 2) + content + jpeg[2...]
    }

    /// `jpeg` with the block in an APP1 segment after the SOI marker.
    public static func insert(orientation: UInt16, isLittleEndian: Bool, into jpeg: [UInt8]) -> [UInt8] {
        let content = Array("Exif".utf8) + [0, 0] + tiff(orientation: orientation, isLittleEndian: isLittleEndian)
        let length = content.count + 2
        return jpeg[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content + jpeg[2...]
    }
}

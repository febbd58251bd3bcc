/// How an image is displayed, from its properties (ISO/IEC 23008-12, section 6.5).
package struct HEIFImage {
    /// The size that decoders decode, of which the displayed image may be a part.
    package let codedSize: PixelSize
    /// The size of the displayed part, before the orientation is applied. In AVIF, the part is at
    /// the upper left corner.
    package private(set) var cropSize: PixelSize
    package private(set) var orientation = ImageOrientation.up
    /// The light of the brightest pixel in cd/m² (MaxCLL); `nil` if it is not known.
    package let maxLight: Int?

    /// The displayed size.
    package var size: PixelSize { cropSize.applyingOrientation(orientation) }

    /// Reads the property boxes of an image of `size` pixels.
    ///
    /// In AVIF, a crop precedes a rotation, which precedes mirroring (ISO/IEC 23000-22, section
    /// 7.3.6.7), and as in browsers a crop that is damaged or does not start at the upper left
    /// corner is ignored. In HEIC, libheif applies all in the order of the properties.
    init(
        _ reader: ByteReader, _ boxes: [(start: Int, content: Range<Int>)], codedSize: PixelSize, size: PixelSize,
        _ format: ImageFormat
    ) {
        func box(_ name: StaticString) -> Range<Int>? { boxes.first { reader.has(name, at: $0.start + 4) }?.content }
        self.codedSize = codedSize
        cropSize = size
        maxLight = box("clli").flatMap { reader.bigEndian16(at: $0.lowerBound) }.flatMap { $0 > 0 ? $0 : nil }
        guard format == .avif else {
            for (start, content) in boxes {
                if reader.has("clap", at: start + 4) {
                    applyCrop(reader, content)
                } else if reader.has("irot", at: start + 4), let turns = reader.byte(at: content.lowerBound) {
                    if turns & 1 == 1 { cropSize = cropSize.transposed }
                }
            }
            return
        }
        if let crop = box("clap"), let part = Self.cornerCrop(reader, crop, of: size) { cropSize = part }
        let turns = box("irot").flatMap { reader.byte(at: $0.lowerBound) }.map { Int($0 & 3) } ?? 0
        let axis = box("imir").flatMap { reader.byte(at: $0.lowerBound) }.map { Int($0 & 1) }
        // Quarter turns counterclockwise, then an exchange of top and bottom (axis 0) or left and
        // right.
        let orientations: [ImageOrientation] =
            switch axis {
            case 0: [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored]
            case 1: [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
            default: [.up, .left, .down, .right]
            }
        orientation = orientations[turns]
    }

    /// The size of a crop to whole pixels at the upper left corner; `nil` for every other crop.
    private static func cornerCrop(_ reader: ByteReader, _ box: Range<Int>, of size: PixelSize) -> PixelSize? {
        func side(_ index: Int, _ whole: Int, offset: Int) -> Int? {
            guard let part = reader.bigEndian32(at: box.lowerBound + index),
                let divisor = reader.bigEndian32(at: box.lowerBound + index + 4), divisor > 0, part % divisor == 0,
                let shift = reader.bigEndian32(at: box.lowerBound + offset),
                let shiftDivisor = reader.bigEndian32(at: box.lowerBound + offset + 4), shiftDivisor > 0
            else { return nil }
            let length = part / divisor
            guard length >= 1, length <= whole else { return nil }
            // The offset is signed, and that of the centers.
            let signed = Int(Int32(truncatingIfNeeded: shift))
            let (distance, overflow) = (length - whole).multipliedReportingOverflow(by: shiftDivisor)
            return !overflow && 2 * signed == distance ? length : nil
        }
        guard let width = side(0, size.width, offset: 16), let height = side(8, size.height, offset: 24) else {
            return nil
        }
        return PixelSize(width: width, height: height)
    }

    /// Crops to the nearest pixels as libheif does.
    private mutating func applyCrop(_ reader: ByteReader, _ box: Range<Int>) {
        func length(_ index: Int, _ whole: Int, offset: Int) -> Int {
            func fraction(_ index: Int, isSigned: Bool) -> Double? {
                guard let value = reader.bigEndian32(at: box.lowerBound + index),
                    let divisor = reader.bigEndian32(at: box.lowerBound + index + 4), divisor > 0
                else { return nil }
                return Double(isSigned ? Int(Int32(truncatingIfNeeded: value)) : value) / Double(divisor)
            }
            guard let part = fraction(index, isSigned: false), let shift = fraction(offset, isSigned: true) else {
                return whole
            }
            let start = shift + Double(whole - 1) / 2 - (part - 1) / 2
            let first = max(0, Int(start.rounded(.down)))
            let last = min(whole - 1, Int((start + part - 1).rounded()))
            return max(1, last - first + 1)
        }
        cropSize = PixelSize(
            width: length(0, cropSize.width, offset: 16), height: length(8, cropSize.height, offset: 24))
    }
}

extension HEIFImage {
    /// The image of a file that a decoder is about to decode. Throws if the header is damaged or a
    /// size exceeds the limits.
    package static func checked(
        _ bytes: [UInt8], _ format: ImageFormat, _ limits: DecodeLimits
    ) throws(ImageError) -> HEIFImage {
        guard let image = HEIFHeader.image(of: bytes, format) else {
            // Throws the reason, unless the format is another one.
            _ = try ImageHeader.read(bytes)
            throw ImageError(.corrupt, "the header of the \(format.rawValue) is damaged")
        }
        try limits.check(image.codedSize)
        try limits.check(image.size)
        return image
    }
}

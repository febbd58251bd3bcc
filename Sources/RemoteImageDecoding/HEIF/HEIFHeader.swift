/// Reads the size of a HEIF file, AVIF or HEIC, from the boxes of the ISO base media format
/// (ISO/IEC 14496-12, and 23008-12 for images).
package enum HEIFHeader {
    /// The format that a file type box names as its major brand or a compatible brand. If the
    /// brands name only the container, the primary item decides: AVIF for AV1, HEIC for everything
    /// else.
    static func format(_ reader: ByteReader) -> ImageFormat? {
        guard reader.has("ftyp", at: 4), let size = reader.bigEndian32(at: 0), size >= 16 else { return nil }
        let end = min(reader.count, size, 256)
        let brands = stride(from: 8, to: end - 3, by: 4).filter { $0 != 12 }
        func names(_ names: [StaticString]) -> Bool {
            brands.contains { index in names.contains { reader.has($0, at: index) } }
        }
        if names(["avif", "avis"]) { return .avif }
        if names(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]) { return .heic }
        guard names(["mif1", "msf1"]) else { return nil }
        return HEIFPrimary(reader)?.coding == "av01" ? .avif : .heic
    }

    /// Whether the data of all images is within the available bytes.
    static func isComplete(_ reader: ByteReader) -> Bool {
        ISOBox.meta(reader).flatMap { HEIFItems(reader, $0, .heic) }?.isComplete ?? true
    }

    /// Whether the file has an image sequence and no still image.
    package static func hasOnlyTracks(_ bytes: [UInt8]) -> Bool {
        bytes.withReader { hasOnlyTracks($0) }
    }

    static func hasOnlyTracks(_ reader: ByteReader) -> Bool {
        ISOBox.first(reader, in: 0..<reader.count, named: "moov") != nil && ISOBox.meta(reader) == nil
    }

    /// The header with the displayed size, after cropping and rotation. Throws if the primary image
    /// is coded with another codec than AV1 or HEVC, or if the file has only tracks.
    static func read(_ reader: ByteReader, _ format: ImageFormat) throws(ImageError) -> ImageHeader? {
        if let image = image(reader, format) { return ImageHeader(format: format, storedSize: image.size) }
        if hasOnlyTracks(reader) { throw ImageError(.unsupportedFormat, "\(format.rawValue) without a still image") }
        guard let primary = HEIFPrimary(reader), primary.hasOtherCodec else { return nil }
        throw ImageError(.unsupportedFormat, "\(format.rawValue) coded as \(primary.coding)")
    }

    /// The displayed image of a file: that of the frames of an AVIF sequence, or else of the
    /// primary item.
    ///
    /// `nil` if the header is damaged, if a frame of an item is coded in a larger size than
    /// declared, and if decoding costs more than an image of its size should. The frames of a
    /// sequence are checked by ``AVIFTrack/playableCount(_:limits:)``.
    package static func image(of bytes: [UInt8], _ format: ImageFormat) -> HEIFImage? {
        bytes.withReader { image($0, format) }
    }

    private static func image(_ reader: ByteReader, _ format: ImageFormat) -> HEIFImage? {
        let track = format == .avif ? AVIFTrack.main(AVIFTrack.all(reader)) : nil
        return track?.image ?? item(reader, format)
    }

    /// The primary item. The coded size is the largest `ispe` size of the file, which is usually
    /// that of the image, since thumbnails and alpha planes are not larger; for a layer, it is that
    /// of all layers.
    static func item(_ reader: ByteReader, _ format: ImageFormat) -> HEIFImage? {
        guard let meta = ISOBox.meta(reader),
            let properties = ISOBox.first(reader, in: meta, named: "iprp"),
            let container = ISOBox.first(reader, in: properties, named: "ipco"),
            // libheif reads more boxes than `ISOBox`, so no box may come after the limit.
            [0..<reader.count, meta, properties, container].allSatisfy({ ISOBox.areAllRead(reader, in: $0) })
        else { return nil }
        var sizes = ISOBox.boxes(reader, in: container, named: "ispe").compactMap { size(reader, $0) }
        guard let items = HEIFItems(reader, meta, format),
            let links = HEIFProperties(reader, properties, container)
        else { return nil }
        // Maps may be coded as one large frame beside the small tiles of the image.
        let maps = links.maps(among: items.auxiliaries)
        guard var coded = items.coded(without: maps) else { return nil }
        for configuration in links.boxes(named: "av1C", without: maps) {
            // libheif decodes these units before the data of an item.
            let units = Array(reader[configuration.dropFirst(4)])
            guard let frames = units.withReader({ AV1Frames($0) }) else { return nil }
            coded.add(frames)
            guard !coded.hasTooManySizes else { return nil }
        }
        for configuration in links.boxes(named: "hvcC", without: maps) {
            guard let frames = HEVCFrames(configuration: reader, in: configuration) else { return nil }
            coded.add(frames)
            guard !coded.hasTooManySizes else { return nil }
        }
        let own = HEIFPrimary(reader, meta).map { links.boxes(of: $0.identifier) } ?? []
        // An image that is a lower layer has a smaller size than the coded frames.
        let isLayer = own.contains { reader.has("a1op", at: $0.start + 4) || reader.has("lsel", at: $0.start + 4) }
        if isLayer { sizes += coded.sizes }
        guard let largest = sizes.max(by: { $0.pixelCount < $1.pixelCount }), isWorth(coded, largest) else {
            return nil
        }
        let isCovered = coded.allSizes.allSatisfy { coded in
            sizes.contains { coded.width <= aligned($0.width) && coded.height <= aligned($0.height) }
        }
        guard isCovered else { return nil }
        let extent = own.first { reader.has("ispe", at: $0.start + 4) }.flatMap { size(reader, $0.content) }
        return HEIFImage(reader, own, codedSize: largest, size: extent ?? largest, format)
    }

    /// The size in an `ispe` box.
    private static func size(_ reader: ByteReader, _ box: Range<Int>) -> PixelSize? {
        guard box.count >= 12, let width = reader.bigEndian32(at: box.lowerBound + 4),
            let height = reader.bigEndian32(at: box.lowerBound + 8)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// Whether the cost of decoding is plausible for an image of this size: tiles, an alpha plane,
    /// a gain map and layers add up to a few times its pixels. HEVC has no layers and takes several
    /// times as long as AV1, so only the tiles of small images may be larger than their canvas.
    private static func isWorth(_ coded: HEIFCoded, _ size: PixelSize) -> Bool {
        // `Double`, since the sum of declared sizes may overflow `Int`.
        let pixelCount = Double(aligned(size.width)) * Double(aligned(size.height))
        let codedPixelCount = coded.allSizes.reduce(0) { $0 + Double($1.pixelCount) }
        return codedPixelCount <= 8 * pixelCount && coded.framePixelCount <= 8 * pixelCount
            && coded.hevcPixelCount <= 3 * pixelCount + 4_000_000
    }

    /// A side rounded up to whole superblocks or coding tree blocks, which some encoders code in
    /// full.
    package static func aligned(_ side: Int) -> Int { (side + 63) / 64 * 64 }

    /// The file with its tracks disabled, so that decoders decode the primary item, a still image,
    /// instead of an image sequence. Items of further `meta` boxes are disabled as well, since
    /// libheif decodes the last ones and browsers the first. No byte changes its position. `nil` if
    /// nothing has to change.
    package static func withoutTracks(_ bytes: [UInt8]) -> [UInt8]? {
        let disabled = bytes.withReader { reader in
            func starts(_ name: StaticString) -> [Int] { ISOBox.starts(reader, in: 0..<reader.count, named: name) }
            return starts("moov") + starts("meta").dropFirst()
        }
        let typeEnd = min(bytes.count, bytes.withReader { $0.bigEndian32(at: 0) } ?? 0)
        var still = bytes
        // libheif 1.20 and later requires a `moov` box with these brands.
        let brandsOfTracks = ["avis", "msf1", "isom", "mp41", "mp42"]
        for index in stride(from: 8, to: typeEnd - 3, by: 4) {
            let brand = String(decoding: still[index..<(index + 4)], as: UTF8.self)
            guard brandsOfTracks.contains(brand) else { continue }
            still.replaceSubrange(index..<(index + 4), with: (brand == "avis" ? "avif" : "mif1").utf8)
        }
        for start in disabled { still.replaceSubrange((start + 4)..<(start + 8), with: "free".utf8) }
        return still == bytes ? nil : still
    }

    /// The file with what libavif refuses, and browsers do not, in another form:
    ///
    /// - several `ipma` boxes with the same flags, which old encoders wrote, get different flags;
    /// - `clli`, which libavif 0.11 does not know, is not marked as essential;
    /// - a `meta` box of length 0, which extends to the end of the file, gets its length.
    ///
    /// `nil` if nothing has to change.
    package static func asReadByLibavif(_ bytes: [UInt8]) -> [UInt8]? {
        let (lists, lights) = bytes.withReader { reader -> ([Range<Int>], [Int]) in
            guard let meta = ISOBox.meta(reader), let properties = ISOBox.first(reader, in: meta, named: "iprp"),
                let container = ISOBox.first(reader, in: properties, named: "ipco"),
                let links = HEIFProperties(reader, properties, container)
            else { return ([], []) }
            let lists = ISOBox.boxes(reader, in: properties, named: "ipma").filter { $0.count > 4 }
            return (lists, links.associations(with: "clli"))
        }
        var changed = bytes
        let start = bytes.withReader { ISOBox.starts($0, in: 0..<bytes.count, named: "meta").first }
        if let start, let length = UInt32(exactly: bytes.count - start), changed[start..<(start + 4)] == [0, 0, 0, 0] {
            for index in 0..<4 { changed[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
        }
        for index in lights { changed[index] &= 0x7F }
        if lists.count > 1, lists.count < 256 {
            // After the version.
            for (number, list) in lists.enumerated() { changed[list.lowerBound + 1] = UInt8(number) }
        }
        return changed == bytes ? nil : changed
    }
}

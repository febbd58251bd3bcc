/// Turns the frames of an AVIF image sequence into still AVIF files (AV1 Image File Format,
/// sections 3 and 4), for decoders of still images. A frame that depends on others cannot become a
/// still image: a sequence with such a frame is shown as its primary image.
enum AVIFAnimation {
    /// The outline of at most `frameLimit` frames. `nil` if there are fewer than two, if the
    /// primary image has another size or is rotated, mirrored or cropped, and if frames depend on
    /// others.
    static func outline(_ reader: ByteReader, frameLimit: Int) -> AnimationOutline? {
        let tracks = AVIFTrack.all(reader)
        guard let colors = AVIFTrack.main(tracks), colors.isPlayable,
            HEIFHeader.item(reader, .avif)?.size == colors.size, !isTransformed(reader)
        else { return nil }
        let alpha = colors.alpha(among: tracks)
        if let alpha {
            guard alpha.isPlayable, alpha.size == colors.size, alpha.sampleCount == colors.sampleCount else {
                return nil
            }
        }
        var outline = AnimationOutline(canvas: colors.size, playCount: colors.playCount)
        let alphaSamples = alpha?.samples(limit: frameLimit)
        for (index, sample) in colors.samples(limit: frameLimit).enumerated() {
            var items = [Item(colors, sample.range, colors.colors)]
            if let alpha, let alphaSamples {
                guard index < alphaSamples.count else { break }
                items.append(Item(alpha, alphaSamples[index].range, []))
            }
            outline.frames.append(
                AnimationFrame(
                    x: 0, y: 0, size: colors.size, delay: AnimationFrame.delay(milliseconds: sample.milliseconds),
                    disposal: .keep, blends: false, pieces: file(items)))
        }
        return outline.frames.count > 1 ? outline : nil
    }

    /// An image item of the file.
    private struct Item {
        let size: PixelSize
        let data: Range<Int>
        /// The contents of the `av1C` and `colr` boxes.
        let configuration: Range<Int>
        let colors: [Range<Int>]

        init(_ track: AVIFTrack, _ data: Range<Int>, _ colors: [Range<Int>]) {
            (size, configuration) = (track.size, track.configuration)
            (self.data, self.colors) = (data, colors)
        }
    }

    private static func isTransformed(_ reader: ByteReader) -> Bool {
        let metas = ISOBox.boxes(reader, in: 0..<reader.count, named: "meta").map { $0.dropFirst(4) }
        let properties = metas.flatMap { ISOBox.boxes(reader, in: $0, named: "iprp") }
        let containers = properties.flatMap { ISOBox.boxes(reader, in: $0, named: "ipco") }
        let names: [StaticString] = ["irot", "imir", "clap"]
        return containers.contains { container in
            names.contains { !ISOBox.boxes(reader, in: container, named: $0).isEmpty }
        }
    }

    // MARK: The file of a frame

    private typealias Piece = AnimationFrame.Piece

    /// A still file: item 1 has the colors, item 2 has the alpha.
    private static func file(_ items: [Item]) -> [Piece] {
        let type = box("ftyp", Array("avif\0\0\0\0avifmif1miaf".utf8))
        let (properties, associations) = properties(of: items)
        let propertyByteCount = properties.reduce(0) { $0 + $1.count }
        let container = head("ipco", propertyByteCount)
        let list = head("iprp", container.count + propertyByteCount + associations.count) + container
        let restByteCount = list.count + propertyByteCount + associations.count
        func meta(dataStart: Int) -> [UInt8] {
            let fields = fields(items, dataStart: dataStart)
            return head("meta", fields.count + restByteCount) + fields + list
        }
        // The length of the locations does not depend on their values.
        let start = type.count + meta(dataStart: 0).count + propertyByteCount + associations.count + 8
        let data = head("mdat", items.reduce(0) { $0 + $1.data.count })
        return [.bytes(type + meta(dataStart: start))] + properties + [.bytes(associations + data)]
            + items.map { .range($0.data) }
    }

    /// The boxes of the `meta` box before the properties.
    private static func fields(_ items: [Item], dataStart: Int) -> [UInt8] {
        var offset = dataStart
        var (locations, entries) = ([UInt8](), [UInt8]())
        for (index, item) in items.enumerated() {
            let identifier = (index + 1).bigEndianBytes(2)
            locations += identifier + [0, 0, 0, 1] + offset.bigEndianBytes() + item.data.count.bigEndianBytes()
            offset += item.data.count
            entries += box("infe", [2, 0, 0, 0] + identifier + [0, 0] + Array("av01".utf8) + [0])
        }
        let count = items.count.bigEndianBytes(2)
        let handler = [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)
        var fields: [UInt8] = [0, 0, 0, 0]
        fields += box("hdlr", handler)
        fields += box("pitm", [0, 0, 0, 0, 0, 1])
        fields += box("iloc", [0, 0, 0, 0, 0x44, 0] + count + locations)
        fields += box("iinf", [0, 0, 0, 0] + count + entries)
        if items.count > 1 { fields += box("iref", [0, 0, 0, 0] + box("auxl", [0, 2, 0, 1, 0, 1])) }
        return fields
    }

    /// The properties, and the box that associates them with the items. The properties of the track
    /// are ranges of the file, so they are not copied for each frame.
    private static func properties(of items: [Item]) -> (properties: [Piece], associations: [UInt8]) {
        var properties: [Piece] = []
        var (links, count) = ([UInt8](), UInt8(0))
        for (index, item) in items.enumerated() {
            var own: [UInt8] = []
            func add(_ pieces: [Piece], isEssential: Bool = false) {
                count += 1
                own.append(isEssential ? count | 0x80 : count)
                properties += pieces
            }
            let sides = item.size.width.bigEndianBytes() + item.size.height.bigEndianBytes()
            add([.bytes(box("ispe", [0, 0, 0, 0] + sides))])
            add([.bytes(head("av1C", item.configuration.count)), .range(item.configuration)], isEssential: true)
            for colors in item.colors.prefix(2) { add([.bytes(head("colr", colors.count)), .range(colors)]) }
            if index > 0 { add([.bytes(box("auxC", [0, 0, 0, 0] + Array(alphaName.utf8) + [0]))]) }
            links += (index + 1).bigEndianBytes(2) + [UInt8(own.count)] + own
        }
        return (properties, box("ipma", [0, 0, 0, 0] + items.count.bigEndianBytes() + links))
    }

    private static let alphaName = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

    private static func head(_ name: StaticString, _ contentByteCount: Int) -> [UInt8] {
        (contentByteCount + 8).bigEndianBytes() + name.withUTF8Buffer { Array($0) }
    }

    private static func box(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        head(name, content.count) + content
    }
}

/// The primary item of a file, which is displayed (ISO/IEC 14496-12, section 8.11.4).
struct HEIFPrimary {
    let identifier: Int
    /// The type of the item, such as `av01` or `hvc1`. For a grid or an identity, the type of the
    /// first item from which it is derived.
    let coding: String

    private static let depthLimit = 4

    /// `nil` if the boxes for the primary item or its type are missing or duplicated.
    init?(_ reader: ByteReader) {
        guard let meta = ISOBox.meta(reader) else { return nil }
        self.init(reader, meta)
    }

    init?(_ reader: ByteReader, _ meta: Range<Int>) {
        let boxes = ISOBox.boxes(reader, in: meta, named: "pitm")
        guard boxes.count == 1, let box = boxes.first,
            let identifier = reader.byte(at: box.lowerBound) == 0
                ? reader.bigEndian16(at: box.lowerBound + 4) : reader.bigEndian32(at: box.lowerBound + 4)
        else { return nil }
        let types = Self.types(reader, meta)
        let references = HEIFReferences(reader, meta)
        var item = identifier
        for _ in 0..<Self.depthLimit {
            guard ["grid", "iden"].contains(types[item]), let source = references.firstSources[item] else { break }
            item = source
        }
        guard let coding = types[item] else { return nil }
        (self.identifier, self.coding) = (identifier, coding)
    }

    private static func types(_ reader: ByteReader, _ meta: Range<Int>) -> [Int: String] {
        guard let list = ISOBox.first(reader, in: meta, named: "iinf") else { return [:] }
        let entries = list.dropFirst(reader.byte(at: list.lowerBound) == 0 ? 6 : 8)
        var types: [Int: String] = [:]
        for entry in ISOBox.boxes(reader, in: entries, named: "infe") {
            guard let version = reader.byte(at: entry.lowerBound), version >= 2 else { continue }
            let start = entry.lowerBound + 4
            let name = start + (version > 2 ? 6 : 4)
            guard let identifier = version > 2 ? reader.bigEndian32(at: start) : reader.bigEndian16(at: start),
                name + 4 <= entry.upperBound
            else { continue }
            types[identifier] = String(decoding: reader[name..<(name + 4)], as: UTF8.self)
        }
        return types
    }

    /// Whether the item uses another codec than AV1 and HEVC.
    var hasOtherCodec: Bool {
        let isName = coding.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
        return isName && !["av01", "hvc1", "grid", "iden"].contains(coding)
    }
}

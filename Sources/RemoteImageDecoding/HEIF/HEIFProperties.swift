/// The properties of the items of a file (ISO/IEC 23008-12, section 9.3).
struct HEIFProperties {
    private let reader: ByteReader
    /// Items refer to properties by index, from 1 on.
    private let boxes: [(start: Int, content: Range<Int>)]
    /// The property indices of each item, and where they are in the file; empty if an item has
    /// several lists.
    private var places: [Int: [(property: Int, start: Int)]] = [:]

    /// Real files have at most some hundred items, with a few properties each.
    private static let limit = 16_384

    /// `nil` if there are more associations than in real files: each takes more memory and time
    /// than its bytes.
    ///
    /// - Parameters:
    ///   - properties: The content of the `iprp` box.
    ///   - container: The content of the `ipco` box in it.
    init?(_ reader: ByteReader, _ properties: Range<Int>, _ container: Range<Int>) {
        self.reader = reader
        boxes = ISOBox.all(reader, in: container)
        var count = 0
        for list in ISOBox.boxes(reader, in: properties, named: "ipma") {
            let more = Self.places(reader, list, &count)
            guard count <= Self.limit else { return nil }
            guard let more, more.keys.allSatisfy({ places[$0] == nil }) else {
                places = [:]
                return
            }
            places.merge(more) { $1 }
        }
    }

    /// - Parameter count: The number of items and associations, which ends at the limit.
    private static func places(
        _ reader: ByteReader, _ list: Range<Int>, _ count: inout Int
    ) -> [Int: [(property: Int, start: Int)]]? {
        guard let version = reader.byte(at: list.lowerBound), let flags = reader.byte(at: list.lowerBound + 3),
            let itemCount = reader.bigEndian32(at: list.lowerBound + 4), itemCount <= ISOBox.limit
        else { return nil }
        var places: [Int: [(property: Int, start: Int)]] = [:]
        var index = list.lowerBound + 8
        for _ in 0..<itemCount {
            let idLength = version == 0 ? 2 : 4
            guard let item = version == 0 ? reader.bigEndian16(at: index) : reader.bigEndian32(at: index),
                let propertyCount = reader.byte(at: index + idLength), places[item] == nil
            else { return nil }
            count += 1 + Int(propertyCount)
            guard count <= limit else { return nil }
            index += idLength + 1
            var own: [(Int, Int)] = []
            for _ in 0..<propertyCount {
                let isLong = flags & 1 == 1
                guard let place = isLong ? reader.bigEndian16(at: index) : reader.byte(at: index).map(Int.init) else {
                    return nil
                }
                own.append((place & (isLong ? 0x7FFF : 0x7F), index))
                index += isLong ? 2 : 1
            }
            guard index <= list.upperBound else { return nil }
            places[item] = own
        }
        return places
    }

    /// The gain maps, depth maps and mattes among `items`. Decoders do not decode them for the
    /// image itself.
    func maps(among items: Set<Int>) -> Set<Int> {
        items.filter { item in
            let kinds = boxes(of: item).filter { reader.has("auxC", at: $0.start + 4) }.map { isMap($0.content) }
            return !kinds.isEmpty && kinds.allSatisfy { $0 }
        }
    }

    private func isMap(_ box: Range<Int>) -> Bool {
        let name = reader[box.dropFirst(4)].prefix { $0 != 0 }
        return name.starts(with: "urn:com:apple:photo:".utf8) || name.elementsEqual("urn:mpeg:hevc:2015:auxid:2".utf8)
            || name.elementsEqual("urn:mpeg:mpegB:cicp:systems:auxiliary:depth".utf8)
    }

    /// The boxes of an item, in the order in which they are associated.
    func boxes(of item: Int) -> [(start: Int, content: Range<Int>)] {
        (places[item] ?? []).compactMap { boxes.indices.contains($0.property - 1) ? boxes[$0.property - 1] : nil }
    }

    /// Where the associations of items with the boxes of a name start. The highest bit there marks
    /// the property as essential.
    func associations(with name: StaticString) -> [Int] {
        places.values.joined().filter { place in
            boxes.indices.contains(place.property - 1) && reader.has(name, at: boxes[place.property - 1].start + 4)
        }.map(\.start)
    }

    /// The contents of the boxes with a name, except those that only items of `left` use.
    func boxes(named name: StaticString, without left: Set<Int>) -> [Range<Int>] {
        let unused = Set(places.filter { left.contains($0.key) }.values.joined().map(\.property))
            .subtracting(places.filter { !left.contains($0.key) }.values.joined().map(\.property))
        return boxes.indices.filter { reader.has(name, at: boxes[$0].start + 4) && !unused.contains($0 + 1) }
            .map { boxes[$0].content }
    }
}

/// Which items a decoder decodes along with an item: those that it is made of, and those that are
/// auxiliary to it, such as its alpha (ISO/IEC 14496-12, section 8.11.12; ISO/IEC 23008-12, section
/// 6.4). libheif 1.15 follows them without end.
struct HEIFReferences {
    private var parts: [Int: [Int]] = [:]
    /// The first of those that an item is derived from, such as a grid from its tiles.
    private(set) var firstSources: [Int: Int] = [:]
    /// Items that others are derived from.
    private(set) var sources: Set<Int> = []
    /// Items that are auxiliary to others.
    private(set) var auxiliaries: Set<Int> = []

    /// An identity of a grid of tiles with alpha is real.
    private static let depthLimit = 4
    /// All items together, each with all its parts. A file has fewer than 1024 items.
    private static let visitLimit = 8192

    init(_ reader: ByteReader, _ meta: Range<Int>) {
        for list in ISOBox.boxes(reader, in: meta, named: "iref") {
            let idLength = reader.byte(at: list.lowerBound) == 0 ? 2 : 4
            for (name, isDerived) in [("dimg", true), ("auxl", false)] as [(StaticString, Bool)] {
                for box in ISOBox.boxes(reader, in: list.dropFirst(4), named: name, limit: .max) {
                    func identifier(at index: Int) -> Int? {
                        guard index + idLength <= box.upperBound else { return nil }
                        return idLength == 2 ? reader.bigEndian16(at: index) : reader.bigEndian32(at: index)
                    }
                    guard let source = identifier(at: box.lowerBound),
                        let count = reader.bigEndian16(at: box.lowerBound + idLength)
                    else { continue }
                    for index in 0..<count {
                        guard let target = identifier(at: box.lowerBound + idLength * (index + 1) + 2) else { break }
                        if isDerived {
                            sources.insert(target)
                            firstSources[source] = firstSources[source] ?? target
                        } else {
                            auxiliaries.insert(source)
                        }
                        parts[isDerived ? source : target, default: []].append(isDerived ? target : source)
                    }
                }
            }
        }
    }

    /// How often each item is decoded for one of `items`. `nil` where an item is a part of itself,
    /// or parts have parts in more levels or more often than in real files.
    func decodeCounts(for items: some Sequence<Int>) -> [Int: Int]? {
        var most: [Int: Int] = [:]
        var visitCount = 0
        for item in items {
            var counts: [Int: Int] = [:]
            func visit(_ item: Int, depth: Int) -> Bool {
                visitCount += 1
                guard depth <= Self.depthLimit, visitCount <= Self.visitLimit else { return false }
                counts[item, default: 0] += 1
                return (parts[item] ?? []).allSatisfy { visit($0, depth: depth + 1) }
            }
            guard visit(item, depth: 1) else { return nil }
            most.merge(counts, uniquingKeysWith: max)
        }
        return most
    }
}

/// The items that a decoder decodes along with an item: those from which it is derived and its
/// auxiliary items, such as alpha (ISO/IEC 14496-12, section 8.11.12; ISO/IEC 23008-12, section
/// 6.4). libheif 1.15 follows references without a limit.
struct HEIFReferences {
    private var parts: [Int: [Int]] = [:]
    /// The first source of each derived item, such as the first tile of a grid.
    private(set) var firstSources: [Int: Int] = [:]
    /// The items from which others are derived.
    private(set) var sources: Set<Int> = []
    /// The items that are auxiliary to others.
    private(set) var auxiliaries: Set<Int> = []

    /// Real files have an identity of a grid of tiles with alpha.
    private static let depthLimit = 4
    /// The limit for all items with all their parts, and for all references. A file has fewer than
    /// 1024 items.
    private static let visitLimit = 8192
    private var isOverLimit = false

    /// Stops at the limit, since a reference takes ten times as much memory as in the file.
    init(_ reader: ByteReader, _ meta: Range<Int>) {
        var referenceCount = 0
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
                        referenceCount += 1
                        guard referenceCount <= Self.visitLimit else {
                            isOverLimit = true
                            return
                        }
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

    /// An item and all items that are decoded along with it.
    func items(decodedFor item: Int) -> Set<Int> {
        var found: Set<Int> = []
        var next = [item]
        while let item = next.popLast() {
            if found.insert(item).inserted { next += parts[item] ?? [] }
        }
        return found
    }

    /// The maximum number of times that each item is decoded for one of `items`. `nil` if the
    /// references have a cycle, more levels than the depth limit, or more references or visits than
    /// the visit limit; real files have fewer.
    func decodeCounts(for items: some Sequence<Int>) -> [Int: Int]? {
        guard !isOverLimit else { return nil }
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

/// Computes which rows of a list stay when its items change. Kept rows keep their selection.
enum RowMatching {
    /// Returns for each new key the index of the old row that is kept for it, or `nil` for an
    /// inserted row. The indices ascend. The rows before and after all changes are kept; between
    /// them, the first of several equal old keys is matched with the first equal new key, and as
    /// many of these matches as possible are kept: their longest increasing subsequence (Fredman
    /// 1975), found in O(n log n).
    static func keptRows<Key: Hashable>(from old: [Key], to new: [Key]) -> [Int?] {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        var indices: [Key: [Int]] = [:]
        for index in (start..<old.count - end).reversed() { indices[old[index], default: []].append(index) }
        let matches = new.indices.map { position -> Int? in
            if position < start { return position }
            let distance = new.count - position
            return distance <= end ? old.count - distance : indices[new[position]]?.popLast()
        }
        /// The ends of the best sequences of each length, as positions in `new`.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: new.count)
        for (position, match) in matches.enumerated() {
            guard let match else { continue }
            let length = ends.partitionPoint { (matches[$0] ?? 0) < match }
            previous[position] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var kept = [Int?](repeating: nil, count: new.count)
        var next = ends.last
        while let position = next {
            kept[position] = matches[position]
            next = previous[position]
        }
        return kept
    }

    /// The key of an item: its `id`, else its value, the identity of an object, or its image
    /// source.
    @MainActor
    static func key<Item>(of item: Item, source: @MainActor (Item) -> ImageSource?) -> AnyHashable {
        func id(of item: some Identifiable) -> AnyHashable { AnyHashable(item.id) }
        if let item = item as? any Identifiable { return id(of: item) }
        if let item = item as? any Hashable { return AnyHashable(item) }
        if type(of: item) is AnyClass { return AnyHashable(ObjectIdentifier(item as AnyObject)) }
        return AnyHashable(source(item))
    }
}

extension [Int] {
    /// The first index whose element does not satisfy `isBefore`, which holds for a prefix.
    fileprivate func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

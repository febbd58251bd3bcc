// Keeps Swift's regular expressions out of the library: 1.5 MB of it.
//
// The setter of cookies in swift-http-types splits a text by a text, which is a function of the module
// `_StringProcessing`; the static linker would take that whole module and the parser of regular expressions for this one
// use. Here is the same function under the same name, so that the linker finds it first.

extension Collection where Element: Equatable {
    // The name and the signature of `Collection.split(separator:maxSplits:omittingEmptySubsequences:)`, SE-0357.
    @_silgen_name(
        "$sSl17_StringProcessingSQ7ElementRpzrlE5split9separator9maxSplits25omittingEmptySubsequencesSay11SubSequenceQzGqd___SiSbtSlRd__ABQyd__ACRSlF"
    )
    public func splitWithoutRegex<Separator: Collection>(
        separator: Separator, maxSplits: Int, omittingEmptySubsequences: Bool
    ) -> [SubSequence] where Separator.Element == Element {
        var parts: [SubSequence] = []
        var (start, index) = (startIndex, startIndex)
        while index != endIndex, parts.count < maxSplits {
            guard !separator.isEmpty, let end = self.end(of: separator, at: index) else {
                formIndex(after: &index)
                continue
            }
            if start != index || !omittingEmptySubsequences { parts.append(self[start..<index]) }
            (start, index) = (end, end)
        }
        if start != endIndex || !omittingEmptySubsequences { parts.append(self[start..<endIndex]) }
        return parts
    }

    /// Where `part` ends, if it begins at `start`.
    private func end<Part: Collection>(of part: Part, at start: Index) -> Index? where Part.Element == Element {
        var index = start
        for element in part {
            guard index != endIndex, self[index] == element else { return nil }
            formIndex(after: &index)
        }
        return index
    }
}

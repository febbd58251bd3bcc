// How a choice among sources is made.

/// The single sources that stand behind a source: what to try, one after the other, and what may be
/// shown meanwhile.
struct SourcePlan: Sendable {
    /// Never a choice itself; empty where a choice had nothing to choose from.
    var attempts: [ImageSource] = []
    /// Shown if it is in memory, until an attempt succeeds.
    var previews: [ImageSource] = []

    /// - Parameter isConstrained: Whether bytes cost money.
    init(_ source: ImageSource, target: TargetSize?, isConstrained: Bool) {
        add(source, target, isConstrained)
    }

    private mutating func add(_ source: ImageSource, _ target: TargetSize?, _ isConstrained: Bool) {
        switch source.kind {
        case .web, .invalid, .file, .data, .bytes, .recipe:
            attempts.append(source)
        case .adaptive(let regular, let lowData):
            let (chosen, other) = isConstrained ? (lowData, regular) : (regular, lowData)
            add(chosen, target, isConstrained)
            previews += SourcePlan(other, target: target, isConstrained: isConstrained).attempts
        case .candidates(let candidates):
            let enough = candidates.first { candidate in
                guard let target else { return false }
                return target.isCovered(by: candidate.size)
            }
            if let chosen = enough ?? candidates.last {
                add(chosen.source, target, isConstrained)
            }
        case .fallbacks(let sources):
            for source in sources { add(source, target, isConstrained) }
        }
    }
}

extension ImageSource {
    /// What to save while the picture of `shown` is shown, one of the single sources behind this one: that one, whatever would be
    /// chosen now, but of several sizes the largest, which is what people expect of a file. Nil where it is none of them.
    func toSave(whileShowing shown: ImageSource) -> ImageSource? {
        switch kind {
        case .web, .invalid, .file, .data, .bytes, .recipe:
            // Not `shown`: the way to the same picture, such as a signed address, may be another by now.
            self == shown ? self : nil
        case .adaptive(let regular, let lowData):
            regular.toSave(whileShowing: shown) ?? lowData.toSave(whileShowing: shown)
        case .candidates(let candidates):
            candidates.contains { $0.source.toSave(whileShowing: shown) != nil } ? candidates.last?.source : nil
        case .fallbacks(let sources):
            sources.lazy.compactMap { $0.toSave(whileShowing: shown) }.first
        }
    }
}

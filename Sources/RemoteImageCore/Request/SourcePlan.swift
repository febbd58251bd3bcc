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

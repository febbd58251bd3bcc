// How a choice among sources is resolved.

/// The single sources of a source: those to try, in order, and those whose images may be shown meanwhile.
struct SourceResolution: Sendable {
    /// Never a choice itself; empty where a choice had nothing to choose from.
    var attempts: [ImageSource] = []
    /// Shown if it is in memory, until an attempt succeeds.
    var previews: [ImageSource] = []

    /// - Parameters:
    ///   - isConstrained: Whether bytes cost money.
    ///   - isAtHand: Whether the image of these sources, tried in this order, needs no transfer. It is taken in place of a
    ///     lesser one of the same choice.
    init(
        _ source: ImageSource, target: TargetSize?, isConstrained: Bool,
        isAtHand: ([ImageSource]) -> Bool = { _ in false }
    ) {
        func resolve(_ source: ImageSource) -> SourceResolution {
            SourceResolution(source, target: target, isConstrained: isConstrained, isAtHand: isAtHand)
        }
        switch source.kind {
        case .web, .invalid, .file, .data, .bytes, .provider:
            attempts = [source]
        case .adaptive(let regular, let lowData):
            let (regular, lowData) = (resolve(regular), resolve(lowData))
            let takesRegular = !isConstrained || isAtHand(regular.attempts)
            self = takesRegular ? regular : lowData
            previews += (takesRegular ? lowData : regular).attempts
        case .candidates(let candidates):
            let enough = candidates.firstIndex { candidate in
                guard let target else { return false }
                return target.isCovered(by: candidate.size)
            }
            guard let first = enough ?? candidates.indices.last else { return }
            let held = candidates[first...].first { isAtHand(resolve($0.source).attempts) }
            self = resolve((held ?? candidates[first]).source)
        case .fallbacks(let sources):
            for resolution in sources.map(resolve) {
                attempts += resolution.attempts
                previews += resolution.previews
            }
        }
    }
}

extension ImageSource {
    /// What to save while the image of `shown` is shown, one of the single sources behind this one: that one, whatever would be
    /// chosen now, but of several sizes the largest, which is what people expect of a file. Nil where it is none of them.
    func toSave(whileShowing shown: ImageSource) -> ImageSource? {
        switch kind {
        case .web, .invalid, .file, .data, .bytes, .provider:
            // Not `shown`: the way to the same image, such as a signed address, may be another by now.
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

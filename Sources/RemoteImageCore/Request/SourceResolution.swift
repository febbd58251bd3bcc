// Resolves a choice among sources.

/// The single sources of a source: those to try, in order, and those whose images may serve as
/// previews.
struct SourceResolution: Sendable {
    /// Never choices themselves. Empty if a choice has no sources.
    var attempts: [ImageSource] = []
    /// Sources of previews: their images are shown, if in the memory cache, until an attempt
    /// succeeds.
    var previews: [ImageSource] = []

    /// - Parameters:
    ///   - isConstrained: Whether the network is metered.
    ///   - isAtHand: Whether the image of these sources, tried in this order, needs no transfer.
    ///     Such an image replaces a lesser one of the same choice.
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
        case .sized(let sized):
            let steps = sized.steps.indices
            let enough = sized.index(for: target)
            if let held = steps[enough...].map(sized.source).first(where: { isAtHand([$0]) }) {
                attempts = [held]
                return
            }
            let chosen = isConstrained ? max(0, enough - 1) : enough
            attempts = [sized.source(at: chosen)]
            previews = (steps[..<chosen].reversed() + steps[(chosen + 1)...]).map(sized.source)
        case .fallbacks(let sources):
            for resolution in sources.map(resolve) {
                attempts += resolution.attempts
                previews += resolution.previews
            }
        }
    }
}

extension ImageSource {
    /// The source to save while the image of `shown` is displayed. Returns `shown` itself, even if
    /// a load would now choose another source, or the largest size if `shown` is one of several.
    /// `nil` if this source does not lead to `shown`.
    func toSave(whileShowing shown: ImageSource) -> ImageSource? {
        switch kind {
        case .web, .invalid, .file, .data, .bytes, .provider:
            // Returns `self` instead of `shown`: its address, such as a signed one, may have
            // changed since.
            self == shown ? self : nil
        case .adaptive(let regular, let lowData):
            regular.toSave(whileShowing: shown) ?? lowData.toSave(whileShowing: shown)
        case .candidates(let candidates):
            candidates.contains { $0.source.toSave(whileShowing: shown) != nil } ? candidates.last?.source : nil
        case .sized(let sized):
            sized.steps.indices.contains { sized.source(at: $0) == shown }
                ? sized.source(at: sized.steps.count - 1) : nil
        case .fallbacks(let sources):
            sources.lazy.compactMap { $0.toSave(whileShowing: shown) }.first
        }
    }
}

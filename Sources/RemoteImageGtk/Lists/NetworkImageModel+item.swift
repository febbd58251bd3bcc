/// A model in a state of a row, which releases its image while no row shows the item.
extension NetworkImageModel: ItemFollower {
    package func itemDisappeared() -> Bool {
        let wasLoading = isLoading
        disappear()
        let options = options.merged(over: pipeline.configuration.options)
        if options.releaseDelay != nil { _ = releaseImage() }
        return wasLoading
    }

    package func itemAppeared(wasInterrupted: Bool) {
        if wasInterrupted || isReleased { appear() }
    }
}

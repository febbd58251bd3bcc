// What views understand beyond the options of the core.

extension ImageOptions {
    private enum ViewportMarginKey: ImageOptionKey {
        static let defaultValue = 200.0
    }

    private enum DisappearDelayKey: ImageOptionKey {
        static let defaultValue = Duration.milliseconds(300)
    }

    private enum ReservedSizeKey: ImageOptionKey {
        static let defaultValue: ReservedSize? = nil
    }

    private enum TransitionEffectKey: ImageOptionKey {
        static let defaultValue: TransitionEffect? = nil
    }

    /// How what a view shows and the picture are drawn during a transition: nil, the default, cross-fades. Of views only:
    /// `setImage` cross-fades always.
    public var transitionEffect: TransitionEffect? {
        get { self[TransitionEffectKey.self] }
        set { self[TransitionEffectKey.self] = newValue }
    }

    /// What place a view takes whatever it shows, so that nothing moves when the picture comes: nil, the default, takes
    /// that of the content.
    public var reservedSize: ReservedSize? {
        get { self[ReservedSizeKey.self] }
        set { self[ReservedSizeKey.self] = newValue }
    }

    /// How far outside of what a scrolled window shows a view counts as in sight, in points: 200 by default, at least 0.
    public var viewportMargin: Double {
        get { self[ViewportMarginKey.self] }
        set { self[ViewportMarginKey.self] = max(0, newValue) }
    }

    /// How long a view must be out of sight before its load is cancelled: 300 ms by default, so that scrolling back
    /// costs nothing. Until then its load comes after those of the views in sight.
    public var disappearDelay: Duration {
        get { self[DisappearDelayKey.self] }
        set { self[DisappearDelayKey.self] = max(.zero, newValue) }
    }
}

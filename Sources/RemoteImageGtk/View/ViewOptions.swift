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

    private enum TargetFitKey: ImageOptionKey {
        static let defaultValue: TargetSize.Fit? = nil
    }

    private enum TransitionEffectKey: ImageOptionKey {
        static let defaultValue: TransitionEffect? = nil
    }

    /// Whether the whole image is to be decoded for a view's place, or as much of it as fills the place.
    ///
    /// nil, the default, follows the content fit where that is known ahead of the image: `.contain` for views without a
    /// content closure and for `GtkImage`, the content fit of a `GtkPicture`, the property `content-fit`. A closure may draw
    /// the image in any way: `.cover`, which has the pixels for all of them. Set `.contain` where a closure draws the
    /// whole image and a processor counts in pixels, such as the radius of round corners.
    public var targetFit: TargetSize.Fit? {
        get { self[TargetFitKey.self] }
        set { self[TargetFitKey.self] = newValue }
    }

    /// How what a view shows and the image are drawn during a transition: nil, the default, cross-fades. Of views only:
    /// `setImage` cross-fades always.
    public var transitionEffect: TransitionEffect? {
        get { self[TransitionEffectKey.self] }
        set { self[TransitionEffectKey.self] = newValue }
    }

    /// What place a view takes whatever it shows, so that nothing moves when the image comes: nil, the default, takes
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

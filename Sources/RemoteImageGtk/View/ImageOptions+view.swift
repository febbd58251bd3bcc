// The image options of views, in addition to those of `RemoteImageCore`.

extension ImageOptions {
    private enum ViewportMarginKey: ImageOptionKey {
        static let defaultValue = 200.0
    }

    private enum DisappearDelayKey: ImageOptionKey {
        static let defaultValue = Duration.milliseconds(300)
    }

    private enum ReleaseDelayKey: ImageOptionKey {
        static let defaultValue: Duration? = .seconds(5)
    }

    private enum ReservedSizeKey: ImageOptionKey {
        static let defaultValue: ReservedSize? = nil
    }

    private enum TargetFitKey: ImageOptionKey {
        static let defaultValue: ContentFit? = nil
    }

    private enum TransitionEffectKey: ImageOptionKey {
        static let defaultValue: TransitionEffect? = nil
    }

    /// Whether the image is decoded to be contained in the view or to cover it.
    ///
    /// Default: `nil`, which follows the content fit if it is known before the load: that of a view
    /// without a content closure, of a `GtkPicture`, or of the property `content-fit`; `.cover` and
    /// `.fill` need `.cover`. It is `.contain` for `GtkImage` and `.cover` for `AdwAvatar`. For
    /// views with a content closure it is `.cover`, which has enough pixels for any fit. Set
    /// `.contain` if a closure shows the whole image and a processor uses sizes in pixels, such as
    /// a corner radius.
    public var targetFit: ContentFit? {
        get { self[TargetFitKey.self] }
        set { self[TargetFitKey.self] = newValue }
    }

    /// The effect of a transition. Default: `nil`, a cross-fade. It applies to views only:
    /// `setImage` always cross-fades.
    public var transitionEffect: TransitionEffect? {
        get { self[TransitionEffectKey.self] }
        set { self[TransitionEffectKey.self] = newValue }
    }

    /// The size of a view, independent of its content, so that the layout does not change when the
    /// image arrives. Default: `nil`, the size of the content.
    public var reservedSize: ReservedSize? {
        get { self[ReservedSizeKey.self] }
        set { self[ReservedSizeKey.self] = newValue }
    }

    /// The distance from the viewport of a scrolled window within which a view counts as visible,
    /// in points. Default: 200; negative values become 0.
    ///
    /// In a `GtkListView` or a `GtkGridView`, views outside of the viewport load after those
    /// inside. GTK makes rows for at most 100 items of a list, or 15 lines of a grid, on each side,
    /// so that a larger distance has no effect there.
    public var viewportMargin: Double {
        get { self[ViewportMarginKey.self] }
        set { self[ViewportMarginKey.self] = max(0, newValue) }
    }

    /// How long a view must be invisible before its load is cancelled, so that scrolling back keeps
    /// the load. During the delay the loads of visible views come first. Default: 300 ms; negative
    /// values become 0.
    public var disappearDelay: Duration {
        get { self[DisappearDelayKey.self] }
        set { self[DisappearDelayKey.self] = max(.zero, newValue) }
    }

    /// How long a widget must be invisible before it releases its image, so that views that were
    /// scrolled past do not fill the memory; the limit of the memory cache then applies. While
    /// memory is low, the image is released at once. `nil` keeps it. Default: 5 s; negative values
    /// become 0.
    ///
    /// The widget keeps its size. When it comes back, an image in the memory cache is drawn in the
    /// same frame; any other image is loaded again.
    public var releaseDelay: Duration? {
        get { self[ReleaseDelayKey.self] }
        set { self[ReleaseDelayKey.self] = newValue.map { max(.zero, $0) } }
    }
}

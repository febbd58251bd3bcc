import CRemoteImageGtk

/// A custom transition from the content of a view to the image, drawn by a closure.
///
/// `ImageOptions.transition` sets the duration, and whether the transition applies to images from
/// memory. Without a transition, or while the desktop's animations are off, the image appears at
/// once.
///
/// ```swift
/// var options = ImageOptions()
/// options.transition = .crossFade(.milliseconds(400))
/// options.transitionEffect = TransitionEffect { frame in
///     // Draws the image over the old content, from left to right.
///     frame.drawOld()
///     frame.drawNew(clippedTo: frame.width * frame.progress)
/// }
/// ```
///
/// Two effects are equal if they are the same object: make one and keep it.
public final class TransitionEffect: Equatable, Sendable {
    let draw: @MainActor @Sendable (TransitionFrame) -> Void

    /// - Parameter draw: Called for each frame, on the main actor, while the view is drawn. It must
    ///   only draw, and not change any widget.
    public init(_ draw: @escaping @MainActor @Sendable (_ frame: TransitionFrame) -> Void) {
        self.draw = draw
    }

    public static func == (one: TransitionEffect, other: TransitionEffect) -> Bool { one === other }

    /// Blends from the old to the new content.
    static let crossFade = TransitionEffect { frame in
        gtk_snapshot_push_cross_fade(frame.snapshot, frame.progress)
        frame.drawOld()
        gtk_snapshot_pop(frame.snapshot)
        frame.drawNew()
        gtk_snapshot_pop(frame.snapshot)
    }
}

/// One frame of a transition, valid only during the call of the drawing closure.
@MainActor
public struct TransitionFrame {
    /// The `GtkSnapshot` of the frame, for transformations, clips and blends.
    public let snapshot: OpaquePointer?
    /// From 0, only the old content, to 1, only the new content; linear in time.
    public let progress: Double
    /// The width of the view, in points.
    public let width: Double
    /// The height of the view, in points.
    public let height: Double
    private let old: ViewLayer
    private let new: ViewLayer

    init(
        into snapshot: OpaquePointer?, _ progress: Double, from old: ViewLayer, to new: ViewLayer,
        on view: UnsafeMutablePointer<GtkWidget>
    ) {
        self.snapshot = snapshot
        self.progress = progress
        (self.old, self.new) = (old, new)
        (width, height) = (Double(gtk_widget_get_width(view)), Double(gtk_widget_get_height(view)))
    }

    /// Draws the old content.
    public func drawOld() { old.snapshot(into: snapshot) }

    /// Draws the image.
    public func drawNew() { new.snapshot(into: snapshot) }

    /// Draws the image, clipped to `width` points from the left.
    public func drawNew(clippedTo width: Double) {
        // GTK 4.8 never releases what is drawn into an empty clip.
        guard width > 0 else { return }
        var seen = graphene_rect_t()
        graphene_rect_init(&seen, 0, 0, Float(min(self.width, width)), Float(height))
        gtk_snapshot_push_clip(snapshot, &seen)
        drawNew()
        gtk_snapshot_pop(snapshot)
    }
}

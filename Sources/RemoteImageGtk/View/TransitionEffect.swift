import CGtk

/// How a view passes from what it shows to the image, drawn by a program's own closure.
///
/// How long it takes, and whether it is for images from memory too, says `ImageOptions.transition`; without one, and where
/// the desktop's animations are off, the image is there at once.
///
/// ```swift
/// var options = ImageOptions()
/// options.transition = .crossFade(.milliseconds(400))
/// options.transitionEffect = TransitionEffect { frame in
///     // The image is drawn over what was there, from the left to the right.
///     frame.drawOld()
///     frame.drawNew(clippedTo: frame.width * frame.progress)
/// }
/// ```
///
/// Two of them are equal if they are the same object: make one and keep it.
public final class TransitionEffect: Equatable, Sendable {
    let draw: @MainActor @Sendable (TransitionFrame) -> Void

    /// - Parameter draw: Called for each frame, on the main actor, while the view is drawn: it draws and changes nothing.
    public init(_ draw: @escaping @MainActor @Sendable (_ frame: TransitionFrame) -> Void) {
        self.draw = draw
    }

    public static func == (one: TransitionEffect, other: TransitionEffect) -> Bool { one === other }

    /// What comes is blended over what goes.
    static let crossFade = TransitionEffect { frame in
        gtk_snapshot_push_cross_fade(frame.snapshot, frame.progress)
        frame.drawOld()
        gtk_snapshot_pop(frame.snapshot)
        frame.drawNew()
        gtk_snapshot_pop(frame.snapshot)
    }
}

/// One frame of a transition. Valid during the call that it is handed to.
@MainActor
public struct TransitionFrame {
    /// The `GtkSnapshot` that is drawn into, for its transformations, clips and blends.
    public let snapshot: OpaquePointer?
    /// From 0, all old, to 1, all new; grows evenly with time.
    public let progress: Double
    /// The place of the view, in points.
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

    /// Draws what was shown before.
    public func drawOld() { old.snapshot(into: snapshot) }

    /// Draws the image.
    public func drawNew() { new.snapshot(into: snapshot) }

    /// Draws the image as far as `width` points from the left.
    public func drawNew(clippedTo width: Double) {
        var seen = graphene_rect_t()
        graphene_rect_init(&seen, 0, 0, Float(min(self.width, max(0, width))), Float(height))
        gtk_snapshot_push_clip(snapshot, &seen)
        drawNew()
        gtk_snapshot_pop(snapshot)
    }
}

import CGtk

/// What is shown while a picture loads: a preview or the old picture where there is one; else nothing at first, and
/// after a while a spinner, or a bar where the length is known.
///
/// All of it takes the same place, so that nothing moves when one follows the other.
public struct LoadingIndicator: NetworkImageContentConvertible {
    public let content: Widget

    /// - Parameters:
    ///   - state: How far the load has come; it is followed.
    ///   - delay: How long nothing is shown, so that what comes quickly comes without a flicker: 250 ms by default.
    ///   - contentFit: How a preview is brought into its place.
    public init(
        _ state: LoadingState, delay: Duration = .milliseconds(250), contentFit: Picture.ContentFit = .contain
    ) {
        let overlay = Widget(gtk_overlay_new())
        let indicator = Indicator(state, contentFit, in: overlay)
        content = Widget(overlay.pointer, bindings: [indicator.follow])
        Indicator.data[overlay.pointer] = indicator
        indicator.start(after: delay)
    }

    /// Hangs on the overlay. What it shows is made when it is shown: most pictures come before.
    @MainActor
    private final class Indicator {
        static let data = ObjectData<Indicator>("remote-image-indicator")

        // Not owned: the overlay owns this object.
        private let overlay: UnsafeMutablePointer<GtkWidget>
        private let fit: Picture.ContentFit
        private let timer = MainLoopTimer()
        private var state: LoadingState
        private var preview: (image: LoadedImage, widget: Widget)?
        private var late: Late?

        /// What comes after a while.
        @MainActor
        private struct Late {
            let stack = Widget(gtk_stack_new())
            let bar = Widget(gtk_progress_bar_new())
        }

        init(_ state: LoadingState, _ fit: Picture.ContentFit, in overlay: Widget) {
            self.state = state
            self.fit = fit
            self.overlay = overlay.pointer
            // As large as a spinner: the bar would like more, which a small place does not have.
            gtk_widget_set_size_request(overlay.pointer, 16, 16)
        }

        func start(after delay: Duration) {
            show(state)
            if delay > .zero { wait(delay) } else { becomeLate() }
        }

        private func wait(_ delay: Duration) {
            timer.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in
                guard let self else { return }
                // One that a picture has hidden goes soon.
                if gtk_widget_get_child_visible(overlay) == 0 { return wait(delay) }
                // Hundreds may be late at once.
                TurnQueue.shared.perform { [weak self] in self?.becomeLate() }
            }
        }

        var follow: Widget.Binding {
            { [weak self] state in self?.show(state) }
        }

        private func becomeLate() {
            let late = Late()
            self.late = late
            gtk_widget_set_valign(late.bar.pointer, GTK_ALIGN_END)
            gtk_stack_add_named(late.stack.opaque, gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), "nothing")
            gtk_stack_add_named(late.stack.opaque, Spinner().content.pointer, "spinner")
            gtk_stack_add_named(late.stack.opaque, late.bar.pointer, "bar")
            gtk_overlay_add_overlay(OpaquePointer(overlay), late.stack.pointer)
            gtk_overlay_set_clip_overlay(OpaquePointer(overlay), late.stack.pointer, 1)
            show(state)
        }

        private func show(_ state: LoadingState) {
            if let image = state.preview, preview?.image.isSamePicture(as: image) != true { showPreview(image) }
            self.state = state
            guard let late else { return }
            if let fraction = state.progress.fraction { gtk_progress_bar_set_fraction(late.bar.opaque, fraction) }
            gtk_stack_set_visible_child_name(late.stack.opaque, page)
        }

        private func showPreview(_ image: LoadedImage) {
            let widget = preview?.widget ?? makePreview()
            preview = (image, widget)
            let paintable = PicturePaintable.make(image)
            gtk_picture_set_paintable(widget.opaque, paintable.map { OpaquePointer($0.pointer) })
        }

        private func makePreview() -> Widget {
            let widget = Widget(gtk_picture_new())
            gtk_picture_set_can_shrink(widget.opaque, 1)
            gtk_picture_set_content_fit(widget.opaque, fit.gtk)
            if fit == .cover { gtk_widget_set_overflow(widget.pointer, GTK_OVERFLOW_HIDDEN) }
            gtk_overlay_set_child(OpaquePointer(overlay), widget.pointer)
            return widget
        }

        private var page: String {
            if state.progress.fraction != nil, gtk_widget_get_width(overlay) >= Self.barWidth { return "bar" }
            return preview == nil ? "spinner" : "nothing"
        }

        /// What a bar needs, in points; the theme's own wish is 150.
        private static let barWidth: Int32 = 160
    }
}

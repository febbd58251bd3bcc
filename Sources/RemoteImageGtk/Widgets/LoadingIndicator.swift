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
        let indicator = Indicator(state, contentFit)
        content = Widget(overlay.pointer, bindings: [indicator.follow])
        Indicator.data[overlay.pointer] = indicator
        indicator.start(in: overlay, after: delay)
    }

    /// Hangs on the overlay.
    @MainActor
    private final class Indicator {
        static let data = ObjectData<Indicator>("remote-image-indicator")

        private let preview = Widget(gtk_picture_new())
        private let stack = Widget(gtk_stack_new())
        private let bar = Widget(gtk_progress_bar_new())
        private let timer = MainLoopTimer()
        private var state: LoadingState
        private var shown: LoadedImage?
        private var isLate = false

        init(_ state: LoadingState, _ fit: Picture.ContentFit) {
            self.state = state
            gtk_picture_set_can_shrink(preview.opaque, 1)
            gtk_picture_set_content_fit(preview.opaque, fit.gtk)
            if fit == .cover { gtk_widget_set_overflow(preview.pointer, GTK_OVERFLOW_HIDDEN) }
            gtk_widget_set_valign(bar.pointer, GTK_ALIGN_END)
            gtk_stack_add_named(stack.opaque, gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), "nothing")
            gtk_stack_add_named(stack.opaque, Spinner().content.pointer, "spinner")
            gtk_stack_add_named(stack.opaque, bar.pointer, "bar")
        }

        func start(in overlay: Widget, after delay: Duration) {
            // As large as a spinner: the bar would like more, which a small place does not have.
            gtk_widget_set_size_request(overlay.pointer, 16, 16)
            gtk_overlay_add_overlay(overlay.opaque, stack.pointer)
            gtk_overlay_set_clip_overlay(overlay.opaque, stack.pointer, 1)
            show(state)
            if delay > .zero {
                timer.start(after: delay, priority: G_PRIORITY_DEFAULT) { [weak self] in self?.becomeLate() }
            } else {
                becomeLate()
            }
        }

        var follow: Widget.Binding {
            { [weak self] state in self?.show(state) }
        }

        private func becomeLate() {
            isLate = true
            show(state)
        }

        private func show(_ state: LoadingState) {
            if let image = state.preview, shown?.isSamePicture(as: image) != true { showPreview(image) }
            self.state = state
            if let fraction = state.progress.fraction { gtk_progress_bar_set_fraction(bar.opaque, fraction) }
            gtk_stack_set_visible_child_name(stack.opaque, page)
        }

        private func showPreview(_ image: LoadedImage) {
            shown = image
            let paintable = PicturePaintable.make(image)
            gtk_picture_set_paintable(preview.opaque, paintable.map { OpaquePointer($0.pointer) })
            guard gtk_widget_get_parent(preview.pointer) == nil, let overlay = gtk_widget_get_parent(stack.pointer)
            else { return }
            gtk_overlay_set_child(OpaquePointer(overlay), preview.pointer)
        }

        private var page: String {
            guard isLate else { return "nothing" }
            if state.progress.fraction != nil, gtk_widget_get_width(stack.pointer) >= Self.barWidth { return "bar" }
            return shown == nil ? "spinner" : "nothing"
        }

        /// What a bar needs, in points; the theme's own wish is 150.
        private static let barWidth: Int32 = 160
    }
}

import CRemoteImageGtk

/// The content of a view while an image loads: the preview or the old image, if there is one. After
/// a delay it adds a progress bar if the length is known and the view is wide enough, or a spinner
/// if there is no preview.
///
/// All of these have the same minimum size. A preview has the natural size of its image: give the
/// view a size, so that the layout does not change when a preview appears.
public struct LoadingIndicator: WidgetDeclaration {
    public let body: DeclaredWidget

    /// - Parameters:
    ///   - state: The state of the load, which the indicator follows.
    ///   - delay: The delay before a spinner or a bar appears, so that fast loads do not flicker.
    ///     Default: 250 ms.
    ///   - contentFit: The content fit of a preview. Default: `nil`, that of the ``Picture`` that
    ///     the closure of the view for a loaded image declares, else `.contain`.
    ///   - cornerRadius: The corner radius of a preview, in points. Default: `nil`, that of the
    ///     ``Picture``, else 0. If the processors of the view round the image, a preview has their
    ///     shape.
    public init(
        _ state: LoadingState, delay: Duration = .milliseconds(250), contentFit: ContentFit? = nil,
        cornerRadius: Double? = nil
    ) {
        body = DeclaredWidget("LoadingIndicator") {
            let overlay = Widget(gtk_overlay_new())
            let indicator = Indicator(state.snapshot, contentFit, cornerRadius, in: overlay)
            Indicator.data[overlay.pointer] = indicator
            indicator.start(after: delay)
            return overlay
        }
        .observing {
            LoadingState(progress: state.progress, preview: state.preview)
        } _: { node, state in
            Indicator.data[node.pointer]?.show(state)
        }
        // Another look is another widget.
        .at(delay).at(contentFit).at(cornerRadius)
    }

    /// The overlay owns this object. Its widgets are made when they are shown, since most images
    /// arrive earlier.
    @MainActor
    private final class Indicator {
        static let data = ObjectData<Indicator>("remote-image-indicator")

        // Not owned: the overlay owns this object.
        private let overlay: UnsafeMutablePointer<GtkWidget>
        private let fit: ContentFit?
        private let cornerRadius: Double?
        /// The layout of the preview.
        private var layout = ImageLayout(fit: .contain)
        private let connections = SignalConnections()
        private let parentConnection = SignalConnections()
        private var state: LoadingState
        private var preview: (image: LoadedImage, widget: Widget)?
        private var isLate = false
        private var pages: (stack: Widget, bar: Widget?)?

        init(_ state: LoadingState, _ fit: ContentFit?, _ cornerRadius: Double?, in overlay: Widget) {
            self.state = state
            (self.fit, self.cornerRadius) = (fit, cornerRadius)
            layout.cornerRadius = cornerRadius ?? 0
            self.overlay = overlay.pointer
            // The size of a spinner. The bar would request more, which a small view does not have.
            gtk_widget_set_size_request(overlay.pointer, 16, 16)
        }

        func start(after delay: Duration) {
            show(state)
            // The view is known from then on.
            parentConnection.connect("map", of: UnsafeMutableRawPointer(overlay)) { [weak self] in
                if let self, let preview { showPreview(preview.image) }
            }
            guard delay > .zero else { return showProgress() }
            DelayQueue.shared.perform(after: delay) { [weak self] in self?.showProgressWhenMapped() }
        }

        /// Waits until the indicator is mapped: an indicator that the loaded image has hidden is
        /// usually removed soon.
        private func showProgressWhenMapped() {
            guard gtk_widget_get_mapped(overlay) == 0 else { return showProgress() }
            connections.end()
            connections.connect("map", of: UnsafeMutableRawPointer(overlay)) { [weak self] in self?.showProgress() }
        }

        private func showProgress() {
            connections.end()
            isLate = true
            show(state)
        }

        func show(_ state: LoadingState) {
            if state.preview == nil { removePreview() }
            if let image = state.preview, preview?.image.isSameImage(as: image) != true { showPreview(image) }
            self.state = state
            guard isLate else { return }
            // The bar is at the straight part of the lower edge.
            let width = Double(gtk_widget_get_width(overlay)) - 2 * radius
            if let fraction = state.progress.fraction, width >= Self.barWidth {
                showBar(fraction)
            } else if preview == nil {
                showSpinner()
            } else if let pages {
                gtk_widget_set_visible(pages.stack.pointer, 0)
            }
        }

        // MARK: Content

        private func showPreview(_ image: LoadedImage) {
            let widget = preview?.widget ?? makePreview()
            preview = (image, widget)
            layout = declaredLayout(of: image)
            let isRound = processedRadius == Self.circleRadius
            let picture = Picture(isRound ? image.asSquare : image, contentFit: layout.fit, playsAnimation: false)
            ShownPicture.show(
                picture.position(x: layout.x, y: layout.y).cornerRadius(radius), in: widget.pointer)
        }

        private var view: RemoteImageView? {
            sequence(first: overlay) { gtk_widget_get_parent($0) }.lazy.compactMap { RemoteImageView(of: $0) }.first
        }

        /// The layout that the view gives a loaded image, as far as the program has set no other.
        private func declaredLayout(of image: LoadedImage) -> ImageLayout {
            let content = fit == nil || cornerRadius == nil ? view?.image.content(for: .success(image)) {} : nil
            var layout = content?.drawn?.layout ?? ImageLayout(fit: .contain)
            if let fit { layout.fit = fit }
            if let cornerRadius { layout.cornerRadius = cornerRadius }
            return layout
        }

        /// The corner radius of the image, in points.
        private var radius: Double { processedRadius ?? layout.cornerRadius }

        /// More than half of any side, in points.
        private static let circleRadius = 1e5

        /// The corner radius that the processors of the view give the image; `nil` for none.
        private var processedRadius: Double? {
            guard let radius = view?.state.loading.options?.processors.lastCornerRadius else { return nil }
            return min(radius / PixelScale.of(overlay), Self.circleRadius)
        }

        private func removePreview() {
            guard preview != nil else { return }
            preview = nil
            gtk_overlay_set_child(OpaquePointer(overlay), nil)
        }

        private func makePreview() -> Widget {
            let widget = Widget(gtk_picture_new())
            gtk_picture_set_can_shrink(widget.opaque, 1)
            gtk_overlay_set_child(OpaquePointer(overlay), widget.pointer)
            return widget
        }

        private func showSpinner() {
            let stack = makeStack()
            if gtk_stack_get_child_by_name(stack.opaque, "spinner") == nil {
                gtk_stack_add_named(stack.opaque, Spinner().content.pointer, "spinner")
            }
            show("spinner", in: stack)
        }

        private func showBar(_ fraction: Double) {
            let stack = makeStack()
            let bar = pages?.bar ?? Widget(gtk_progress_bar_new())
            if pages?.bar == nil {
                pages?.bar = bar
                gtk_widget_set_valign(bar.pointer, GTK_ALIGN_END)
                gtk_stack_add_named(stack.opaque, bar.pointer, "bar")
            }
            for setMargin in [gtk_widget_set_margin_start, gtk_widget_set_margin_end] {
                setMargin(bar.pointer, Int32(saturating: radius))
            }
            gtk_progress_bar_set_fraction(bar.opaque, fraction)
            show("bar", in: stack)
        }

        private func makeStack() -> Widget {
            if let pages { return pages.stack }
            let stack = Widget(gtk_stack_new())
            pages = (stack, nil)
            gtk_overlay_add_overlay(OpaquePointer(overlay), stack.pointer)
            gtk_overlay_set_clip_overlay(OpaquePointer(overlay), stack.pointer, 1)
            return stack
        }

        private func show(_ page: String, in stack: Widget) {
            gtk_stack_set_visible_child_name(stack.opaque, page)
            gtk_widget_set_visible(stack.pointer, 1)
        }

        /// The minimum width of the view for a bar, in points. The default theme requests 150.
        private static let barWidth = 160.0
    }
}

extension LoadedImage {
    /// The largest square in the middle of the image.
    fileprivate var asSquare: LoadedImage {
        guard let square = try? pixels.square(side: .max, fit: .cover) else { return self }
        let info = ImageInfo(size: square.size, decodedSize: square.size, format: nil, origin: .generated)
        return LoadedImage(pixels: square, info: info, scale: scale)
    }
}

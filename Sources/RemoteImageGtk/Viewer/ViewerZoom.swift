import CRemoteImageGtk

/// The zoom factor and the position of a viewer. The scrolled window owns this object.
@MainActor
package final class ViewerZoom {
    package static let data = ObjectData<ViewerZoom>("remote-image-viewer")

    // Not owned: the scrolled window owns this object.
    let window: UnsafeMutablePointer<GtkWidget>
    private let viewPointer: UnsafeMutablePointer<GtkWidget>
    /// `nil` shows the image at the size of `fit`.
    package private(set) var zoom: Double?
    package var fit = RemoteImageViewer.Fit.whole {
        // Begins at the start of the image, as each other image without a zoom factor does.
        didSet { if fit != oldValue { applySoon() } }
    }
    package var maxZoom = 8.0 {
        didSet {
            maxZoom = max(1, maxZoom)
            guard maxZoom != oldValue else { return }
            // The size of `fit` has the same limit.
            if let zoom { set(zoom, around: nil) } else { applySoon() }
        }
    }
    /// The declaration that was applied last.
    weak var declared: DeclaredViewer?
    /// Called with each new zoom factor.
    package var zoomFollower: (@MainActor (Double?) -> Void)?
    private var shownSize: (width: Int32, height: Int32) = (0, 0)
    /// Whether the image was placed before the window had a size.
    private var awaitsLayout = false

    /// Makes the scrolled window of a viewer.
    package static func makeWindow(_ view: RemoteImageView) -> Widget {
        let window = Widget(gtk_scrolled_window_new())
        // From GTK 4.12 on, a scrolled window has a role without a name.
        shim_set_number(window.pointer, "accessible-role", Int32(GTK_ACCESSIBLE_ROLE_GROUP.rawValue))
        gtk_widget_set_hexpand(window.pointer, 1)
        gtk_widget_set_vexpand(window.pointer, 1)
        let zoom = ViewerZoom(view, in: window)
        data[window.pointer] = zoom
        ViewerInput.connect(zoom, to: window)
        return window
    }

    private init(_ view: RemoteImageView, in window: Widget) {
        self.window = window.pointer
        viewPointer = view.pointer
        // The window keeps the focus and handles the keys.
        gtk_widget_set_focusable(window.pointer, 1)
        gtk_widget_add_css_class(window.pointer, "image-viewer")
        gtk_scrolled_window_set_child(window.opaque, view.pointer)
        gtk_scrolled_window_set_kinetic_scrolling(window.opaque, 1)
        // Follows the state instead of the model, since a view replaces its model if an ancestor
        // changes the pipeline.
        RemoteImageViewState.of(view.pointer).phaseFollower = { [weak self] in self?.applySoon() }
        // The window has the focus, and screen readers read its name.
        Signal.connect(property: "alternative-text", of: UnsafeMutableRawPointer(view.pointer)) { [weak self] in
            if let self { shim_update_label(self.window, self.view?.accessibleLabel ?? "") }
        }
        for adjustment in [horizontal, vertical].compactMap(\.self) {
            Signal.connect("changed", of: UnsafeMutableRawPointer(adjustment)) { [weak self] in self?.laidOut() }
        }
    }

    package var view: RemoteImageView? { RemoteImageView(of: viewPointer) }

    /// The viewer that shows its image with a view; `nil` for a view outside of viewers.
    static func around(_ view: UnsafeMutablePointer<GtkWidget>) -> ViewerZoom? {
        guard let window = gtk_widget_get_ancestor(view, gtk_scrolled_window_get_type()), let zoom = data[window],
            zoom.viewPointer == view
        else { return nil }
        return zoom
    }

    /// Shows an image. Another source has no zoom factor, unless `keepsZoom` is set.
    func show(_ image: NetworkImage, keepsZoom: Bool) {
        if image.source != RemoteImageViewState.of(viewPointer).image.source {
            if !keepsZoom { set(nil, around: nil) }
            shownSize = (0, 0)
        }
        WidgetNode.attached(to: Widget(borrowing: viewPointer)).update(to: image.body)
    }

    /// The view has another image, which may be shown already.
    package func imageReplaced() {
        set(nil, around: nil)
        shownSize = (0, 0)
        applySoon()
    }

    // MARK: Zoom

    /// The current zoom factor, also without one.
    var factor: Double { zoom ?? fittingFactor }

    /// Sets the zoom factor; `nil` shows the image at the size of `fit`. The image stays fixed at
    /// `point` of the window, by default its center.
    package func set(_ new: Double?, around point: (x: Double, y: Double)?) {
        // Without an image, it is not known which factor shows the whole. In this order of `min`
        // and `max`, NaN becomes the smallest factor.
        let fitting = fittingFactor
        let limited = new.map { min(max(imageSize == nil ? 0.01 : min(wholeFactor, fitting), $0), maxZoom) }
        // The factor of an image that fits becomes `nil`.
        let next = limited.map { abs($0 / fitting - 1) < 0.001 && fitting != 1 ? nil : $0 } ?? nil
        guard next != zoom else { return }
        zoom = next
        apply(around: point)
        zoomFollower?(next)
    }

    func multiply(by change: Double, around point: (x: Double, y: Double)? = nil) {
        set(factor * change, around: point)
    }

    /// Switches between the size of `fit` and the natural size.
    func toggle(around point: (x: Double, y: Double)?) {
        set(zoom == nil ? (fittingFactor == 1 ? min(2, maxZoom) : 1) : nil, around: point)
    }

    /// Moves the visible area.
    func scroll(to position: (x: Double, y: Double)) {
        gtk_adjustment_set_value(horizontal, position.x)
        gtk_adjustment_set_value(vertical, position.y)
    }

    /// Whether a part of the image is outside of the window.
    var canScroll: Bool {
        [horizontal, vertical].contains { gtk_adjustment_get_upper($0) > gtk_adjustment_get_page_size($0) }
    }

    var position: (x: Double, y: Double) {
        (gtk_adjustment_get_value(horizontal), gtk_adjustment_get_value(vertical))
    }

    // MARK: Sizes

    private var horizontal: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_hadjustment(OpaquePointer(window))
    }
    private var vertical: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(window))
    }

    /// The source whose image was shown last, and the natural size of that image.
    private var lastShown: (source: ImageSource?, size: (width: Double, height: Double))?

    /// The natural size of the image in points; `nil` while it is unknown. It stays while an image
    /// that was released out of sight is loaded again.
    private var imageSize: (width: Double, height: Double)? {
        // `view.model` would make a model of a view that is not in a window yet, before its
        // pipeline is known.
        let state = RemoteImageViewState.of(viewPointer)
        if let size = state.phase.image?.naturalPointSize { lastShown = (state.image.source, size) }
        guard let lastShown, lastShown.source == state.image.source, state.phase.kind != .failure else { return nil }
        return lastShown.size
    }

    /// The factors at which the image is as wide and as high as the window.
    private var factorOfWindow: (width: Double, height: Double) {
        let (width, height) = (Double(gtk_widget_get_width(window)), Double(gtk_widget_get_height(window)))
        guard let size = imageSize, size.width > 0, size.height > 0, width > 0, height > 0 else { return (1, 1) }
        return (width / size.width, height / size.height)
    }

    /// The factor at which the whole image fits into the window, at most 1.
    private var wholeFactor: Double { min(1, factorOfWindow.width, factorOfWindow.height) }

    /// The factor of an image without a zoom factor.
    private var fittingFactor: Double {
        let (width, height) = factorOfWindow
        // A part that is out of sight has a scroll bar.
        var besideBar: Double {
            width > height
                ? max(height, width * share(beside: gtk_scrolled_window_get_vscrollbar, GTK_ORIENTATION_HORIZONTAL))
                : max(width, height * share(beside: gtk_scrolled_window_get_hscrollbar, GTK_ORIENTATION_VERTICAL))
        }
        return switch fit {
        case .whole: min(1, width, height)
        case .width: min(width > height ? besideBar : width, maxZoom)
        case .height: min(height > width ? besideBar : height, maxZoom)
        case .cover: min(besideBar, maxZoom)
        case .naturalSize: 1
        }
    }

    /// The share of the window that a scroll bar leaves to the image: 1 for a bar over the image.
    private func share(
        beside bar: (OpaquePointer?) -> UnsafeMutablePointer<GtkWidget>?, _ orientation: GtkOrientation
    ) -> Double {
        let settings = gtk_widget_get_settings(window).map { UnsafeMutableRawPointer($0) }
        let isOverImage =
            gtk_scrolled_window_get_overlay_scrolling(OpaquePointer(window)) != 0
            && shim_get_boolean(settings, "gtk-overlay-scrolling") != 0
        guard !isOverImage, let bar = bar(OpaquePointer(window)) else { return 1 }
        var size: Int32 = 0
        gtk_widget_measure(bar, orientation, -1, nil, &size, nil, nil)
        let extent =
            orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_width(window) : gtk_widget_get_height(window)
        return extent > size ? Double(extent - size) / Double(extent) : 1
    }

    /// Deferred, since the caller is in an allocation or in a phase change of the view. A fitting
    /// image keeps its start at the start of the window.
    private func applySoon() {
        Task { @MainActor [weak self] in
            guard let self else { return }
            apply(around: zoom == nil ? (isRightToLeft ? gtk_adjustment_get_page_size(horizontal) : 0, 0) : nil)
        }
    }

    private var isRightToLeft: Bool { gtk_widget_get_direction(window) == GTK_TEXT_DIR_RTL }

    private func apply(around point: (x: Double, y: Double)? = nil) {
        guard let size = imageSize else {
            shownSize = (0, 0)
            // The view fills the window, for whose size the image is decoded first.
            align(GTK_ALIGN_FILL)
            RemoteImageViewState.of(viewPointer).fixedSize = (nil, nil)
            return
        }
        align(GTK_ALIGN_CENTER)
        let factor = factor
        // The image keeps its proportions in these whole points: a narrow width that is rounded
        // down would make an image that fits too low by many points. The factor may be infinite.
        func whole(_ points: Double, beside other: Double) -> Int32 {
            let isNarrow = zoom == nil && (points - points.rounded(.down)) * other > points
            return min(1_000_000, max(0, Int32(saturating: isNarrow ? points.rounded(.up) : points)))
        }
        let (across, down) = (size.width * factor, size.height * factor)
        let (width, height) = (whole(across, beside: down), whole(down, beside: across))
        guard shownSize != (width, height) || awaitsLayout else { return }
        let placed = awaitsLayout ? (width: 0, height: 0) : shownSize
        awaitsLayout = gtk_adjustment_get_page_size(horizontal) == 0
        extend(horizontal, from: placed.width, to: width, around: point?.x)
        extend(vertical, from: placed.height, to: height, around: point?.y)
        shownSize = (width, height)
        // Replaces the natural size that the view would request.
        RemoteImageViewState.of(viewPointer).fixedSize = (max(1, Int(width)), max(1, Int(height)))
    }

    private func align(_ align: GtkAlign) {
        gtk_widget_set_halign(viewPointer, align)
        gtk_widget_set_valign(viewPointer, align)
    }

    /// Sets the range of an adjustment for another length of the image, such that the image stays
    /// fixed at a point of the window, by default its center.
    ///
    /// The viewport allocates the view from this value in the next layout. It emits `changed` only
    /// after that allocation, and a value that is set then is not drawn.
    private func extend(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>?, from old: Int32, to new: Int32, around point: Double?
    ) {
        let page = gtk_adjustment_get_page_size(adjustment)
        let point = point ?? page / 2
        // An image that is smaller than the window is in its middle.
        let margin = max(0, page - Double(old)) / 2
        // Another image begins at the edge to which it is fixed, or in its middle.
        let fraction =
            old > 0
            ? (gtk_adjustment_get_value(adjustment) + point - margin) / Double(old) : page > 0 ? point / page : 0.5
        let upper = max(Double(new), page)
        gtk_adjustment_configure(
            adjustment, min(max(0, fraction * Double(new) - point), upper - page), 0, upper,
            gtk_adjustment_get_step_increment(adjustment), gtk_adjustment_get_page_increment(adjustment), page)
    }

    /// Called when the size of the window or of the image has changed.
    private func laidOut() {
        if zoom == nil || awaitsLayout { applySoon() }
    }
}

import CRemoteImageGtk

/// A `GtkPicture` or a `GtkImage` as the target of a paintable.
///
/// Not owned: the widget owns the users of this value.
@MainActor
struct PaintableTarget {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let isGtkPicture: Bool

    /// `nil` for any other widget.
    init?(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        isGtkPicture = shim_is_a(widget, gtk_picture_get_type()) != 0
        guard isGtkPicture || shim_is_a(widget, gtk_image_get_type()) != 0 else { return nil }
    }

    private var opaque: OpaquePointer { OpaquePointer(widget) }

    var paintable: OpaquePointer? {
        get { isGtkPicture ? gtk_picture_get_paintable(opaque) : gtk_image_get_paintable(opaque) }
        nonmutating set {
            if isGtkPicture {
                gtk_picture_set_paintable(opaque, newValue)
            } else if let newValue {
                gtk_image_set_from_paintable(opaque, newValue)
            } else {
                gtk_image_clear(opaque)
            }
        }
    }

    func show(_ placeholder: ImagePlaceholder) {
        switch placeholder {
        case .none: break
        case .clear: paintable = nil
        case .image(let image): paintable = ImagePaintable.make(image).map { OpaquePointer($0.pointer) }
        case .iconName(let name): showIcon(name)
        case .custom(let change): change(Widget(widget))
        }
    }

    private func showIcon(_ name: String) {
        guard isGtkPicture else { return gtk_image_set_from_icon_name(opaque, name) }
        // A GtkPicture accepts only paintables, so the icon is looked up as one.
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
        let icon = gtk_icon_theme_lookup_icon(
            theme, name, nil, Self.iconSide, gtk_widget_get_scale_factor(widget), gtk_widget_get_direction(widget),
            GtkIconLookupFlags(rawValue: 0))
        guard let icon else { return }
        paintable = ImagePaintable.make(icon: icon, side: Double(Self.iconSide)).map { OpaquePointer($0.pointer) }
        g_object_unref(UnsafeMutableRawPointer(icon))
    }

    /// In points.
    private static let iconSide: Int32 = 48

    var hasSize: Bool { gtk_widget_get_width(widget) > 0 && gtk_widget_get_height(widget) > 0 }

    /// The size of the widget in pixels; `nil` before its allocation.
    ///
    /// - Parameter fit: Overrides the fit of the widget.
    func target(_ fit: TargetSize.Fit?) -> TargetSize? {
        guard !isGtkPicture else {
            let own = Picture.ContentFit(gtk_picture_get_content_fit(opaque)).targetFit
            return TargetSize(placeOf: widget, fit: fit ?? own)
        }
        // A GtkImage draws the whole image into its allocation. Its `pixel-size` is only the
        // minimum.
        let side = max(0, Int(gtk_image_get_pixel_size(opaque)))
        let (width, height) = (
            max(side, Int(gtk_widget_get_width(widget))), max(side, Int(gtk_widget_get_height(widget)))
        )
        guard width > 0, height > 0 else { return nil }
        return TargetSize(PixelSize(width: width, height: height, in: widget), fit: fit ?? .contain)
    }
}

import CRemoteImageGtk

/// A widget as the target of a paintable: a `GtkPicture`, a `GtkImage`, or any widget with a
/// property of type `GdkPaintable`, such as an `AdwAvatar`.
///
/// Not owned: the widget owns the users of this value.
@MainActor
package struct PaintableTarget {
    private enum Kind {
        case picture, image
        case property(String)
    }

    let widget: UnsafeMutablePointer<GtkWidget>
    private let kind: Kind

    /// The properties that show an image if the caller names none.
    private static let properties = ["custom-image", "paintable"]

    /// `nil` if the widget has no such property.
    ///
    /// - Parameter property: A property of type `GdkPaintable`; `nil` for the usual one.
    package init?(_ widget: UnsafeMutablePointer<GtkWidget>, property: String? = nil) {
        self.widget = widget
        if property == nil || property == "paintable", shim_is_a(widget, gtk_picture_get_type()) != 0 {
            kind = .picture
        } else if property == nil || property == "paintable", shim_is_a(widget, gtk_image_get_type()) != 0 {
            kind = .image
        } else {
            let names = property.map { [$0] } ?? Self.properties
            guard let name = names.first(where: { shim_has_paintable_property(widget, $0) != 0 }) else { return nil }
            kind = .property(name)
        }
    }

    private var opaque: OpaquePointer { OpaquePointer(widget) }

    /// The shown paintable of a `GtkPicture` or a `GtkImage`. `nil` for other widgets: they may
    /// draw a copy of their paintable, over which nothing can fade.
    var paintable: OpaquePointer? {
        get {
            switch kind {
            case .picture: gtk_picture_get_paintable(opaque)
            case .image: gtk_image_get_paintable(opaque)
            case .property: nil
            }
        }
        nonmutating set {
            switch kind {
            case .picture: gtk_picture_set_paintable(opaque, newValue)
            case .image where newValue == nil: gtk_image_clear(opaque)
            case .image: gtk_image_set_from_paintable(opaque, newValue)
            case .property(let name): shim_set_pointer(widget, name, newValue.map { UnsafeRawPointer($0) })
            }
            Self.placeholders[widget] = newValue == nil ? Box(nil) : nil
        }
    }

    /// The account of the image that the widget shows; `nil` for other content.
    var imageAccount: ImageAccount? { content.flatMap { ImageAccount.of($0) } }

    /// The shown paintable of any widget; `nil` also for a property that cannot be read.
    private var content: ObjectReference? {
        guard case .property(let name) = kind else {
            return paintable.map { ObjectReference(borrowing: UnsafeMutableRawPointer($0)) }
        }
        guard shim_is_readable(widget, name) != 0 else { return nil }
        return shim_get_object(widget, name).map { ObjectReference(owned: $0) }
    }

    /// Makes the paintable of an image for this widget.
    ///
    /// An `AdwAvatar` gets a square. It draws a copy of any other paintable, which would neither
    /// move nor be scaled down for the size of the avatar.
    func makePaintable(_ image: LoadedImage, over outgoing: OpaquePointer? = nil) -> ObjectReference? {
        let paintable = ImagePaintable.make(image, over: outgoing)
        if let paintable, isAvatar { ImagePaintable.makeSquare(paintable) }
        return paintable
    }

    /// libadwaita is not linked: its class exists only in programs that use it.
    private var isAvatar: Bool {
        let type = g_type_from_name("AdwAvatar")
        return type != 0 && shim_is_a(widget, type) != 0
    }

    func show(_ placeholder: ImagePlaceholder) {
        switch placeholder {
        case .none: break
        case .clear: paintable = nil
        case .image(let image): paintable = makePaintable(image).map { OpaquePointer($0.pointer) }
        case .original: Self.originals[widget]?.value(self)
        case .iconName(let name, let size): showIcon(name, Int32(clamping: max(1, size)))
        case .custom(let change): change(Widget(borrowing: widget))
        }
    }

    /// Shows the content that a widget had before its first image.
    private static let originals = ObjectData<Box<@MainActor (PaintableTarget) -> Void>>(
        "remote-image-original-content")

    /// The shown placeholder of the library that is no paintable: the name of the icon of a
    /// `GtkImage`; `nil` for a cleared widget.
    private static let placeholders = ObjectData<Box<String?>>("remote-image-shown-placeholder")

    /// Keeps the content of the widget as its original one, unless it is an image or a placeholder
    /// of `setImage`. A paintable is kept alive only for the placeholder `.original`.
    func keepOriginal(for placeholder: ImagePlaceholder) {
        let shown = content
        guard !isOwn(shown) else { return }
        let isNeeded = if case .original = placeholder { true } else { false }
        Self.originals[widget] = Box(showingAgain(shown, isKeptAlive: isNeeded))
    }

    /// Whether the library shows the content.
    private func isOwn(_ shown: ObjectReference?) -> Bool {
        if let shown { return ImagePaintable.isOne(shown.pointer) }
        guard let placeholder = Self.placeholders[widget] else { return false }
        guard case .image = kind else { return true }
        return placeholder.value == iconName && gtk_image_get_gicon(opaque) == nil
    }

    /// The name of the icon that a `GtkImage` shows.
    private var iconName: String? { gtk_image_get_icon_name(opaque).map { String(cString: $0) } }

    private func showingAgain(
        _ shown: ObjectReference?, isKeptAlive: Bool
    ) -> @MainActor (PaintableTarget) -> Void {
        if case .image = kind {
            if let name = iconName {
                return { gtk_image_set_from_icon_name($0.opaque, name) }
            }
            if let icon = gtk_image_get_gicon(opaque).map({ ObjectReference(borrowing: UnsafeMutableRawPointer($0)) }) {
                return { gtk_image_set_from_gicon($0.opaque, OpaquePointer(icon.pointer)) }
            }
        }
        guard let shown else { return { $0.paintable = nil } }
        if isKeptAlive { return { $0.paintable = OpaquePointer(shown.pointer) } }
        let object = WeakObject(shown.pointer)
        return { target in
            let shown = object.strong()
            target.paintable = shown.map { OpaquePointer($0.pointer) }
            withExtendedLifetime(shown) {}
        }
    }

    private func showIcon(_ name: String, _ side: Int32) {
        if case .image = kind {
            gtk_image_set_from_icon_name(opaque, name)
            Self.placeholders[widget] = Box(name)
            return
        }
        // The other widgets accept only paintables, so the icon is looked up as one.
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
        let icon = gtk_icon_theme_lookup_icon(
            theme, name, nil, side, gtk_widget_get_scale_factor(widget), gtk_widget_get_direction(widget),
            GtkIconLookupFlags(rawValue: 0))
        guard let icon else { return }
        paintable = ImagePaintable.make(icon: icon, side: Double(side)).map { OpaquePointer($0.pointer) }
        g_object_unref(UnsafeMutableRawPointer(icon))
    }

    /// The size of the widget in pixels; `nil` before its allocation.
    ///
    /// - Parameters:
    ///   - size: The size of the widget in points.
    ///   - fit: Overrides the fit of the widget.
    func target(_ size: (width: Int, height: Int), _ fit: ContentFit?) -> TargetSize? {
        switch kind {
        case .picture:
            let own = ContentFit(gtk_picture_get_content_fit(opaque))
            return TargetSize(size, in: widget, fit: fit ?? own)
        case .image:
            // A GtkImage draws the whole image into its allocation. Its `pixel-size` is only the
            // minimum.
            let side = max(0, Int(gtk_image_get_pixel_size(opaque)))
            return TargetSize((max(side, size.width), max(side, size.height)), in: widget, fit: fit ?? .contain)
        case .property where isAvatar:
            // The allocation of an avatar may be larger than its circle.
            let side = shim_get_int(widget, "size")
            guard side > 0 else { return TargetSize(size, in: widget, fit: fit ?? .cover) }
            return TargetSize(PixelSize(width: Int(side), height: Int(side), in: widget), fit: fit ?? .cover)
        case .property: return TargetSize(size, in: widget, fit: fit ?? .contain)
        }
    }
}

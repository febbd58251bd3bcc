import CRemoteImageGtk

/// The size request of a view.
extension RemoteImageViewState {
    /// The fixed size, else that of the options.
    var reservedSize: ReservedSize? {
        if let width = fixedSize.width, let height = fixedSize.height { return .points(width: width, height: height) }
        return (loading.options?.reservedSize).flatMap { $0.isValid ? $0 : nil }
    }

    var requestMode: GtkSizeRequestMode {
        reservedSize?.requestMode ?? content.requestMode
    }

    /// The fixed length, else that of the reserved size, else that of the content.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        let isWidth = orientation == GTK_ORIENTATION_HORIZONTAL
        if let length = isWidth ? fixedSize.width : fixedSize.height {
            return (Int32(clamping: length), Int32(clamping: length))
        }
        let other = isWidth ? fixedSize.height : fixedSize.width
        let size = size < 0 ? other.map { Int32(clamping: $0) } ?? size : size
        return reservedSize?.measure(orientation, forSize: size) ?? content.measure(orientation, forSize: size)
    }

    /// Repositions the popovers of the view. GTK requires it of widgets without a layout manager.
    func placePopovers() {
        for child in widget.children where shim_is_a(child, gtk_popover_get_type()) != 0 {
            gtk_popover_present(child.withMemoryRebound(to: GtkPopover.self, capacity: 1) { $0 })
        }
    }

    func sizeChanged() {
        clip(appliedSize != nil || fixedSize != (nil, nil))
        gtk_widget_queue_resize(widget)
    }

    /// Content that needs more than a reserved size is clipped. At other times, the overflow of the
    /// view is that of the program.
    private func clip(_ isClipped: Bool) {
        if isClipped, unclippedOverflow == nil {
            unclippedOverflow = gtk_widget_get_overflow(widget)
            gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        } else if !isClipped, let unclippedOverflow {
            self.unclippedOverflow = nil
            // The program may have changed it meanwhile.
            guard gtk_widget_get_overflow(widget) == GTK_OVERFLOW_HIDDEN else { return }
            gtk_widget_set_overflow(widget, unclippedOverflow)
        }
    }
}

import CRemoteImageGtk

/// The size request of a view.
extension RemoteImageViewState {
    var reservedSize: ReservedSize? {
        let size = fixedSize ?? loading.options?.reservedSize
        return size.flatMap { $0.isValid ? $0 : nil }
    }

    var requestMode: GtkSizeRequestMode {
        reservedSize?.requestMode ?? content.requestMode
    }

    /// The reserved size, else the size of the content.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        reservedSize?.measure(orientation, forSize: size) ?? content.measure(orientation, forSize: size)
    }

    /// Repositions the popovers of the view. GTK requires it of widgets without a layout manager.
    func placePopovers() {
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            guard shim_is_a(child, gtk_popover_get_type()) != 0 else { continue }
            gtk_popover_present(child.withMemoryRebound(to: GtkPopover.self, capacity: 1) { $0 })
        }
    }

    func sizeChanged() {
        clip(fixedSize ?? appliedSize != nil)
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

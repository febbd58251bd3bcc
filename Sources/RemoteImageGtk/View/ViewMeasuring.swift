import CGtk

/// How large a view wants to be.
extension RemoteImageViewState {
    var reservedSize: ReservedSize? {
        let size = fixedSize ?? loading.options?.reservedSize
        return size.flatMap { $0.isThere ? $0 : nil }
    }

    var requestMode: GtkSizeRequestMode {
        reservedSize?.requestMode ?? content.requestMode
    }

    /// What the view wants: what is reserved for it, or else what its content wants.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        reservedSize?.measure(orientation, forSize: size) ?? content.measure(orientation, forSize: size)
    }

    /// A popover is no content. GTK leaves it to widgets without a layout manager to say that theirs may have moved.
    func placePopovers() {
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            guard shim_is_a(child, gtk_popover_get_type()) != 0 else { continue }
            gtk_popover_present(child.withMemoryRebound(to: GtkPopover.self, capacity: 1) { $0 })
        }
    }
}

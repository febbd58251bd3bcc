import CGtk

/// How large a view wants to be.
extension RemoteImageViewState {
    private var reservedSize: ReservedSize? {
        fixedSize ?? loader.flatMap { effectiveOptions(of: $0.model).reservedSize }
    }

    var requestMode: GtkSizeRequestMode {
        reservedSize?.requestMode ?? child.map { gtk_widget_get_request_mode($0) } ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
    }

    /// What the view wants: what is reserved for it, or else what its content wants.
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) {
        if let reserved = reservedSize?.measure(orientation, forSize: size) { return reserved }
        var (least, best): (Int32, Int32) = (0, 0)
        if let child { gtk_widget_measure(child, orientation, size, &least, &best, nil, nil) }
        return (least, best)
    }
}

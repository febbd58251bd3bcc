import CRemoteImageGtk

@MainActor
extension ScreenBatch {
    private static var last: (clock: OpaquePointer?, frame: gint64, batch: ScreenBatch)?

    /// The images that become visible in the current frame of a widget, so that they load in
    /// reading order.
    static func ofFrame(at widget: UnsafeMutablePointer<GtkWidget>) -> ScreenBatch {
        let clock = gtk_widget_get_frame_clock(widget)
        let frame = clock.map { gdk_frame_clock_get_frame_counter($0) } ?? 0
        if let last, last.clock == clock, last.frame == frame { return last.batch }
        let batch = ScreenBatch()
        last = (clock, frame, batch)
        return batch
    }
}

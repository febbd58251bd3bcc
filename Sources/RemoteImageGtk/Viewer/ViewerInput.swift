import CRemoteImageGtk
import Glibc

/// The input of a viewer: pinch, wheel, clicks, drags, and the keys of
/// `ViewerInput+shortcuts.swift`.
@MainActor
enum ViewerInput {
    /// The zoom factor of one step of the wheel or of a key.
    nonisolated static let step = 1.25

    static func connect(_ zoom: ViewerZoom, to window: Widget) {
        connectPinch(zoom, window)
        connectWheel(zoom, window)
        connectPointer(zoom, window)
        let keys = gtk_event_controller_key_new()
        EventControllers.connect("key-pressed", keys) { [weak zoom] (key: Int, _: Int, state: Int) -> Bool in
            guard let zoom else { return false }
            return press(UInt32(key), GdkModifierType(UInt32(truncatingIfNeeded: state)), zoom)
        }
        EventControllers.add(keys, to: window.pointer)
    }

    /// A pinch gesture: the zoom factor is the one at its start times the scale of the gesture.
    @MainActor
    final class Pinch {
        private weak var zoom: ViewerZoom?
        private var factor = 1.0

        init(_ zoom: ViewerZoom) {
            self.zoom = zoom
        }

        func begin() {
            factor = zoom?.factor ?? 1
        }

        func spread(by scale: Double, around point: (x: Double, y: Double)?) {
            zoom?.set(factor * scale, around: point)
        }
    }

    private static func connectPinch(_ zoom: ViewerZoom, _ window: Widget) {
        let gesture = gtk_gesture_zoom_new()
        let pinch = Pinch(zoom)
        EventControllers.connect("begin", gesture) { pinch.begin() }
        EventControllers.connect("scale-changed", gesture) { (scale: Double) in
            var (x, y) = (0.0, 0.0)
            // The center of the fingers; `nil` if the gesture has none.
            let isThere =
                gtk_gesture_is_recognized(gesture) != 0 && gtk_gesture_get_bounding_box_center(gesture, &x, &y) != 0
            let point = isThere ? (x, y) : nil
            pinch.spread(by: scale, around: point)
        }
        EventControllers.add(gesture, to: window.pointer)
    }

    private static func connectWheel(_ zoom: ViewerZoom, _ window: Widget) {
        // A scroll event has a position in the surface only.
        var pointer: (x: Double, y: Double)?
        let motion = gtk_event_controller_motion_new()
        for signal in ["enter", "motion"] {
            EventControllers.connect(signal, motion) { (x: Double, y: Double) in pointer = (x, y) }
        }
        EventControllers.connect("leave", motion) { pointer = nil }
        EventControllers.add(motion, to: window.pointer)
        let wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
        // The capture phase comes before the scrolled window scrolls.
        gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
        EventControllers.connect("scroll", wheel) { [weak zoom] (_: Double, y: Double) -> Bool in
            let state = gtk_event_controller_get_current_event_state(wheel)
            guard let zoom, state.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
            zoom.multiply(by: factor(of: y, gtk_event_controller_scroll_get_unit(wheel)), around: pointer)
            return true
        }
        EventControllers.add(wheel, to: window.pointer)
    }

    /// The zoom factor of a scroll event. A touchpad sends many small distances in points, of which
    /// 50 are a step of the wheel.
    nonisolated static func factor(of distance: Double, _ unit: GdkScrollUnit) -> Double {
        pow(step, unit == GDK_SCROLL_UNIT_SURFACE ? -distance / 50 : -distance)
    }

    private static func connectPointer(_ zoom: ViewerZoom, _ window: Widget) {
        let click = gtk_gesture_click_new()
        let pointer = window.pointer
        EventControllers.connect("pressed", click) { [weak zoom] (count: Int, x: Double, y: Double) in
            // A scrolled window takes no focus by itself.
            if !pointer.containsFocus { gtk_widget_grab_focus(pointer) }
            if count == 2 { zoom?.toggle(around: (x, y)) }
        }
        EventControllers.add(click, to: window.pointer)
        let drag = gtk_gesture_drag_new()
        // The distance of the drag, and the position without it at a zoom factor.
        var distance = (x: 0.0, y: 0.0)
        var start = (x: 0.0, y: 0.0, factor: 0.0)
        @MainActor func begin(_ zoom: ViewerZoom?) {
            guard let zoom else { return }
            start = (zoom.position.x + distance.x, zoom.position.y + distance.y, zoom.factor)
        }
        EventControllers.connect("drag-begin", drag) { [weak zoom] in
            distance = (0, 0)
            begin(zoom)
        }
        EventControllers.connect("drag-update", drag) { [weak zoom] (x: Double, y: Double) in
            // The second press of a double click begins a drag before it zooms.
            if zoom?.factor != start.factor { begin(zoom) }
            distance = (x, y)
            zoom?.scroll(to: (start.x - x, start.y - y))
        }
        EventControllers.add(drag, to: window.pointer)
    }
}

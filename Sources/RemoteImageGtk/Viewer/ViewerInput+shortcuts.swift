import CRemoteImageGtk

/// The keys of a viewer.
extension ViewerInput {
    /// The distance that an arrow key moves the image, in points.
    private static let stride = 40.0

    /// Moves the visible area. Returns `false` at the edge of the image, so that the key may move
    /// the focus.
    private static func move(_ zoom: ViewerZoom, _ x: Double, _ y: Double) -> Bool {
        let before = zoom.position
        zoom.scroll(to: (before.x + x, before.y + y))
        return zoom.position != before
    }

    /// Handles a key. Returns whether the viewer used it: with Ctrl only the keys of the zoom, and
    /// none with Alt or Super, so that they reach the shortcuts of the program.
    static func press(_ key: UInt32, _ modifiers: GdkModifierType, _ zoom: ViewerZoom) -> Bool {
        let others = GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue | GDK_HYPER_MASK.rawValue | GDK_META_MASK.rawValue
        guard modifiers.rawValue & others == 0 else { return false }
        let hasControl = modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0
        switch Int32(bitPattern: key) {
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: zoom.multiply(by: step)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: zoom.multiply(by: 1 / step)
        case GDK_KEY_0, GDK_KEY_KP_0: zoom.set(nil, around: nil)
        case _ where hasControl: return false
        case GDK_KEY_1, GDK_KEY_KP_1: zoom.set(1, around: nil)
        case GDK_KEY_Left, GDK_KEY_KP_Left: return move(zoom, -stride, 0)
        case GDK_KEY_Right, GDK_KEY_KP_Right: return move(zoom, stride, 0)
        case GDK_KEY_Up, GDK_KEY_KP_Up: return move(zoom, 0, -stride)
        case GDK_KEY_Down, GDK_KEY_KP_Down: return move(zoom, 0, stride)
        default: return false
        }
        return true
    }
}

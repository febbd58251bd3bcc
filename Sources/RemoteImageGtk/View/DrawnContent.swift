import CGtk

/// Content that a view draws itself where it is all there is in the view: no widget is made for it until one is asked for.
@MainActor
protocol DrawnContent: AnyObject {
    /// Whether a widget was made for it.
    var isWidget: Bool { get }
    var widget: ObjectReference { get }

    var requestMode: GtkSizeRequestMode { get }
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32)
    func snapshot(into snapshot: OpaquePointer?, width: Int32, height: Int32)

    /// The view shows it from now on.
    func enter(_ view: UnsafeMutablePointer<GtkWidget>)
    /// The view shows something else.
    func leave()
    /// The view can be seen from now on.
    func map()
    func unmap()

    /// Whether both look the same.
    func looksLike(_ other: any DrawnContent) -> Bool
}

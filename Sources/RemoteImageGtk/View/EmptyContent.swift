import CRemoteImageGtk

/// Empty content, which a view shows before its image unless the declaration has a placeholder.
@MainActor
final class EmptyContent: DrawnContent {
    private(set) var isWidget = false

    private(set) lazy var widget: ObjectReference = {
        isWidget = true
        return ObjectReference(sinking: gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
    }()

    var requestMode: GtkSizeRequestMode { GTK_SIZE_REQUEST_CONSTANT_SIZE }

    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32) { (0, 0) }

    func snapshot(into snapshot: OpaquePointer?, width: Int32, height: Int32) {}

    func enter(_ view: UnsafeMutablePointer<GtkWidget>) {}

    func leave() {}

    func map() {}

    func unmap() {}

    func adopt(_ other: any DrawnContent) {}

    func looksLike(_ other: any DrawnContent) -> Bool { other is EmptyContent }
}

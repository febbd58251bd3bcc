import CRemoteImageGtk

/// Content that a view draws itself. A widget is made for it only when one is requested, for
/// example to put the content into a box.
@MainActor
protocol DrawnContent: DeferredWidget {
    var requestMode: GtkSizeRequestMode { get }
    func measure(_ orientation: GtkOrientation, forSize size: Int32) -> (minimum: Int32, natural: Int32)
    func snapshot(into snapshot: OpaquePointer?, width: Int32, height: Int32)

    /// Called when the view starts to show the content.
    func enter(_ view: UnsafeMutablePointer<GtkWidget>)
    /// Called when the view stops showing the content.
    func leave()
    /// Called when the view is mapped.
    func map()
    func unmap()

    /// Plays the animation of the content, or pauses it at its current frame.
    func setPlaying(_ isPlaying: Bool)

    /// Draws the pixels that the image has now, after they were released or loaded again.
    func refresh()

    /// Takes over the image of content that looks the same, so that both release its pixels.
    func adopt(_ other: any DrawnContent)

    /// Whether both contents look the same.
    func looksLike(_ other: any DrawnContent) -> Bool
}

extension DrawnContent {
    func setPlaying(_ isPlaying: Bool) {}
    func refresh() {}
}

extension Widget {
    /// The content that a view can draw itself; `nil` once a widget was made for it.
    var drawn: (any DrawnContent)? { deferred as? any DrawnContent }
}

import CRemoteImageGtk

/// Scales the image of a paintable down to the size at which it is drawn. GTK 4.8 has no mipmaps,
/// so an image that is more than twice as large as it is drawn would be aliased. It is replaced by
/// a scaled-down one once the size has settled.
///
/// The paintable owns this object.
@MainActor
final class DrawnImage {
    // Not owned: the paintable owns this object.
    private let instance: UnsafeMutablePointer<RemoteImageDrawnPaintable>
    /// The full pixels, kept for when the paintable is drawn larger again.
    private var pixels: PixelBuffer
    /// The drawn size in screen pixels.
    private var size: PixelSize?
    private var reducedSize: PixelSize?
    private var reducedAt = ContinuousClock.now
    /// Whether the full pixels were needed again right after a reduction. A paintable that several
    /// widgets draw at different sizes keeps the full pixels, since it would otherwise switch
    /// forever.
    private var isDrawnInSeveralSizes = false
    private let settling = MainLoopTimer()
    private var reduction: Task<Void, Never>?
    /// Called when the image is about to be drawn at a new size.
    var sizeChanged: (@MainActor () -> Void)?
    /// Whether the image is drawn at all.
    var needsDrawing: @MainActor () -> Bool = { true }

    init(_ instance: UnsafeMutablePointer<RemoteImageDrawnPaintable>, _ pixels: PixelBuffer) {
        self.instance = instance
        self.pixels = pixels
    }

    deinit {
        reduction?.cancel()
    }

    /// Call before each drawing, with the size in points.
    func willDraw(_ width: Double, _ height: Double) {
        guard width > 0, height > 0 else { return }
        let scale = Self.screenScale
        // Twice a side must not overflow.
        func side(_ points: Double) -> Int { Int(Int32(saturating: (points * scale).rounded(.up))) }
        let new = PixelSize(width: side(width), height: side(height))
        guard new != size else { return }
        size = new
        reduction?.cancel()
        sizeChanged?()
        // An animation has replaced the pixels.
        guard instance.pointee.changes == 0 else { return settling.stop() }
        if let reducedSize, new.width > reducedSize.width || new.height > reducedSize.height {
            isDrawnInSeveralSizes = isDrawnInSeveralSizes || .now - reducedAt < WidgetLoadController.settlingTime
            self.reducedSize = nil
            setTexture(pixels)
        }
        let shown = reducedSize ?? pixels.size
        guard !isDrawnInSeveralSizes, shown.width > 2 * new.width || shown.height > 2 * new.height else {
            return settling.stop()
        }
        settling.start(after: WidgetLoadController.settlingTime) { [weak self] in self?.reduce(to: new) }
    }

    private func reduce(to size: PixelSize) {
        let pixels = pixels
        reduction = Task { [weak self] in
            let smaller = await WorkerThreads.decoding.run { pixels.scaledDown(to: size) }
            guard let self, !Task.isCancelled, instance.pointee.changes == 0 else { return }
            (reducedSize, reducedAt) = (size, .now)
            setTexture(smaller)
            gdk_paintable_invalidate_contents(OpaquePointer(instance))
        }
    }

    /// Draws the pixels that `image` has now, or nothing while it is released.
    ///
    /// - Returns: Whether they are others than before.
    func refresh(_ image: LoadedImage) -> Bool {
        guard image.pixels !== pixels else { return false }
        pixels = image.pixels
        reduction?.cancel()
        settling.stop()
        (size, reducedSize, isDrawnInSeveralSizes) = (nil, nil, false)
        image.isReleased ? replaceTexture(nil) : setTexture(pixels)
        return true
    }

    private func setTexture(_ pixels: PixelBuffer) {
        if let texture = TextureStore.texture(of: pixels) { replaceTexture(texture) }
    }

    private func replaceTexture(_ new: ObjectReference?) {
        let old = instance.pointee.texture
        instance.pointee.texture = new.map { OpaquePointer(g_object_ref($0.pointer)) }
        if let old { g_object_unref(UnsafeMutableRawPointer(old)) }
    }

    /// The highest scale of all monitors, since a paintable does not know on which one it is drawn.
    private static var screenScale: Double {
        guard gtk_is_initialized() != 0, let display = gdk_display_get_default(),
            let monitors = gdk_display_get_monitors(display)
        else { return 1 }
        var scale: Int32 = 1
        for index in 0..<g_list_model_get_n_items(monitors) {
            guard let monitor = g_list_model_get_item(monitors, index) else { continue }
            scale = max(scale, gdk_monitor_get_scale_factor(OpaquePointer(monitor)))
            g_object_unref(monitor)
        }
        return Double(scale)
    }
}

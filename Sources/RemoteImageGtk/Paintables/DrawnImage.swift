import CGtk

/// In which size a paintable draws its image. GTK 4.8 has no mipmaps: an image with more than twice the pixels that it
/// is drawn in would be aliased, and is replaced by one scaled down once the size has settled.
///
/// Belongs to the paintable.
@MainActor
final class DrawnImage {
    // Not owned: the paintable owns this object.
    private let instance: UnsafeMutablePointer<RemoteImageDrawnPaintable>
    /// All there are; they stay for when the image grows again.
    private let pixels: PixelBuffer
    /// In pixels of the screen.
    private var size: PixelSize?
    private var reducedSize: PixelSize?
    private var reducedAt = ContinuousClock.now
    /// Whether all pixels were wanted right after they were reduced: a paintable that several widgets draw in different sizes
    /// keeps them, or it would change for ever.
    private var isDrawnInSeveralSizes = false
    private let settling = MainLoopTimer()
    private var reduction: Task<Void, Never>?
    /// Told when the image is about to be drawn in another size than before.
    var sizeChanged: (@MainActor () -> Void)?

    init(_ instance: UnsafeMutablePointer<RemoteImageDrawnPaintable>, _ pixels: PixelBuffer) {
        self.instance = instance
        self.pixels = pixels
    }

    deinit {
        reduction?.cancel()
    }

    /// Before each drawing into a place of that many points.
    func willDraw(_ width: Double, _ height: Double) {
        guard width > 0, height > 0 else { return }
        let scale = Self.screenScale
        let new = PixelSize(width: Int((width * scale).rounded(.up)), height: Int((height * scale).rounded(.up)))
        guard new != size else { return }
        size = new
        reduction?.cancel()
        sizeChanged?()
        // An animation has gone on to other pixels.
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
            let smaller = await Task(executorPreference: WorkerThreads.shared) { pixels.scaledDown(to: size) }.value
            guard let self, !Task.isCancelled, instance.pointee.changes == 0 else { return }
            (reducedSize, reducedAt) = (size, .now)
            setTexture(smaller)
            gdk_paintable_invalidate_contents(OpaquePointer(instance))
        }
    }

    private func setTexture(_ pixels: PixelBuffer) {
        guard let texture = TextureStore.texture(of: pixels) else { return }
        let old = instance.pointee.texture
        instance.pointee.texture = OpaquePointer(g_object_ref(texture.pointer))
        if let old { g_object_unref(UnsafeMutableRawPointer(old)) }
    }

    /// That of the densest screen: a paintable does not know where it is drawn.
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

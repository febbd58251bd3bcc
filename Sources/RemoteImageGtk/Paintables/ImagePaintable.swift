// A paintable whose natural size is the size of the image in points, independent of the decoded
// size. A GObject class registered from Swift, for use on the main thread.

import CRemoteImageGtk

enum ImagePaintable {
    /// Makes a paintable that draws `image`; `nil` only if GDK cannot make a texture. A released
    /// image is not drawn, but has its size.
    ///
    /// - Parameters:
    ///   - outgoing: A paintable over which the image fades in; see ``setProgress(_:of:)``.
    @MainActor
    static func make(_ image: LoadedImage, over outgoing: OpaquePointer? = nil) -> ObjectReference? {
        let texture = image.isReleased ? nil : TextureStore.texture(of: image.pixels)
        guard texture != nil || image.isReleased, let object = shim_object_new(type) else { return nil }
        let instance = object.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        instance.pointee.texture = texture.map { OpaquePointer(g_object_ref($0.pointer)) }
        (instance.pointee.width, instance.pointee.height) = image.naturalPointSize
        instance.pointee.progress = 1
        instance.pointee.drawn = Unmanaged.passRetained(DrawnImage(instance, image.pixels)).toOpaque()
        if let outgoing {
            instance.pointee.outgoing = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(outgoing)))
            instance.pointee.progress = 0
        }
        return ObjectReference(owned: object)
    }

    /// Makes an unused paintable once. This registers the types and fills tables of the runtime,
    /// which takes longer than making any later paintable and would otherwise delay a frame.
    @MainActor
    static func prepare() { withExtendedLifetime(first) {} }

    @MainActor private static let first: Void = {
        let size = PixelSize(width: 1, height: 1)
        let pixel = PixelBuffer(size: size, format: .rgb8) { $0.copyBytes(from: [0, 0, 0]) }
        withExtendedLifetime(
            make(
                LoadedImage(
                    pixels: pixel, info: ImageInfo(size: size, decodedSize: size, format: nil, origin: .memory)))
        ) {}
    }()

    /// Makes a paintable that draws an icon in its center, at most `side` points large. A
    /// `GtkPicture` would scale the icon up to its own size.
    @MainActor
    static func make(icon: OpaquePointer, side: Double) -> ObjectReference? {
        guard let object = shim_object_new(type) else { return nil }
        let instance = object.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        instance.pointee.texture = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(icon)))
        (instance.pointee.width, instance.pointee.height) = (side, side)
        instance.pointee.progress = 1
        let reference = ObjectReference(owned: object)
        setLayout(ImageLayout(fit: .scaleDown), of: reference)
        return reference
    }

    /// Makes the paintable lay out the image in the area in which it is drawn. Without a layout,
    /// the image fills the area.
    @MainActor
    static func setLayout(_ layout: ImageLayout, of paintable: ObjectReference) {
        let instance = paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        instance.pointee.has_fit = 1
        instance.pointee.fit = layout.fit.gtk
        (instance.pointee.x, instance.pointee.y) = (layout.x, layout.y)
        instance.pointee.radius = layout.cornerRadius
        gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
    }

    /// Makes the paintable a square that shows the middle of the image.
    @MainActor
    static func makeSquare(_ paintable: ObjectReference) {
        paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee.is_square = 1
        setLayout(ImageLayout(fit: .cover), of: paintable)
    }

    /// Replaces the pixels.
    @MainActor
    static func show(_ pixels: PixelBuffer, in paintable: ObjectReference) {
        guard let texture = TextureStore.texture(of: pixels) else { return }
        let instance = paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        let old = instance.pointee.texture
        // Each widget that draws the paintable shows the frames of its animation.
        guard instance.pointee.changes == 0 || old != OpaquePointer(texture.pointer) else { return }
        instance.pointee.texture = OpaquePointer(g_object_ref(texture.pointer))
        instance.pointee.changes = 1
        if let old { g_object_unref(UnsafeMutableRawPointer(old)) }
        gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
    }

    /// Makes the paintable of `image` draw the pixels that the image has now, or nothing while it
    /// is released.
    ///
    /// - Returns: Whether they are others than before.
    @MainActor
    static func refresh(_ paintable: ObjectReference, _ image: LoadedImage) -> Bool {
        let instance = paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        guard let drawn = drawn(instance.pointee), drawn.refresh(image) else { return false }
        // The first frame of an animation has replaced its last one.
        instance.pointee.changes = 0
        gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
        return true
    }

    /// Sets the progress of the fade-in, from 0 (only the old paintable) to 1 (only the image).
    /// Releases the old paintable at 1.
    @MainActor
    static func setProgress(_ progress: Double, of paintable: ObjectReference) {
        let instance = paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        instance.pointee.progress = min(1, max(0, progress))
        if progress >= 1, let outgoing = instance.pointee.outgoing {
            instance.pointee.outgoing = nil
            g_object_unref(UnsafeMutableRawPointer(outgoing))
        }
        gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
    }

    static func isOne(_ object: UnsafeMutableRawPointer) -> Bool { shim_is_a(object, type) != 0 }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GObjectClass>.size)
        info.instance_size = UInt16(MemoryLayout<RemoteImageDrawnPaintable>.size)
        info.class_init = { classPointer, _ in
            shim_object_class(classPointer).pointee.dispose = { object in
                guard !ReleaseQueue.defersDisposal(of: object) else { return }
                PaintableObject.parentClass.pointee.dispose?(object)
            }
            shim_object_class(classPointer).pointee.finalize = { object in ImagePaintable.finalize(object) }
        }
        let name = "RemoteImageDrawnPaintable"
        let type = g_type_register_static(g_object_get_type(), name, &info, GTypeFlags(rawValue: 0))
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            guard let table = table?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
            table.pointee.snapshot = { paintable, snapshot, width, height in
                guard let image = ImagePaintable.instance(paintable), width.isFinite, height.isFinite,
                    ImagePaintable.needsDrawing(image.pointee)
                else { return }
                ImagePaintable.willDraw(image.pointee, width, height)
                ImagePaintable.draw(image.pointee, into: snapshot, width, height)
            }
            table.pointee.get_current_image = { paintable in
                guard let instance = ImagePaintable.instance(paintable) else { return gdk_paintable_new_empty(1, 1) }
                guard let texture = instance.pointee.texture else {
                    let size = instance.pointee.naturalSize
                    return gdk_paintable_new_empty(ImagePaintable.whole(size.width), ImagePaintable.whole(size.height))
                }
                let isStill = instance.pointee.changes == 0
                return OpaquePointer(g_object_ref(UnsafeMutableRawPointer(isStill ? paintable : texture)))
            }
            table.pointee.get_flags = { _ in GDK_PAINTABLE_STATIC_SIZE }
            table.pointee.get_intrinsic_width = { paintable in
                ImagePaintable.instance(paintable).map { ImagePaintable.whole($0.pointee.naturalSize.width) } ?? 0
            }
            table.pointee.get_intrinsic_height = { paintable in
                ImagePaintable.instance(paintable).map { ImagePaintable.whole($0.pointee.naturalSize.height) } ?? 0
            }
            table.pointee.get_intrinsic_aspect_ratio = { paintable in
                guard let size = ImagePaintable.instance(paintable)?.pointee.naturalSize else { return 0 }
                return size.width / max(1e-6, size.height)
            }
        }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    /// Calls `body` when the image is about to be drawn at a new size.
    @MainActor
    static func whenSizeChanges(of paintable: ObjectReference, _ body: @escaping @MainActor () -> Void) {
        drawn(paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee)?.sizeChanged = body
    }

    /// Makes the paintable draw nothing while `needsDrawing` returns `false`, for a widget outside
    /// of its viewport: the renderer keeps the textures of the last frame, also the clipped ones,
    /// until something visible changes. Call ``invalidate(_:)`` when the result changes.
    @MainActor
    static func draw(_ paintable: ObjectReference, while needsDrawing: @escaping @MainActor () -> Bool) {
        drawn(paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee)?.needsDrawing =
            needsDrawing
    }

    /// Makes the widgets of the paintable draw it again.
    @MainActor
    static func invalidate(_ paintable: ObjectReference) {
        gdk_paintable_invalidate_contents(OpaquePointer(paintable.pointer))
    }

    private static func needsDrawing(_ image: RemoteImageDrawnPaintable) -> Bool {
        guard let drawn = drawn(image) else { return true }
        return MainLoop.assumeIsolated { drawn.needsDrawing() }
    }

    private static func drawn(_ image: RemoteImageDrawnPaintable) -> DrawnImage? {
        image.drawn.map { Unmanaged<DrawnImage>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func willDraw(_ image: RemoteImageDrawnPaintable, _ width: Double, _ height: Double) {
        guard let drawn = drawn(image) else { return }
        let area =
            image.has_fit == 0
            ? Rect(x: 0, y: 0, width: width, height: height)
            : layout(of: image).area(
                ofWidth: image.width, height: image.height, inWidth: width, height: height)
        MainLoop.assumeIsolated { drawn.willDraw(area.width, area.height) }
    }

    private static func layout(of image: RemoteImageDrawnPaintable) -> ImageLayout {
        ImageLayout(
            fit: ContentFit(image.fit), x: image.x, y: image.y, cornerRadius: image.radius)
    }

    private static func draw(
        _ image: RemoteImageDrawnPaintable, into snapshot: OpaquePointer?, _ width: Double, _ height: Double
    ) {
        guard let outgoing = image.outgoing else { return drawAlone(image, into: snapshot, width, height) }
        gtk_snapshot_push_cross_fade(snapshot, image.progress)
        gdk_paintable_snapshot(outgoing, snapshot, width, height)
        gtk_snapshot_pop(snapshot)
        drawAlone(image, into: snapshot, width, height)
        gtk_snapshot_pop(snapshot)
    }

    private static func drawAlone(
        _ image: RemoteImageDrawnPaintable, into snapshot: OpaquePointer?, _ width: Double, _ height: Double
    ) {
        guard image.texture != nil else { return }
        guard image.has_fit != 0 else { return gdk_paintable_snapshot(image.texture, snapshot, width, height) }
        draw(
            image.texture, ofWidth: image.width, height: image.height, layout(of: image), into: snapshot, width,
            height)
    }

    /// Draws the image into an area of `width` × `height` points with `layout`.
    @MainActor
    static func draw(
        _ paintable: ObjectReference, _ layout: ImageLayout, into snapshot: OpaquePointer?, _ width: Double,
        _ height: Double
    ) {
        let image = paintable.pointer.assumingMemoryBound(to: RemoteImageDrawnPaintable.self).pointee
        draw(
            OpaquePointer(paintable.pointer), ofWidth: image.width, height: image.height, layout, into: snapshot,
            width, height)
    }

    private static func draw(
        _ paintable: OpaquePointer?, ofWidth imageWidth: Double, height imageHeight: Double,
        _ layout: ImageLayout,
        into snapshot: OpaquePointer?, _ width: Double, _ height: Double
    ) {
        let area = layout.area(ofWidth: imageWidth, height: imageHeight, inWidth: width, height: height)
        guard let seen = area.intersection(with: Rect(x: 0, y: 0, width: width, height: height)) else { return }
        let isClipped = seen != area || layout.cornerRadius > 0
        if isClipped { shim_push_round_clip(snapshot, seen.x, seen.y, seen.width, seen.height, layout.cornerRadius) }
        gtk_snapshot_save(snapshot)
        var origin = graphene_point_t(x: Float(area.x), y: Float(area.y))
        gtk_snapshot_translate(snapshot, &origin)
        gdk_paintable_snapshot(paintable, snapshot, area.width, area.height)
        gtk_snapshot_restore(snapshot)
        if isClipped { gtk_snapshot_pop(snapshot) }
    }

    private static func whole(_ points: Double) -> Int32 { Int32(saturating: points.rounded(.up)) }

    private static func instance(_ paintable: OpaquePointer?) -> UnsafeMutablePointer<RemoteImageDrawnPaintable>? {
        paintable.map { UnsafeMutablePointer<RemoteImageDrawnPaintable>($0) }
    }

    private static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
        guard let object else { return }
        let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: RemoteImageDrawnPaintable.self)
        for owned in [instance.pointee.texture, instance.pointee.outgoing] {
            if let owned { g_object_unref(UnsafeMutableRawPointer(owned)) }
        }
        if let drawn = instance.pointee.drawn { Unmanaged<AnyObject>.fromOpaque(drawn).release() }
        PaintableObject.parentClass.pointee.finalize?(object)
    }
}

extension RemoteImageDrawnPaintable {
    /// The natural size in points.
    fileprivate var naturalSize: (width: Double, height: Double) {
        guard is_square != 0 else { return (width, height) }
        let side = min(width, height)
        return (side, side)
    }
}

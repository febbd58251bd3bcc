// A paintable whose natural size is the picture's own in points, not that of the pixels that were decoded for the
// place where it is shown. A GObject class registered from Swift; all of it belongs to the main thread.

import CGtk

enum PicturePaintable {
    /// A paintable that draws `texture`, `width` × `height` points large where nobody says otherwise.
    @MainActor
    static func make(_ texture: ObjectReference, width: Double, height: Double) -> ObjectReference? {
        guard let object = shim_object_new(type) else { return nil }
        let instance = object.assumingMemoryBound(to: RemoteImagePictureInstance.self)
        instance.pointee.texture = OpaquePointer(g_object_ref(texture.pointer))
        instance.pointee.width = width
        instance.pointee.height = height
        return ObjectReference(owned: object)
    }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GObjectClass>.size)
        info.instance_size = UInt16(MemoryLayout<RemoteImagePictureInstance>.size)
        info.class_init = { classPointer, _ in
            shim_object_class(classPointer).pointee.finalize = { object in PicturePaintable.finalize(object) }
        }
        let type = g_type_register_static(g_object_get_type(), "RemoteImagePicture", &info, GTypeFlags(rawValue: 0))
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in
            guard let table = table?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
            table.pointee.snapshot = { paintable, snapshot, width, height in
                guard let texture = PicturePaintable.instance(paintable)?.pointee.texture else { return }
                gdk_paintable_snapshot(texture, snapshot, width, height)
            }
            table.pointee.get_current_image = { paintable in
                // It never changes.
                OpaquePointer(g_object_ref(UnsafeMutableRawPointer(paintable)))
            }
            table.pointee.get_flags = { _ in
                GdkPaintableFlags(rawValue: GDK_PAINTABLE_STATIC_SIZE.rawValue | GDK_PAINTABLE_STATIC_CONTENTS.rawValue)
            }
            table.pointee.get_intrinsic_width = { paintable in
                PicturePaintable.instance(paintable).map { Int32(clamping: Int($0.pointee.width.rounded(.up))) } ?? 0
            }
            table.pointee.get_intrinsic_height = { paintable in
                PicturePaintable.instance(paintable).map { Int32(clamping: Int($0.pointee.height.rounded(.up))) } ?? 0
            }
            table.pointee.get_intrinsic_aspect_ratio = { paintable in
                PicturePaintable.instance(paintable).map { $0.pointee.width / max(1e-6, $0.pointee.height) } ?? 0
            }
        }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    private static func instance(_ paintable: OpaquePointer?) -> UnsafeMutablePointer<RemoteImagePictureInstance>? {
        paintable.map { UnsafeMutablePointer<RemoteImagePictureInstance>($0) }
    }

    private static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
        guard let object else { return }
        UnsafeMutableRawPointer(object).assumingMemoryBound(to: RemoteImagePictureInstance.self).pointee.texture
            .map { g_object_unref(UnsafeMutableRawPointer($0)) }
        let parent = g_type_class_peek_static(g_object_get_type())
        shim_object_class(parent).pointee.finalize?(object)
    }
}

// The GObject class `RemoteImagePaintable`.

import CRemoteImageGtk

extension PaintableObject {
    nonisolated package static let table = PropertyTable<PaintableObject>(
        ImageProperties(), ObjectProperty.image + ObjectProperty.outcome)

    nonisolated package static let signals = ImageSignals(of: type)

    nonisolated package static func initialize(_ classPointer: UnsafeMutableRawPointer) { _ = signals }

    nonisolated package static let typeName: StaticString = "RemoteImagePaintable"

    nonisolated package static let type: GType = {
        let type = register()
        var interface = GInterfaceInfo()
        interface.interface_init = { table, _ in PaintableObject.initialize(table) }
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    nonisolated private static func initialize(_ table: UnsafeMutableRawPointer?) {
        guard let table = table?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
        table.pointee.snapshot = { paintable, snapshot, width, height in
            nonisolated(unsafe) let snapshot = snapshot  // Never leaves this call, which is on the main thread.
            PaintableObject.with(paintable) { state in
                state.draw(into: snapshot, width, height)
            }
        }
        table.pointee.get_current_image = { paintable in
            nonisolated(unsafe) var image: OpaquePointer?  // Never leaves this call, which is on the main thread.
            PaintableObject.with(paintable) { state in
                let texture = state.texturePointer
                image = texture.map { OpaquePointer(g_object_ref($0)) } ?? gdk_paintable_new_empty(0, 0)
            }
            return image
        }
        table.pointee.get_intrinsic_width = { paintable in
            var width: Int32 = 0
            PaintableObject.with(paintable) { width = $0.naturalSize.width }
            return width
        }
        table.pointee.get_intrinsic_height = { paintable in
            var height: Int32 = 0
            PaintableObject.with(paintable) { height = $0.naturalSize.height }
            return height
        }
    }

    nonisolated private static func with(_ paintable: OpaquePointer?, _ body: @MainActor (PaintableObject) -> Void) {
        with(paintable.map { UnsafeMutableRawPointer($0) }, body)
    }
}

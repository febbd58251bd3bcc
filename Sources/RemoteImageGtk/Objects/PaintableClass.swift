// The GObject class `RemoteImagePaintable`.

import CGtk

extension PaintableObject {
    nonisolated static let properties = PropertyTable<PaintableObject>([
        .string("uri", \.uri),
        .string("low-data-uri", \.lowDataURI),
        .strings("fallback-uris", \.fallbackURIs),
        .string("identity", \.identity),
        .strings("headers", \.headers),
        .object("pipeline", \.pipeline) { PipelineObject.type },
        .enumeration("cache-policy", \.cachePolicy, { Enumerations.cachePolicy }, default: CachePolicy.http.number),
        .enumeration("priority", \.priority, { Enumerations.priority }, default: LoadPriority.normal.number),
        .integer("max-pixel-size", \.maxPixelSize, in: 0...Int32.max, default: 0),
        .boolean("keep-while-loading", \.keepWhileLoading),
        .readOnly("phase", { g_param_spec_enum($0, nil, nil, Enumerations.phase, 0, $1) }) { paintable, value in
            g_value_set_enum(value, paintable.phaseNumber)
        },
        .readOnly("progress", { g_param_spec_double($0, nil, nil, 0, 1, 0, $1) }) { paintable, value in
            g_value_set_double(value, paintable.progress)
        },
        .readOnly("error", { g_param_spec_boxed($0, nil, nil, shim_type_error(), $1) }) { paintable, value in
            g_value_set_boxed(value, paintable.error)
        },
        .readOnly("texture", { g_param_spec_object($0, nil, nil, gdk_texture_get_type(), $1) }) { paintable, value in
            g_value_set_object(value, paintable.texturePointer)
        },
        .readOnly("image-width", { g_param_spec_int($0, nil, nil, 0, Int32.max, 0, $1) }) { paintable, value in
            g_value_set_int(value, Int32(clamping: paintable.imageSize.width))
        },
        .readOnly("image-height", { g_param_spec_int($0, nil, nil, 0, Int32.max, 0, $1) }) { paintable, value in
            g_value_set_int(value, Int32(clamping: paintable.imageSize.height))
        },
    ])

    nonisolated package static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GObjectClass>.size)
        info.instance_size = UInt16(MemoryLayout<RemoteImageObjectInstance>.size)
        info.class_init = { classPointer, _ in
            let objectClass = shim_object_class(classPointer)
            objectClass?.pointee.get_property = { object, id, value, _ in
                properties.read(id, of: object, into: value) { PaintableObject.of($0) }
            }
            objectClass?.pointee.set_property = { object, id, value, spec in
                properties.write(id, of: object, value, spec) { PaintableObject.of($0) }
            }
            objectClass?.pointee.dispatch_properties_changed = { object, count, specs in
                ObjectClass.with(PaintableObject.self, object) { $0.applyChanges() }
                ObjectClass.parent.pointee.dispatch_properties_changed?(object, count, specs)
            }
            objectClass?.pointee.dispose = { object in
                ObjectClass.with(PaintableObject.self, object) { $0.dispose() }
                ObjectClass.parent.pointee.dispose?(object)
            }
            objectClass?.pointee.finalize = { ObjectClass.finalize(PaintableObject.self, $0) }
            properties.install(on: objectClass)
        }
        info.instance_init = { instance, _ in ObjectClass.makeState(PaintableObject.self, for: instance) }
        let type = g_type_register_static(
            g_object_get_type(), "RemoteImagePaintable", &info, GTypeFlags(rawValue: 0))
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
                guard let texture = state.texturePointer else { return }
                gdk_paintable_snapshot(OpaquePointer(texture), snapshot, width, height)
            }
        }
        table.pointee.get_current_image = { paintable in
            nonisolated(unsafe) var image: OpaquePointer?
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
        ObjectClass.with(PaintableObject.self, paintable.map { UnsafeMutableRawPointer($0) }, body)
    }
}

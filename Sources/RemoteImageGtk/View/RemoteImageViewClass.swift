// The GObject class behind `RemoteImageView`, registered from Swift. The instance holds one
// retained reference to its Swift state, created in its init and released in its finalize. All code
// runs on the main thread.

import CGtk
import CPlatform

package enum RemoteImageViewClass {
    private typealias Instance = RemoteImageViewInstance

    @MainActor
    static func make() -> UnsafeMutablePointer<GtkWidget> {
        shim_object_new(type).assumingMemoryBound(to: GtkWidget.self)
    }

    static func isInstance(_ pointer: UnsafeMutableRawPointer) -> Bool {
        shim_is_a(pointer, type) != 0
    }

    @MainActor
    package static func state(of widget: UnsafeMutableRawPointer) -> RemoteImageViewState {
        let instance = widget.assumingMemoryBound(to: Instance.self)
        return Unmanaged<RemoteImageViewState>.fromOpaque(instance.pointee.state).takeUnretainedValue()
    }

    package static let type: GType = {
        var info = GTypeInfo()
        info.class_size = UInt16(MemoryLayout<GtkWidgetClass>.size)
        info.instance_size = UInt16(MemoryLayout<Instance>.size)
        info.class_init = { classPointer, _ in RemoteImageViewClass.initialize(classPointer) }
        info.instance_init = { instance, _ in
            guard let instance else { return }
            MainLoop.installOrExplain(for: "RemoteImageView")
            let widget = instance.withMemoryRebound(to: GtkWidget.self, capacity: 1) { Pointer($0) }
            MainLoop.assumeIsolated {
                DesktopFollower.shared.start()
                ImagePaintable.prepare()
                let state = RemoteImageViewState(widget.widget)
                UnsafeMutableRawPointer(widget.widget).assumingMemoryBound(to: Instance.self).pointee.state =
                    Unmanaged.passRetained(state).toOpaque()
            }
        }
        let type = g_type_register_static(
            gtk_widget_get_type(), "RemoteImageView", &info, GTypeFlags(rawValue: 0))
        ViewBuildable.add(to: type)
        return type
    }()

    /// A pointer that GTK passed to a callback on the main thread, for use in code of the main
    /// actor.
    private struct Pointer: @unchecked Sendable {
        // Unchecked: the value never leaves the main thread, on which the main actor runs.
        let widget: UnsafeMutablePointer<GtkWidget>

        init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }
    }

    private static func initialize(_ classPointer: gpointer?) {
        let widgetClass = shim_widget_class(classPointer)
        gtk_widget_class_set_css_name(widgetClass, "remoteimage")
        gtk_widget_class_set_accessible_role(widgetClass, GTK_ACCESSIBLE_ROLE_IMG)
        widgetClass?.pointee.root = { widget in
            RemoteImageViewClass.parentClass.pointee.root?(widget)
            RemoteImageViewClass.with(widget) { $0.environmentChanged() }
        }
        widgetClass?.pointee.map = { widget in
            RemoteImageViewClass.parentClass.pointee.map?(widget)
            RemoteImageViewClass.with(widget) { $0.map() }
        }
        widgetClass?.pointee.unmap = { widget in
            RemoteImageViewClass.with(widget) { $0.unmap() }
            RemoteImageViewClass.parentClass.pointee.unmap?(widget)
        }
        widgetClass?.pointee.get_request_mode = { widget in
            var mode = GTK_SIZE_REQUEST_CONSTANT_SIZE
            RemoteImageViewClass.with(widget) { state in
                mode = state.requestMode
            }
            return mode
        }
        widgetClass?.pointee.measure = {
            widget, orientation, size, minimum, natural, minimumBaseline, naturalBaseline in
            // Images have no baselines.
            minimumBaseline?.pointee = -1
            naturalBaseline?.pointee = -1
            var (least, best): (Int32, Int32) = (0, 0)
            RemoteImageViewClass.with(widget) { (least, best) = $0.measure(orientation, forSize: size) }
            minimum?.pointee = least
            natural?.pointee = best
        }
        widgetClass?.pointee.size_allocate = { widget, width, height, baseline in
            RemoteImageViewClass.with(widget) { $0.allocate(width: width, height: height) }
        }
        widgetClass?.pointee.snapshot = { widget, snapshot in
            nonisolated(unsafe) let snapshot = snapshot  // Never leaves this call, which is on the main thread.
            RemoteImageViewClass.with(widget) { $0.snapshot(into: snapshot) }
        }
        let objectClass = shim_object_class(classPointer)
        objectClass?.pointee.get_property = { object, id, value, _ in
            RemoteImageViewState.table.read(id, of: object, into: value) { RemoteImageViewClass.state(of: $0) }
        }
        objectClass?.pointee.set_property = { object, id, value, spec in
            RemoteImageViewState.table.write(id, of: object, value, spec) { RemoteImageViewClass.state(of: $0) }
        }
        objectClass?.pointee.dispatch_properties_changed = { object, count, specs in
            // Properties that are set together are dispatched together.
            let changed = RemoteImageViewState.table.writableNames(of: specs, count)
            if !changed.isEmpty { RemoteImageViewClass.with(object?.widget) { $0.applyProperties(changed) } }
            shim_object_class(RemoteImageViewClass.parentClass).pointee.dispatch_properties_changed?(
                object, count, specs)
        }
        RemoteImageViewState.table.install(on: objectClass)
        ViewSignals.register()
        objectClass?.pointee.dispose = { object in
            guard !ReleaseQueue.defersDisposal(of: object) else { return }
            RemoteImageViewClass.with(object?.widget) { $0.dispose() }
            shim_object_class(RemoteImageViewClass.parentClass).pointee.dispose?(object)
        }
        objectClass?.pointee.finalize = { object in
            if let object, platform_was_forked() == 0 {
                let instance = UnsafeMutableRawPointer(object).assumingMemoryBound(to: Instance.self)
                Unmanaged<RemoteImageViewState>.fromOpaque(instance.pointee.state).release()
            }
            shim_object_class(RemoteImageViewClass.parentClass).pointee.finalize?(object)
        }
    }

    private static var parentClass: UnsafeMutablePointer<GtkWidgetClass> {
        shim_widget_class(g_type_class_peek_static(gtk_widget_get_type()))
    }

    private static func with(
        _ widget: UnsafeMutablePointer<GtkWidget>?, _ body: @MainActor (RemoteImageViewState) -> Void
    ) {
        // A forked process lacks the threads that the state would wait for.
        guard let widget, platform_was_forked() == 0 else { return }
        let pointer = Pointer(widget)
        MainLoop.assumeIsolated { body(state(of: pointer.widget)) }
    }
}

extension UnsafeMutablePointer<GObject> {
    fileprivate var widget: UnsafeMutablePointer<GtkWidget> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GtkWidget.self)
    }
}

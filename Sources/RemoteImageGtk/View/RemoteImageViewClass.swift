// The GObject class behind `RemoteImageView`, registered from Swift.

import CRemoteImageGtk

extension RemoteImageViewState {
    package static func make() -> UnsafeMutablePointer<GtkWidget> {
        shim_object_new(type).assumingMemoryBound(to: GtkWidget.self)
    }

    nonisolated package static let typeName: StaticString = "RemoteImageView"
    nonisolated package static var parentType: GType { gtk_widget_get_type() }
    nonisolated package static var parentSize: Int { MemoryLayout<GtkWidget>.size }

    nonisolated package static let type: GType = {
        let type = register()
        ViewBuildable.add(to: type)
        return type
    }()

    nonisolated package static let signals = ImageSignals(of: type)

    nonisolated package static func initialize(_ classPointer: UnsafeMutableRawPointer) {
        _ = signals
        let widgetClass = shim_widget_class(classPointer)
        gtk_widget_class_set_css_name(widgetClass, "remoteimage")
        gtk_widget_class_set_accessible_role(widgetClass, GTK_ACCESSIBLE_ROLE_IMG)
        widgetClass?.pointee.root = { widget in
            RemoteImageViewState.parentWidgetClass.pointee.root?(widget)
            RemoteImageViewState.receive(widget) { view in view.withDelayedSignals { view.root() } }
        }
        widgetClass?.pointee.unroot = { widget in
            RemoteImageViewState.receive(widget) { view in view.withDelayedSignals { view.unroot() } }
            RemoteImageViewState.parentWidgetClass.pointee.unroot?(widget)
        }
        widgetClass?.pointee.map = { widget in
            RemoteImageViewState.parentWidgetClass.pointee.map?(widget)
            RemoteImageViewState.receive(widget) { view in view.withDelayedSignals { view.map() } }
        }
        widgetClass?.pointee.unmap = { widget in
            RemoteImageViewState.receive(widget) { view in view.withDelayedSignals { view.unmap() } }
            RemoteImageViewState.parentWidgetClass.pointee.unmap?(widget)
        }
        widgetClass?.pointee.get_request_mode = { widget in
            var mode = GTK_SIZE_REQUEST_CONSTANT_SIZE
            RemoteImageViewState.with(widget) { mode = $0.requestMode }
            return mode
        }
        widgetClass?.pointee.measure = {
            // Images have no baselines.
            widget, orientation, size, minimum, natural, _, _ in
            var (least, best): (Int32, Int32) = (0, 0)
            RemoteImageViewState.with(widget) { (least, best) = $0.measure(orientation, forSize: size) }
            minimum?.pointee = least
            natural?.pointee = best
        }
        widgetClass?.pointee.size_allocate = { widget, width, height, baseline in
            RemoteImageViewState.with(widget) { view in
                view.withDelayedSignals { view.allocate(width: width, height: height) }
            }
        }
        widgetClass?.pointee.snapshot = { widget, snapshot in
            nonisolated(unsafe) let snapshot = snapshot  // Never leaves this call, which is on the main thread.
            RemoteImageViewState.with(widget) { $0.snapshot(into: snapshot) }
        }
    }

    nonisolated private static var parentWidgetClass: UnsafeMutablePointer<GtkWidgetClass> {
        shim_widget_class(g_type_class_peek_static(parentType))
    }
}

import CRemoteImageGtk

extension WidgetDeclaration {
    /// Makes a binding follow the vertical scroll position of a ``ScrollView``, an ``ImageGrid`` or
    /// an ``ImageList``, in points from the top, and the widget follow the binding. A position
    /// beyond the end becomes the end. No effect on other widgets.
    public func scrollPosition(_ position: Binding<Double>) -> DeclaredWidget {
        body.modifier("scroll-position") { node in
            guard let adjustment = node.verticalAdjustment else { return }
            node.setHandler("scroll-position", { position.change(to: $0) }) { call in
                let object = UnsafeMutableRawPointer(adjustment)
                Signal.connect("value-changed", of: object) { _ = call(gtk_adjustment_get_value(adjustment)) }
            }
        }
        .observing({ position.value }) { node, wanted in
            guard let adjustment = node.verticalAdjustment else { return }
            gtk_adjustment_set_value(adjustment, wanted)
            // GTK reports no change if the widget is at its end already.
            position.change(to: gtk_adjustment_get_value(adjustment))
        }
    }
}

extension WidgetNode {
    /// `nil` for a widget that does not scroll.
    fileprivate var verticalAdjustment: UnsafeMutablePointer<GtkAdjustment>? {
        guard shim_is_a(pointer, gtk_scrolled_window_get_type()) != 0 else { return nil }
        return gtk_scrolled_window_get_vadjustment(opaque)
    }
}

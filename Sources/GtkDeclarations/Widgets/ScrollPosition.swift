import CRemoteImageGtk

extension WidgetDeclaration {
    /// Makes a binding follow the vertical scroll position of a ``ScrollView``, an ``ImageGrid`` or
    /// an ``ImageList``, in points from the top, and the widget follow the binding. A position
    /// beyond the end becomes the end. No effect on other widgets.
    public func scrollPosition(_ position: Binding<Double>) -> Modified {
        modified { declared in
            declared.modifier("scroll-position") { node in
                guard let adjustment = node.verticalAdjustment else { return }
                let object = UnsafeMutableRawPointer(adjustment)
                node.setHandler("scroll-position", { (value: Double) in position.change(to: value) }) { call, _ in
                    Signal.connect("value-changed", of: object) { _ = call(gtk_adjustment_get_value(adjustment)) }
                }
                // A position is out of reach before the content is laid out.
                node.setHandler("scroll-bounds", { scroll(adjustment, to: position) }) { call, _ in
                    Signal.connect("changed", of: object) { _ = call() }
                }
            }
            .observing({ position.wrappedValue }) { node, _ in
                if let adjustment = node.verticalAdjustment { scroll(adjustment, to: position) }
            }
        }
    }
}

extension WidgetNode {
    /// `nil` for a widget that does not scroll.
    var verticalAdjustment: UnsafeMutablePointer<GtkAdjustment>? {
        guard shim_is_a(pointer, gtk_scrolled_window_get_type()) != 0 else { return nil }
        return gtk_scrolled_window_get_vadjustment(opaque)
    }
}

/// Scrolls to a position that a binding has, as far as the content reaches.
@MainActor
private func scroll(_ adjustment: UnsafeMutablePointer<GtkAdjustment>, to position: Binding<Double>) {
    // Setting the same value would end an animation of GTK.
    guard gtk_adjustment_get_value(adjustment) != position.wrappedValue else { return }
    gtk_adjustment_set_value(adjustment, position.wrappedValue)
    guard gtk_adjustment_get_page_size(adjustment) > 0 else { return }
    // GTK reports no change if the widget is at its end already.
    position.change(to: gtk_adjustment_get_value(adjustment))
}

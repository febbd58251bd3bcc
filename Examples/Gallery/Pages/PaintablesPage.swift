import CRemoteImageGtk
import RemoteImageGtk

extension Page {
    static let paintables = Page(name: "paintables", title: "Paintables") { context in
        var small = ImageOptions()
        small.maxPixelSize = 96
        let background = RemoteImagePaintable(context.address(.image(16)), pipeline: context.pipeline)
        let icon = RemoteImagePaintable(context.address(.image(17)), options: small, pipeline: context.pipeline)

        let backdrop = Widget(gtk_picture_new_for_paintable(background.pointer))
        gtk_picture_set_content_fit(backdrop.opaque, GTK_CONTENT_FIT_COVER)
        let behind = Widget(gtk_overlay_new())
        gtk_overlay_set_child(behind.opaque, backdrop.pointer)
        let text = Widget(gtk_label_new("A label over an image"))
        gtk_widget_add_css_class(text.pointer, "over")
        gtk_widget_set_valign(text.pointer, GTK_ALIGN_END)
        gtk_overlay_add_overlay(behind.opaque, text.pointer)

        let button = Widget(gtk_button_new())
        gtk_button_set_child(button.cast(to: GtkButton.self), gtk_image_new_from_paintable(icon.pointer))
        gtk_image_set_pixel_size(
            gtk_button_get_child(button.cast(to: GtkButton.self)).map { OpaquePointer($0) }, 64)

        let dragged = Widget(gtk_label_new("Drag me"))
        let source = gtk_drag_source_new()
        gtk_drag_source_set_icon(source, icon.pointer, 0, 0)
        let address = Array(context.address(.image(17)).utf8)
        let bytes = g_bytes_new(address, gsize(address.count))
        let content = gdk_content_provider_new_for_bytes("text/plain;charset=utf-8", bytes)
        g_bytes_unref(bytes)
        gtk_drag_source_set_content(source, content)
        g_object_unref(content.map { UnsafeMutableRawPointer($0) })
        gtk_widget_add_controller(dragged.pointer, source)

        return PageLayout.page(
            "RemoteImagePaintable shows an image where GTK accepts a paintable but no widget.",
            [("Background", behind), ("Icon of a button", button), ("Icon of a drag", dragged)])
    }
}

import CGtk

@testable import RemoteImageGtk

/// The texture that a `GtkPicture` shows of a picture of ours.
@MainActor
func texture(of picture: Widget) -> OpaquePointer? {
    guard let paintable = gtk_picture_get_paintable(picture.opaque) else { return nil }
    return UnsafeMutablePointer<RemoteImagePictureInstance>(paintable).pointee.texture
}

/// How wide, in pixels, the textures are that a widget draws.
@MainActor
func textureWidths(in widget: UnsafeMutablePointer<GtkWidget>) -> [Int] {
    let paintable = gtk_widget_paintable_new(widget)
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(
        paintable, snapshot, Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return [] }
    defer { gsk_render_node_unref(node) }
    return textureWidths(in: node)
}

private func textureWidths(in node: OpaquePointer?) -> [Int] {
    guard let node else { return [] }
    switch gsk_render_node_get_node_type(node) {
    case GSK_TEXTURE_NODE: return [Int(gdk_texture_get_width(gsk_texture_node_get_texture(node)))]
    case GSK_CONTAINER_NODE:
        return (0..<gsk_container_node_get_n_children(node)).flatMap {
            textureWidths(in: gsk_container_node_get_child(node, $0))
        }
    case GSK_TRANSFORM_NODE: return textureWidths(in: gsk_transform_node_get_child(node))
    case GSK_CLIP_NODE: return textureWidths(in: gsk_clip_node_get_child(node))
    case GSK_ROUNDED_CLIP_NODE: return textureWidths(in: gsk_rounded_clip_node_get_child(node))
    case GSK_DEBUG_NODE: return textureWidths(in: gsk_debug_node_get_child(node))
    default: return []
    }
}

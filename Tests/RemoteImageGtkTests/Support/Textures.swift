import CRemoteImageGtk

@testable import RemoteImageGtk

/// The texture that a `GtkPicture` shows for an image of this library.
@MainActor
func texture(of image: Widget) -> OpaquePointer? {
    guard let paintable = gtk_picture_get_paintable(image.opaque) else { return nil }
    return UnsafeMutablePointer<RemoteImageDrawnPaintable>(paintable).pointee.texture
}

/// The widths, in pixels, of the textures that a widget drew in the last frame.
@MainActor
func textureWidths(in widget: UnsafeMutablePointer<GtkWidget>) -> [Int] {
    map(texturesOf: widget) { Int(gdk_texture_get_width($0)) }
}

/// The contents of the `TestImage`s that a widget drew in the last frame.
@MainActor
func drawnContents(of widget: UnsafeMutablePointer<GtkWidget>) -> [UInt8] {
    map(texturesOf: widget) { texture in
        let stride = Int(gdk_texture_get_width(texture)) * 4
        var pixels = [UInt8](repeating: 0, count: stride * Int(gdk_texture_get_height(texture)))
        gdk_texture_download(texture, &pixels, gsize(stride))
        return pixels[0]
    }
}

@MainActor
private func map<Value>(
    texturesOf widget: UnsafeMutablePointer<GtkWidget>, _ body: (OpaquePointer) -> Value
) -> [Value] {
    let paintable = gtk_widget_paintable_new(widget)
    defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
    let snapshot = gtk_snapshot_new()
    gdk_paintable_snapshot(
        paintable, snapshot, Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
    guard let node = gtk_snapshot_free_to_node(snapshot) else { return [] }
    defer { gsk_render_node_unref(node) }
    return textures(in: node).map(body)
}

/// The textures are valid as long as the node.
private func textures(in node: OpaquePointer?) -> [OpaquePointer] {
    guard let node else { return [] }
    switch gsk_render_node_get_node_type(node) {
    case GSK_TEXTURE_NODE: return [gsk_texture_node_get_texture(node)].compactMap(\.self)
    case GSK_CONTAINER_NODE:
        return (0..<gsk_container_node_get_n_children(node)).flatMap {
            textures(in: gsk_container_node_get_child(node, $0))
        }
    case GSK_TRANSFORM_NODE: return textures(in: gsk_transform_node_get_child(node))
    case GSK_CLIP_NODE: return textures(in: gsk_clip_node_get_child(node))
    case GSK_ROUNDED_CLIP_NODE: return textures(in: gsk_rounded_clip_node_get_child(node))
    case GSK_DEBUG_NODE: return textures(in: gsk_debug_node_get_child(node))
    default: return []
    }
}

import CRemoteImageGtk

/// The style of views: the focus ring of a view and of a viewer, for which themes have no rule, and
/// cells of grids without the space that themes leave around the content.
@MainActor
enum ViewStyle {
    /// The CSS class of the `GtkGridView` of an ``ImageGrid``.
    static let gridClass = "image-grid"

    // Inside the view, whose parent may clip it; GTK draws outlines over the content. The pure
    // accent color has too little contrast in dark themes.
    private static let style = DefaultStyle(
        "remote-image-style",
        """
        remoteimage:focus-visible, scrolledwindow.image-viewer:focus-visible {
          outline: 2px solid mix(@theme_selected_bg_color, @theme_fg_color, 0.4);
          outline-offset: -2px;
        }
        gridview.\(gridClass) > child { padding: 0; }
        gridview.\(gridClass) > child box { margin: 0; border-spacing: 0; }
        """)

    /// Adds the style to a display, once.
    static func add(to display: OpaquePointer?) { style.add(to: display) }
}

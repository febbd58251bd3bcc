import CRemoteImageGtk

/// The style sheet of the library: the focus ring of a view and of a viewer, for which themes have
/// no rule, cells of grids without the space that themes leave around the content, and toasts over
/// any content.
@MainActor
final class ViewStyle {
    private static let data = ObjectData<ViewStyle>("remote-image-style")

    /// The CSS class of the `GtkGridView` of an ``ImageGrid``.
    static let gridClass = "image-grid"
    /// The CSS class of a ``Toast``.
    static let toastClass = "remote-image-toast"

    // Inside the view, whose parent may clip it; GTK draws outlines over the content. The pure
    // accent color has too little contrast in dark themes.
    private static let css = """
        remoteimage:focus-visible, scrolledwindow.image-viewer:focus-visible {
          outline: 2px solid mix(@theme_selected_bg_color, @theme_fg_color, 0.4);
          outline-offset: -2px;
        }
        gridview.\(gridClass) > child { padding: 0; }
        gridview.\(gridClass) > child box { margin: 0; border-spacing: 0; }
        .\(toastClass) { background-color: rgba(32, 32, 32, 0.96); }
        """

    /// Adds the style sheet to a display, once. Those of the program and of the user take
    /// precedence.
    static func add(to display: OpaquePointer?) {
        guard let display, data[UnsafeMutableRawPointer(display)] == nil else { return }
        data[UnsafeMutableRawPointer(display)] = ViewStyle()
        // GTK gives the theme itself the priority of the settings.
        Appearance.addStyleSheet(css, to: display, GTK_STYLE_PROVIDER_PRIORITY_SETTINGS + 1)
    }
}

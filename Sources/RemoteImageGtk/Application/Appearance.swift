import CRemoteImageGtk

/// The appearance of all windows of the program.
@MainActor
enum Appearance {
    private static let darkProperty = "gtk-application-prefer-dark-theme"

    static func addStyleSheet(
        _ css: String, to display: OpaquePointer? = gdk_display_get_default(),
        _ priority: Int32 = GTK_STYLE_PROVIDER_PRIORITY_APPLICATION
    ) {
        let provider = gtk_css_provider_new()
        defer { g_object_unref(provider) }
        shim_css_provider_load(provider, css)
        gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), guint(priority))
    }

    /// - Parameter isDark: `nil` for the user's setting.
    static func setDark(_ isDark: Bool?) {
        guard let settings = gtk_settings_get_default() else { return }
        guard let isDark else { return gtk_settings_reset_property(settings, darkProperty) }
        shim_set_number(UnsafeMutableRawPointer(settings), darkProperty, isDark ? 1 : 0)
    }
}

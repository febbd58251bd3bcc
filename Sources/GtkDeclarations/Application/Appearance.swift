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

/// A style sheet of the library, over which those of the program and of the user take precedence.
@MainActor
package final class DefaultStyle {
    private let css: String
    private let data: ObjectData<DefaultStyle>

    /// - Parameter name: A unique name.
    package init(_ name: String, _ css: String) {
        self.css = css
        data = ObjectData(name)
    }

    /// Adds the style sheet to a display, once.
    package func add(to display: OpaquePointer?) {
        guard let display, data[UnsafeMutableRawPointer(display)] == nil else { return }
        data[UnsafeMutableRawPointer(display)] = self
        // GTK gives the theme itself the priority of the settings.
        Appearance.addStyleSheet(css, to: display, GTK_STYLE_PROVIDER_PRIORITY_SETTINGS + 1)
    }
}

import CGtk

/// The gallery's own looks, on top of the theme's.
@MainActor
enum Style {
    private static let sheet = """
        gridview { padding: 12px; }
        gridview > child { padding: 6px; border-radius: 14px; }
        .tile { border-radius: 8px; background: alpha(currentColor, 0.07); }
        .tile label { font-size: smaller; }
        .large { padding: 18px; }
        """

    static func install(isDark: Bool) {
        guard let display = gdk_display_get_default() else { return }
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(UnsafeMutableRawPointer(provider))
        guard isDark, let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, 1)
        g_object_set_property(
            UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self),
            "gtk-application-prefer-dark-theme", &value)
        g_value_unset(&value)
    }
}

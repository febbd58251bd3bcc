import CRemoteImageGtk

/// The gallery's style sheet, on top of the theme.
@MainActor
enum Style {
    private static let sheet = """
        gridview { padding: 12px; }
        gridview > child { padding: 6px; border-radius: 14px; }
        .tile { border-radius: 8px; background: alpha(currentColor, 0.07); }
        .tile label { font-size: smaller; }
        .large { padding: 18px; }
        .page { padding: 18px; }
        .page flowbox > flowboxchild { padding: 0; }
        .panel { padding: 12px; border-style: solid; border-width: 0; border-color: alpha(currentColor, 0.15);
          min-width: 190px; }
        .panel:dir(ltr) { border-left-width: 1px; }
        .panel:dir(rtl) { border-right-width: 1px; }
        .panel { font-size: smaller; }
        .panel .numeric { font-feature-settings: "tnum"; }
        .panel .heading { font-weight: bold; margin-top: 6px; }
        .over { font-size: 150%; font-weight: bold; color: white; text-shadow: 0 1px 4px black; }
        .striped { background: repeating-linear-gradient(45deg, alpha(currentColor, 0.08) 0, alpha(currentColor, 0.08) 8px,
          alpha(currentColor, 0.16) 8px, alpha(currentColor, 0.16) 16px); }
        """

    static func install(isDark: Bool) {
        guard let display = gdk_display_get_default() else { return }
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(UnsafeMutableRawPointer(provider))
        self.isDark = isDark
    }

    /// Whether the dark variant of the theme is preferred.
    static var isDark = false {
        didSet {
            guard let settings = gtk_settings_get_default() else { return }
            var value = GValue()
            g_value_init(&value, GType(5 << 2))
            g_value_set_boolean(&value, isDark ? 1 : 0)
            g_object_set_property(
                UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self),
                "gtk-application-prefer-dark-theme", &value)
            g_value_unset(&value)
        }
    }
}

/// The gallery's style sheet, on top of the theme.
enum Style {
    static let sheet = """
        .photographs gridview { padding: 6px 12px 12px; }
        .photographs gridview > child { padding: 6px; border-radius: 12px; }
        .tile { border-radius: 8px; background: alpha(currentColor, 0.07); }
        .tile label { font-size: smaller; }
        .tile popover label, .panel popover label { font-size: medium; }
        .small { font-size: smaller; }
        .heading { font-weight: bold; }
        .chosen { font-weight: bold; background: alpha(currentColor, 0.12); }
        .panel { border-top: 1px solid alpha(currentColor, 0.15); font-size: smaller; }
        .numeric { font-feature-settings: "tnum"; }
        .over { font-size: 150%; font-weight: bold; color: white; text-shadow: 0 1px 4px black; }
        """
}

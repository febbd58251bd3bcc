// The properties of `RemoteImageView`, documented in the C header.

import CGtk

enum ViewProperties {
    static let table = PropertyTable<ViewObject>(
        ObjectProperty.image + [
            .flags(
                "load-options", \.loadOptions, { Enumerations.loadOptions },
                default: UInt32(LoadOptions.standard.rawValue)),
            .integer("transition-duration", \.transitionDuration, in: 0...60_000, default: 0),
            .enumeration(
                "content-fit", \.contentFit, { Enumerations.contentFit },
                default: Int32(GTK_CONTENT_FIT_CONTAIN.rawValue)),
            .integer("corner-radius", \.cornerRadius, in: 0...Int32(Int16.max), default: 0),
            .string("alternative-text", \.alternativeText),
            .boolean("decorative", \.decorative),
            .object("placeholder", \.placeholder) { gtk_widget_get_type() },
            .object("failure", \.failure) { gtk_widget_get_type() },
            .string("placeholder-icon-name", \.placeholderIconName),
            .string("thumb-hash", \.thumbHash),
        ] + ObjectProperty.outcome)
}

/// The signals of `RemoteImageView`.
enum ViewSignals {
    struct IDs {
        var loaded: guint = 0
        var failed: guint = 0
    }

    static let ids: IDs = {
        let type = RemoteImageViewClass.type
        return IDs(loaded: shim_signal_new("loaded", type, 0), failed: shim_signal_new("failed", type, 1))
    }()
}

// The properties of `RemoteImageView`. The C header says what each does.

import CGtk

enum ViewProperties {
    static let table = PropertyTable<ViewObject>([
        .string("uri", \.uri),
        .string("low-data-uri", \.lowDataURI),
        .strings("fallback-uris", \.fallbackURIs),
        .string("identity", \.identity),
        .strings("headers", \.headers),
        .object("pipeline", \.pipeline) { PipelineObject.type },
        .flags(
            "load-options", \.loadOptions, { Enumerations.loadOptions },
            default: UInt32(LoadOptions.standard.rawValue)),
        .enumeration("cache-policy", \.cachePolicy, { Enumerations.cachePolicy }, default: CachePolicy.http.number),
        .enumeration("priority", \.priority, { Enumerations.priority }, default: LoadPriority.normal.number),
        .integer("max-pixel-size", \.maxPixelSize, in: 0...Int32.max, default: 0),
        .boolean("keep-while-loading", \.keepWhileLoading),
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
        .readOnly("phase", { g_param_spec_enum($0, nil, nil, Enumerations.phase, 0, $1) }) { view, value in
            g_value_set_enum(value, view.phaseNumber)
        },
        .readOnly("progress", { g_param_spec_double($0, nil, nil, 0, 1, 0, $1) }) { view, value in
            g_value_set_double(value, view.progress)
        },
        .readOnly("error", { g_param_spec_boxed($0, nil, nil, shim_type_error(), $1) }) { view, value in
            g_value_set_boxed(value, view.error)
        },
        .readOnly("texture", { g_param_spec_object($0, nil, nil, gdk_texture_get_type(), $1) }) { view, value in
            g_value_set_object(value, view.texturePointer)
        },
        .readOnly("image-width", { g_param_spec_int($0, nil, nil, 0, Int32.max, 0, $1) }) { view, value in
            g_value_set_int(value, Int32(clamping: view.imageSize.width))
        },
        .readOnly("image-height", { g_param_spec_int($0, nil, nil, 0, Int32.max, 0, $1) }) { view, value in
            g_value_set_int(value, Int32(clamping: view.imageSize.height))
        },
    ])
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

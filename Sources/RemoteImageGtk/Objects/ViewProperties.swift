// The properties of `RemoteImageView`, documented in the C header.

import CRemoteImageGtk

extension RemoteImageViewState {
    nonisolated package static let table = PropertyTable<RemoteImageViewState>(
        ImageProperties(),
        ObjectProperty.image + [
            .writable("load-options", .flags(Enumerations.loadOptions), \.loadOptions),
            .writable("transition-duration", .integer(0...60_000), \.transitionDuration),
            .writable("content-fit", .enumeration(gtk_content_fit_get_type()), \.contentFit),
            .writable("corner-radius", .integer(0...Int32(Int16.max)), \.cornerRadius),
            .writable("alternative-text", .string, \.alternativeText),
            .writable("decorative", .boolean, \.decorative),
            .writable("placeholder", .object(gtk_widget_get_type()), \.placeholder),
            .writable("failure", .object(gtk_widget_get_type()), \.failure),
            .writable("placeholder-icon-name", .string, \.placeholderIconName),
            .writable("placeholder-icon-size", .integer(0...Int32(Int16.max)), \.placeholderIconSize),
        ] + ObjectProperty.visibility + ObjectProperty.widget + ObjectProperty.outcome)

    /// The properties of the widget, not of its image.
    private static let ofWidget: Set = [
        "alternative-text", "corner-radius", "decorative", "playing", "context-menu", "extra-menu",
    ]

    /// The properties that declare an image if nothing else has declared one. The others only
    /// change a declared image.
    private static let declaring: Set = [
        "uri", "source", "content-fit", "placeholder", "failure", "placeholder-icon-name", "aspect-ratio",
        "reserved-width", "reserved-height",
    ]

    package func applyProperties(_ changed: Set<String>) {
        guard !isDisposed else { return }
        if changed.contains("alternative-text") { shim_update_label(widget, properties.alternativeText ?? "") }
        if changed.contains("decorative") { hideFromScreenReaders(properties.decorative) }
        if changed.contains("corner-radius") { gtk_widget_queue_draw(widget) }
        if changed.contains("headers") { HeaderLines.warn(of: properties.headers, in: "RemoteImageView") }
        properties.warnOfPreviews(in: changed, of: Self.typeName)
        if changed.contains("playing") { content.isPlaying = properties.display.isPlaying }
        if changed.contains("context-menu") || changed.contains("extra-menu") { applyContextMenu() }
        let ofImage = changed.subtracting(Self.ofWidget)
        guard !ofImage.isEmpty else { return }
        let isDeclaring =
            switch declarer {
            case .properties: true
            // The declaration of Swift code applies until an address is set or removed.
            case .code: !ofImage.isDisjoint(with: ["uri", "source"])
            case nil: properties.source != nil || !ofImage.isDisjoint(with: Self.declaring)
            }
        guard isDeclaring else { return }
        let old = image.source
        // Without a pipeline, the view uses that of its ancestors.
        let pipeline = properties.pipeline.pointer == nil ? nil : PipelineObject.pipeline(of: properties.pipeline)
        var declared = NetworkImage(properties.source, scale: properties.display.scale, options: properties.options)
        declared.pipeline = pipeline
        declared.show(ContentProperties(properties), targetFit: properties.pictureFit) {
            [weak self] phase, retry in
            self?.propertyContent(for: phase, retry: retry) ?? Widget.empty()
        }
        show(declared, by: .properties)
        // A visible view loads a new address, even after a cancellation.
        if image.source != old { loading.appearAgain() }
        reportPhase()
    }
}

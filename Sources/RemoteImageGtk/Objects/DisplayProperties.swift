// The property values of the preview, the size and the processing of an image.

import CRemoteImageGtk

/// How an image is previewed, processed, laid out and played.
package struct DisplayProperties: Equatable {
    package var blurHash: String?
    /// Width divided by height; 0 for none.
    package var aspectRatio = 0.0
    /// Points; 0 for none.
    package var reservedWidth: Int32 = 0
    package var reservedHeight: Int32 = 0
    package var processor = ObjectSlot(nil)
    /// Pixels of the image per point.
    package var scale = 1.0
    package var isPlaying = true
    package var hasContextMenu = false
    /// A `GMenuModel`.
    package var extraMenu = ObjectSlot(nil)
    /// From 0, left, to 1, right.
    package var xAlign = 0.5
    /// From 0, top, to 1, bottom.
    package var yAlign = 0.5
    package var transitionsCached = false

    /// The focal point: the same values, from -1, left, to 1, right.
    package var focusX: Double {
        get { 2 * xAlign - 1 }
        set { xAlign = (1 + newValue) / 2 }
    }
    /// From -1, bottom, to 1, top.
    package var focusY: Double {
        get { 1 - 2 * yAlign }
        set { yAlign = (1 - newValue) / 2 }
    }

    /// Sets the options of the values that differ from their defaults. Call after the other options
    /// are set: a ThumbHash takes precedence over a BlurHash.
    func apply(to options: inout ImageOptions) {
        if let blurHash, options.previewHash == nil {
            options.previewHash = .blurHash(blurHash, aspectRatio: previewRatio)
        }
        if let reservedSize { options.reservedSize = reservedSize }
        let processors = ProcessorObject.processors(in: processor)
        if !processors.isEmpty { options.processors = processors }
        if transitionsCached, options.transition != .none { options.transition.appliesToMemoryHits = true }
    }

    /// The size of the view; `nil` for the size of its content.
    private var reservedSize: ReservedSize? {
        let (width, height) = (Double(reservedWidth), Double(reservedHeight))
        func whole(_ length: Double) -> Int { min(1_000_000, Int(saturating: length.rounded())) }
        switch (width > 0, height > 0, aspectRatio > 0) {
        case (true, true, _): return .points(width: whole(width), height: whole(height))
        case (true, false, true): return .points(width: whole(width), height: whole(width / aspectRatio))
        case (false, true, true): return .points(width: whole(height * aspectRatio), height: whole(height))
        case (false, false, true): return .aspectRatio(aspectRatio)
        default: return nil
        }
    }

    /// The aspect ratio of a BlurHash, which does not contain it.
    private var previewRatio: Double {
        if aspectRatio > 0 { return aspectRatio }
        return reservedWidth > 0 && reservedHeight > 0 ? Double(reservedWidth) / Double(reservedHeight) : 1
    }
}

extension ImageProperties {
    /// Logs a warning for each changed preview that is not valid.
    package func warnOfPreviews(in changed: Set<String>, of owner: StaticString) {
        if changed.contains("thumb-hash"), let thumbHash, PreviewHash.thumbHash(thumbHash).image == nil {
            shim_warning("\(owner): the thumb-hash is not the Base64 text of a ThumbHash, and is not shown")
        }
        if changed.contains("blur-hash"), let hash = display.blurHash, PreviewHash.blurHash(hash).image == nil {
            shim_warning("\(owner): the blur-hash is not a BlurHash, and is not shown")
        }
    }
}

extension ObjectProperty where Owner: ImageObject {
    /// The properties of the preview and of the processing.
    static var display: [ObjectProperty] {
        [
            .writable("thumb-hash", .string, \.thumbHash),
            .writable("blur-hash", .string, \.display.blurHash),
            .writable("aspect-ratio", .double(0...10_000), \.display.aspectRatio),
            .writable("processor", .object(ProcessorObject.type), \.display.processor),
            .writable("image-scale", .double(0.1...100), \.display.scale),
        ]
    }

    /// The properties of the display in a widget.
    static var widget: [ObjectProperty] {
        [
            .writable("reserved-width", .integer(0...Int32(Int16.max)), \.display.reservedWidth),
            .writable("reserved-height", .integer(0...Int32(Int16.max)), \.display.reservedHeight),
            .writable("xalign", .double(0...1), \.display.xAlign).changing("focus-x"),
            .writable("yalign", .double(0...1), \.display.yAlign).changing("focus-y"),
            .writable("focus-x", .double(-1...1), \.display.focusX).changing("xalign"),
            .writable("focus-y", .double(-1...1), \.display.focusY).changing("yalign"),
            .writable("playing", .boolean, \.display.isPlaying),
            .writable("context-menu", .boolean, \.display.hasContextMenu),
            .writable("extra-menu", .object(g_menu_model_get_type()), \.display.extraMenu),
            .writable("transition-cached", .boolean, \.display.transitionsCached),
        ]
    }
}

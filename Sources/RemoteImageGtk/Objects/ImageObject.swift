// The common GObject properties of views and paintables: the source and the state of the image.

import CRemoteImageGtk

/// The phase that the properties report.
@MainActor
package struct ShownPhase {
    package var phase = NetworkImagePhase.empty {
        didSet { if !phase.hasSameContent(as: oldValue) { (gerror, gtexture) = (nil, nil) } }
    }

    private var gerror: ErrorCopy?
    private var gtexture: ObjectReference?

    package init() {}

    /// The error of the phase, or `nil`; valid until the phase changes.
    mutating func error() -> UnsafeMutablePointer<GError>? {
        if gerror == nil { gerror = phase.error.flatMap { ErrorCopy($0) } }
        return gerror?.pointer
    }

    /// The texture of the loaded image, or `nil`; valid until the phase changes or the image is
    /// released.
    mutating func texture() -> UnsafeMutableRawPointer? {
        if gtexture == nil, let image = phase.image, !image.isReleased {
            gtexture = TextureStore.texture(of: image.pixels)
        }
        return gtexture?.pointer
    }

    /// Releases the texture of an image whose pixels are released.
    package mutating func releaseTexture() {
        gtexture = nil
    }

    /// A `GError` and its owner.
    private final class ErrorCopy {
        let pointer: UnsafeMutablePointer<GError>

        init?(_ error: ImageError) {
            guard let pointer = ImageErrorDomain.makeError(error) else { return nil }
            self.pointer = pointer
        }

        deinit { g_error_free(pointer) }
    }
}

/// An object that shows one image.
@MainActor
package protocol ImageObject: ObjectState where Properties == ImageProperties {
    var object: UnsafeMutablePointer<GObject> { get }
    /// The phase that the object has notified, or is about to notify.
    var shown: ShownPhase { get set }
    /// The texture of the image. The object owns it until its phase changes.
    var texturePointer: UnsafeMutableRawPointer? { get }
    /// The full size of the image in pixels; zero without an image.
    var imageSize: PixelSize { get }
    /// The image of the last emission of `loaded`, while it is shown.
    var loadedImage: LoadedImage? { get set }
    /// The error of the last reload that kept the shown image.
    var refreshError: ImageError? { get }
    var isDisposed: Bool { get }
    nonisolated static var signals: ImageSignals { get }
}

extension ImageObject {
    package var phaseNumber: Int32 { shown.phase.kind.number }

    /// The progress from 0 to 1: 0 while the length is unknown, 1 when the image is loaded.
    package var progress: Double {
        switch shown.phase {
        case .empty, .failure: 0
        case .loading(let state): state.progress.fraction ?? 0
        case .success: 1
        }
    }

    /// The error, or `nil`. The object owns it until its phase changes.
    package var error: UnsafeMutablePointer<GError>? { shown.error() }

    package var texturePointer: UnsafeMutableRawPointer? { shown.texture() }

    package var imageSize: PixelSize { shown.phase.image?.info.size ?? PixelSize(width: 0, height: 0) }

    /// The HTTP status of the failed load or of the loaded image; 0 if there was no response.
    package var status: Int32 { Int32(clamping: shown.phase.status ?? 0) }

    /// Whether the loaded image is an animation.
    package var isAnimated: Bool { shown.phase.image?.isAnimated == true }

    /// Notifies of changes of the read-only properties.
    func notify(_ names: [String]) {
        g_object_freeze_notify(object)
        for name in names { g_object_notify(object, name) }
        g_object_thaw_notify(object)
    }
}

extension NetworkImagePhase {
    fileprivate var status: Int? { error?.responseStatus ?? image?.info.status }

    /// The names of the read-only properties that differ from those in the phase `old`.
    ///
    /// - Parameter withImage: Whether the properties of the image are among them.
    func changedProperties(since old: NetworkImagePhase, withImage: Bool) -> [String] {
        guard !hasSameContent(as: old) else { return kind == .loading ? ["progress"] : [] }
        var names = ["progress"]
        if old.kind != kind { names.append("phase") }
        if old.error != error { names.append("error") }
        if old.status != status { names.append("status") }
        return withImage ? names + ["texture", "image-width", "image-height", "animated"] : names
    }
}

extension ObjectProperty where Owner: ImageObject {
    /// The properties of the source and of loading.
    package static var image: [ObjectProperty] {
        [
            .writable("uri", .string, \.uri).replacing("source", \.sourceObject),
            .writable("source", .object(SourceObject.type), \.sourceObject).replacing("uri", \.uri),
            .writable("low-data-uri", .string, \.lowDataURI),
            .writable("fallback-uris", .strings, \.fallbackURIs),
            .writable("identity", .string, \.identity),
            .writable("headers", .strings, \.headers),
            .writable("pipeline", .object(PipelineObject.type), \.pipeline),
            .writable("authorization", .object(AuthorizationObject.type), \.authorization),
            .writable("cache-policy", .enumeration(Enumerations.cachePolicy), \.cachePolicy),
            .writable("stored-sizes", .boolean, \.storedSizes),
            .writable("priority", .enumeration(Enumerations.priority), \.priority),
            .writable("max-pixel-size", .integer(0...Int32.max), \.maxPixelSize),
            .writable("keep-while-loading", .boolean, \.keepWhileLoading),
        ] + limits + display
    }

    /// The same property, whose new value may clear another property; notifies of that one, too.
    private func replacing<Value: Equatable>(_ other: String, _ path: Path<Value>) -> ObjectProperty {
        guard let write else { return self }
        var property = self
        property.write = { owner, value in
            let old = owner.properties[keyPath: path]
            let isChanged = write(owner, value)
            if owner.properties[keyPath: path] != old { g_object_notify(owner.object, other) }
            return isChanged
        }
        return property
    }

    /// The same property, whose change also changes another one.
    func changing(_ other: String) -> ObjectProperty {
        guard let write else { return self }
        var property = self
        property.write = { owner, value in
            let isChanged = write(owner, value)
            if isChanged { g_object_notify(owner.object, other) }
            return isChanged
        }
        return property
    }

    /// The read-only properties of the state.
    package static var outcome: [ObjectProperty] {
        [
            .readOnly("phase", .enumeration(Enumerations.phase), initially: 0) { $0.phaseNumber },
            .readOnly("progress", .double(0...1), initially: 0) { $0.progress },
            .readOnly("error", .error, initially: nil) { $0.error },
            .readOnly("status", .integer(0...Int32.max), initially: 0) { $0.status },
            .readOnly("texture", .object(gdk_texture_get_type()), initially: ObjectSlot(nil)) {
                ObjectSlot($0.texturePointer)
            },
            .readOnly("image-width", .integer(0...Int32.max), initially: 0) { Int32(clamping: $0.imageSize.width) },
            .readOnly("image-height", .integer(0...Int32.max), initially: 0) { Int32(clamping: $0.imageSize.height) },
            .readOnly("animated", .boolean, initially: false) { $0.isAnimated },
        ]
    }
}

// The property values of a view or a paintable, and their translation to types of
// `RemoteImageCore`.

import CRemoteImageGtk
import HTTPTypes

/// The GObject property values that declare an image. Invalid values are logged when they are used.
package struct ImageProperties: Equatable {
    // The source.
    package var uri: String? { didSet { if uri != nil { sourceObject = ObjectSlot(nil) } } }
    /// A `RemoteImageSource`. A source and an address replace each other.
    package var sourceObject = ObjectSlot(nil) { didSet { if sourceObject.pointer != nil { uri = nil } } }
    package var lowDataURI: String?
    package var fallbackURIs: [String] = []
    package var identity: String?
    package var headers: [String] = []
    package var pipeline = ObjectSlot(nil)
    package var authorization = ObjectSlot(nil)

    // Loading.
    package var loadOptions = UInt32(LoadOptions.standard.rawValue)
    package var cachePolicy = CachePolicy.http.number
    package var storedSizes = true
    package var priority = LoadPriority.normal.number
    package var maxPixelSize: Int32 = 0
    package var keepWhileLoading = false
    package var transitionDuration: Int32 = 0

    // Appearance.
    package var contentFit = Int32(GTK_CONTENT_FIT_CONTAIN.rawValue)
    package var cornerRadius: Int32 = 0
    package var alternativeText: String?
    package var decorative = false
    package var placeholder = ObjectSlot(nil)
    package var failure = ObjectSlot(nil)
    package var placeholderIconName: String?
    /// Points; 0 for the normal size.
    package var placeholderIconSize: Int32 = 0
    package var thumbHash: String?

    /// The property of an existing widget that shows the image; `nil` for the usual one.
    package var propertyName: String?

    package var loading = LoadingProperties()
    package var display = DisplayProperties()

    package init() {}
}

extension ImageProperties {
    /// The image source; `nil` without an address or source.
    @MainActor package var source: ImageSource? {
        if let object = sourceObject.pointer { return SourceObject.of(object).source }
        guard let uri else { return nil }
        var source = ImageSource(uri)
        if let identity { source = source.identified(by: identity) }
        if let lowDataURI { source = .adaptive(regular: source, lowData: ImageSource(lowDataURI)) }
        if !fallbackURIs.isEmpty { source = .fallbacks([source] + fallbackURIs.map { ImageSource($0) }) }
        return source
    }

    /// Only the options that differ from their defaults, so that the options of the pipeline apply
    /// otherwise.
    @MainActor package var options: ImageOptions {
        let initial = ImageProperties()
        var options = ImageOptions()
        if loadOptions != initial.loadOptions {
            options.loadOptions = LoadOptions(rawValue: UInt8(truncatingIfNeeded: loadOptions))
        }
        if cachePolicy != initial.cachePolicy { options.cachePolicy = CachePolicy(number: cachePolicy) }
        if !storedSizes { options.cachesResizedImages = false }
        if priority != initial.priority { options.priority = LoadPriority(number: priority) }
        if maxPixelSize > 0 { options.maxPixelSize = PixelSize(side: Int(maxPixelSize)) }
        if keepWhileLoading { options.keepsImageWhileLoading = true }
        if transitionDuration > 0 { options.transition = .crossFade(.milliseconds(Int(transitionDuration))) }
        if let thumbHash { options.previewHash = .thumbHash(thumbHash) }
        let fields = HeaderLines.fields(headers)
        if !fields.isEmpty { options.headers = fields }
        if let provider = AuthorizationObject.provider(of: authorization) { options.authorization = provider }
        loading.apply(to: &options)
        display.apply(to: &options)
        return options
    }

    /// The placeholder of an existing widget; `nil` without an icon.
    package var placeholderIcon: ImagePlaceholder? {
        placeholderIconName.map {
            placeholderIconSize > 0 ? .iconName($0, size: Int(placeholderIconSize)) : .iconName($0)
        }
    }

    var pictureFit: ContentFit {
        ContentFit(GtkContentFit(rawValue: UInt32(bitPattern: contentFit)))
    }
}

/// Request headers as lines, `Name: value`.
package enum HeaderLines {
    /// The header field of a line; `nil` for an invalid line.
    static func field(_ line: String) -> HTTPField? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        guard let name = HTTPField.Name(String(line[..<colon])), isValue(value) else { return nil }
        return HTTPField(name: name, value: value)
    }

    /// Whether a text is a valid field value.
    package static func isValue(_ text: String) -> Bool { HTTPField.isValidValue(text) }

    /// The header fields. Invalid lines are left out.
    static func fields(_ lines: [String]) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines { if let field = field(line) { fields.append(field) } }
        return fields
    }

    /// Logs a warning for each invalid line, without its text, which may be secret.
    package static func warn(of lines: [String], in owner: String) {
        for (index, line) in lines.enumerated() where field(line) == nil {
            shim_warning("\(owner): header \(index + 1) is not of the form “Name: value” and is not sent")
        }
    }
}

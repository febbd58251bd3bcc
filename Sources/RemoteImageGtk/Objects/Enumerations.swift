// The enumerations of the library as GObject types. Values and nicks match the C header and the
// command line, and must not change.

import CRemoteImageGtk

/// A GObject type for each enumeration and flags type of the C header.
package enum Enumerations {
    package static let phase = enumeration(
        "RemoteImagePhase", "REMOTE_IMAGE_PHASE", NetworkImagePhase.Kind.all.map(\.cssClass).numbered())

    package static let contentFit = enumeration(
        "RemoteImageContentFit", "REMOTE_IMAGE_CONTENT_FIT", ["fill", "contain", "cover", "scale-down"].numbered())

    package static let viewerFit = enumeration(
        "RemoteImageViewerFit", "REMOTE_IMAGE_VIEWER_FIT",
        ["whole", "width", "height", "cover", "natural-size"].numbered())

    package static let cachePolicy = enumeration(
        "RemoteImageCachePolicy", "REMOTE_IMAGE_CACHE_POLICY", CachePolicy.allCases.map(\.rawValue).numbered())

    package static let isolation = enumeration(
        "RemoteImageIsolation", "REMOTE_IMAGE_ISOLATION", ["preferred", "required", "none"].numbered())

    package static let serverCrop = enumeration(
        "RemoteImageServerCrop", "REMOTE_IMAGE_SERVER_CROP", ["none", "center", "smart"].numbered())

    package static let priority = enumeration(
        "RemoteImagePriority", "REMOTE_IMAGE_PRIORITY",
        ["very-low", "low", "normal", "high", "very-high"].numbered(from: -2))

    package static let origin = enumeration(
        "RemoteImageOrigin", "REMOTE_IMAGE_ORIGIN", ImageOrigin.all.map(\.rawValue).numbered())

    package static let error = enumeration(
        "RemoteImageError", "REMOTE_IMAGE_ERROR", ImageErrorDomain.codes.map(\.nick).numbered())

    package static let loadOptions = flags(
        "RemoteImageLoadOptions", "REMOTE_IMAGE_LOAD",
        ["immediately", "on-appear", "cancel-on-disappear", "lower-priority-on-disappear"])

    package static let previewOptions = flags(
        "RemoteImagePreviewOptions", "REMOTE_IMAGE_PREVIEW", ["embedded-thumbnail", "progressive"])

    private static func flags(_ name: String, _ prefix: String, _ values: [String]) -> GType {
        // GObject keeps the table for the lifetime of the process.
        let table = UnsafeMutablePointer<GFlagsValue>.allocate(capacity: values.count + 1)
        for (index, nick) in values.enumerated() {
            table[index] = GFlagsValue(
                value: 1 << index, value_name: permanent(constant(nick, prefix)), value_nick: permanent(nick))
        }
        table[values.count] = GFlagsValue()
        return g_flags_register_static(name, table)
    }

    private static func enumeration(_ name: String, _ prefix: String, _ values: [(value: Int32, nick: String)]) -> GType
    {
        // GObject keeps the table for the lifetime of the process.
        let table = UnsafeMutablePointer<GEnumValue>.allocate(capacity: values.count + 1)
        for (index, entry) in values.enumerated() {
            table[index] = GEnumValue(
                value: entry.value, value_name: permanent(constant(entry.nick, prefix)),
                value_nick: permanent(entry.nick))
        }
        table[values.count] = GEnumValue()
        return g_enum_register_static(name, table)
    }

    private static func constant(_ nick: String, _ prefix: String) -> String {
        "\(prefix)_\(String(nick.map { $0 == "-" ? "_" : $0 }).uppercased())"
    }

    private static func permanent(_ text: String) -> UnsafePointer<CChar>? { g_intern_string(text) }
}

extension [String] {
    fileprivate func numbered(from first: Int32 = 0) -> [(value: Int32, nick: String)] {
        enumerated().map { (first + Int32($0.offset), $0.element) }
    }
}

extension DecoderIsolation {
    /// The value in `RemoteImageIsolation`.
    var number: Int32 {
        switch self {
        case .preferred: 0
        case .required: 1
        case .none: 2
        }
    }

    init(number: Int32) { self = [1: .required, 2: .none][number] ?? .preferred }
}

extension CachePolicy {
    /// The value in `RemoteImageCachePolicy`.
    package init(number: Int32) {
        let all = Self.allCases
        self = all.indices.contains(Int(number)) ? all[Int(number)] : .http
    }

    package var number: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }
}

extension LoadPriority {
    /// The value in `RemoteImagePriority`.
    package init(number: Int32) {
        self = Int8(exactly: number).flatMap(LoadPriority.init) ?? .normal
    }

    package var number: Int32 { Int32(rawValue) }
}

extension NetworkImagePhase.Kind {
    /// The phases in the order of `RemoteImagePhase`.
    static let all: [Self] = [.empty, .loading, .success, .failure]

    /// The value in `RemoteImagePhase`.
    package var number: Int32 { Int32(Self.all.firstIndex(of: self) ?? 0) }
}

extension ImageOrigin {
    /// The origins in the order of `RemoteImageOrigin`.
    static let all: [ImageOrigin] = [.network, .revalidated, .disk, .memory, .stale, .local, .generated]

    /// The value in `RemoteImageOrigin`.
    package var number: Int32 { Int32(Self.all.firstIndex(of: self) ?? 0) }
}

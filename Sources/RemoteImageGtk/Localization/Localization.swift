// Translates the user-visible texts with gettext, in the domain `remote-image`.

import CRemoteImageGtk
import CRemoteImagePlatform
import Glibc

enum Localization {
    static let domain = "remote-image"

    /// The translation of an English text, or the text itself.
    static func translated(_ text: String) -> String {
        _ = isBound
        // Without a translation `g_dgettext` returns its argument, which is valid only within the
        // closure.
        return text.withCString { String(cString: g_dgettext(domain, $0)) }
    }

    /// Sets the folder of the translations once: `REMOTE_IMAGE_LOCALE_DIR`, the installation prefix
    /// of the library, or `XDG_DATA_DIRS`. Without translations, texts are in English.
    private static let isBound: Bool = {
        guard let folder = localeFolder else { return false }
        platform_bind_translations(domain, folder)
        return true
    }()

    private static var localeFolder: String? {
        if let folder = g_getenv("REMOTE_IMAGE_LOCALE_DIR") { return String(cString: folder) }
        let folders =
            DecoderLocation.prefixes.map { "\($0)/share/locale" }
            + StringVector.strings(g_get_system_data_dirs()).map { "\($0)/locale" }
        let languages = StringVector.strings(g_get_language_names())
        return folders.first { folder in
            languages.contains { access("\(folder)/\($0)/LC_MESSAGES/\(domain).mo", R_OK) == 0 }
        }
    }
}

extension ImageError {
    /// ``RemoteImageCore/ImageError/message`` in the language of the user's locale, or in English
    /// without a translation.
    public var localizedDescription: String { message(Localization.translated(sentence)) }
}

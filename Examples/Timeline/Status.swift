import Foundation

/// A status of the Mastodon API (docs.joinmastodon.org/entities/Status), as far as it is shown.
struct Status: Codable, Identifiable, Equatable, Sendable {
    struct Account: Codable, Equatable, Sendable {
        let acct: String
        let displayName: String
        let avatar: String
        let emojis: [Emoji]
    }

    struct Emoji: Codable, Equatable, Sendable {
        let shortcode: String
        let url: String
    }

    /// An image or another file, such as a sound, which has no size.
    struct Attachment: Codable, Identifiable, Equatable, Sendable {
        struct Meta: Codable, Equatable, Sendable {
            let original, small: Size?
        }

        struct Size: Codable, Equatable, Sendable {
            let width, height: Int?
        }

        let id, type: String
        let url, previewUrl: String?
        let meta: Meta?
        let description: String?
        let blurhash: String?
    }

    let id: String
    let createdAt: Date
    let sensitive: Bool
    let spoilerText: String
    let content: String
    let account: Account
    let mediaAttachments: [Attachment]
    let emojis: [Emoji]
}

extension Status {
    /// The content without its HTML.
    var text: String {
        var text = content.replacing("</p><p>", with: "\n\n").replacing(/<br ?\/?>/, with: "\n")
        text = text.replacing(/<[^>]*>/, with: "")
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        return text
    }

    /// How long ago it was written.
    var age: String {
        switch Int(Date.now.timeIntervalSince(createdAt) / 60) {
        case ..<60: "\(max(0, Int(Date.now.timeIntervalSince(createdAt) / 60))) min"
        case let minutes where minutes < 1440: "\(minutes / 60) h"
        case let minutes: "\(minutes / 1440) d"
        }
    }
}

extension JSONDecoder {
    /// Decodes entities of the Mastodon API.
    static var mastodon: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
        }
        return decoder
    }
}

extension JSONEncoder {
    /// Encodes entities so that `JSONDecoder.mastodon` decodes them.
    static var mastodon: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date))
        }
        return encoder
    }
}

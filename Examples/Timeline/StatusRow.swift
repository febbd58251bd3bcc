import Foundation
import RemoteImageGtk

/// A status with its author, its text and its images.
struct StatusRow: WidgetDeclaration {
    let status: Status
    let model: TimelineModel

    private var isHidden: Bool { status.sensitive && !model.revealed.contains(status.id) }

    var body: DeclaredWidget {
        Column(spacing: 8) {
            Row(spacing: 6) {
                NetworkImage(status.account.avatar) { image in
                    Picture(image)
                } placeholder: {
                    Icon("avatar-default-symbolic", size: 24)
                }
                .processors([.circle()]).decorative().frame(width: 40, height: 40)
                EmojiText(text: status.account.displayName, emojis: status.account.emojis).cssClass("name")
                Label("@\(status.account.acct)").lineLimit(1).textAlignment(0)
                    .cssClass("dim-label").expand(vertical: false)
                Label(status.age).cssClass("dim-label")
            }
            if isHidden {
                Label(status.spoilerText).textAlignment(0).cssClass("warning")
            } else {
                EmojiText(text: status.text, emojis: status.emojis)
            }
            if !status.images.isEmpty {
                Overlay {
                    AttachmentGrid(attachments: status.images, isHidden: isHidden)
                } overlays: {
                    if isHidden {
                        Button("Show") { model.reveal(status) }.align(vertical: .center).cssClass("osd")
                    }
                }
            }
        }
        .padding(horizontal: 16, vertical: 12)
    }
}

/// A text with custom emoji between its words. Each piece of text is a label, so only a text that
/// needs no emoji may fill several lines well.
struct EmojiText: WidgetDeclaration {
    let text: String
    let emojis: [Status.Emoji]

    private enum Piece {
        case text(String)
        case emoji(Status.Emoji)
    }

    private var pieces: [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        var start = rest.startIndex
        while let found = rest[start...].firstMatch(of: /:(\w+):/) {
            guard let emoji = emojis.first(where: { $0.shortcode == found.1 }) else {
                // As in "10:30:00". The last colon may begin an emoji.
                start = rest.index(before: found.range.upperBound)
                continue
            }
            let words = rest[..<found.range.lowerBound].trimmingCharacters(in: .whitespaces)
            if !words.isEmpty { pieces.append(.text(words)) }
            pieces.append(.emoji(emoji))
            rest = rest[found.range.upperBound...]
            start = rest.startIndex
        }
        let words = rest.trimmingCharacters(in: .whitespaces)
        return words.isEmpty ? pieces : pieces + [.text(words)]
    }

    var body: DeclaredWidget {
        Row(spacing: 4) {
            for piece in pieces {
                switch piece {
                case .text(let words):
                    Label(words).textAlignment(0)
                case .emoji(let emoji):
                    NetworkImage(emoji.url) { image in
                        Picture(image)
                    } placeholder: {
                    }
                    .accessibleLabel(emoji.shortcode).frame(width: 22, height: 22).align(vertical: .center)
                }
            }
        }
    }
}

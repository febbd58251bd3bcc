import GalleryServer

/// A post of the feed.
struct Post: Identifiable {
    enum Attachment: Hashable {
        /// A photograph with the BlurHash of its preview.
        case photograph(Int, blurHash: String)
        /// An animated sticker.
        case sticker(Int)
    }

    let id: Int
    let text: String
    let minutes: Int
    var attachments: [Attachment] = []

    /// The number of the author.
    var author: Int { id * 3 % 11 + 1 }
    var name: String { Person(number: author).name }

    var age: String {
        switch minutes {
        case ..<60: "\(minutes) min"
        case ..<1440: "\(minutes / 60) h"
        default: "\(minutes / 1440) d"
        }
    }
}

extension Post {
    static let all: [Post] = [
        Post(id: 1, text: "Up at five for this. Worth every minute.", minutes: 4, attachments: [.photograph(3, blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")]),
        Post(id: 2, text: "Coffee first.", minutes: 11, attachments: [.sticker(1)]),
    ]
}

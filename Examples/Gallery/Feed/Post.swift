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
        Post(
            id: 1, text: "Up at five for this. Worth every minute.",
            minutes: 4,
            attachments: [
                .photograph(55, blurHash: "LqF%uaxukCRjomt7WCWBD%ofaxay")
            ]),
        Post(
            id: 2, text: "Coffee first, then the rest of the day.",
            minutes: 11,
            attachments: [
                .sticker(2)
            ]),
        Post(
            id: 3,
            text:
                "Two evenings at the lake. The second one had the better light, the first one had the better company.",
            minutes: 26,
            attachments: [
                .photograph(6, blurHash: "LQJQ]2xuNGs:^,M|s;ay0#s;oLWB"),
                .photograph(20, blurHash: "LJKdS%D%IVt7Id%3%2WU16E1M{j]"),
            ]),
        Post(id: 4, text: "Has anyone else noticed how quiet the harbour is since the ferry moved?", minutes: 48),
        Post(
            id: 5, text: "They came back! Last night, from eleven until two.",
            minutes: 73,
            attachments: [
                .photograph(9, blurHash: "L85GL+tlROR%*0jFW.a|nQt8RjaL")
            ]),
        Post(
            id: 6, text: "Today was a good day.",
            minutes: 95,
            attachments: [
                .sticker(0)
            ]),
        Post(
            id: 7, text: "Still life, third attempt. I ate the first two.",
            minutes: 140,
            attachments: [
                .photograph(3, blurHash: "LLF=sz?HOstQUaS~WEs:Rne.wHn%")
            ]),
        Post(
            id: 8, text: "Sailing season is open.",
            minutes: 185,
            attachments: [
                .photograph(4, blurHash: "LqK+.Wt7aeae$*ayazoL0%jGbHW;"),
                .sticker(3),
            ]),
        Post(
            id: 9, text: "The lighthouse from both sides of the bay.",
            minutes: 310,
            attachments: [
                .photograph(26, blurHash: "LfIy?}-oWqV[=zWBWVoe0+Iqs.kB"),
                .photograph(41, blurHash: "LbH3XPyFNHM_t:Z~n$WX9FR*ozWE"),
            ]),
        Post(
            id: 10, text: "Night shift.",
            minutes: 420,
            attachments: [
                .photograph(1, blurHash: "LC8}S{t7RjWCyGj?WBaeROWBaeay"),
                .sticker(4),
            ]),
        Post(
            id: 11, text: "Flowers from the market, and one that refused to stand in the vase.",
            minutes: 600,
            attachments: [
                .photograph(13, blurHash: "LSF5jbIoIUWE16xYWUWB$dWXxuay")
            ]),
        Post(
            id: 12, text: "Rain until noon, then this.",
            minutes: 1500,
            attachments: [
                .photograph(10, blurHash: "LoIsOEt6WXR*yGoeWBWXD$kBj[a#")
            ]),
        Post(
            id: 13, text: "Countdown for the school project: nine days.",
            minutes: 2000,
            attachments: [
                .sticker(7)
            ]),
        Post(
            id: 14, text: "The city looks best from the ferry.",
            minutes: 3100,
            attachments: [
                .photograph(31, blurHash: "LQFgtexZoeWC-Xj[j@ju14R+WVay")
            ]),
        Post(
            id: 15, text: "Desert nights are colder than I remembered.",
            minutes: 4500,
            attachments: [
                .photograph(62, blurHash: "LD8}4D%1s:NGOIozayWV9DNIR*of")
            ]),
    ]
}

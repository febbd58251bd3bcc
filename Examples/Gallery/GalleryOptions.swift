import GalleryServer

/// What the command line asks for.
struct GalleryOptions {
    enum Images {
        case addresses([String])
        case folder(ImageFolder)
        case generated(count: Int)

        var areGenerated: Bool { if case .generated = self { true } else { false } }
    }

    /// A task after which the program ends. Without one it runs until its window is closed.
    enum Errand {
        case screenshot(path: String)
        /// Screenshots of all pages, written into a folder.
        case screenshots(folder: String)
        case scroll
    }

    let images: Images
    let errand: Errand?
    let page: FeaturePage?
    /// The number of the photograph in the large view, from 1.
    let opened: Int?
    let isDark: Bool
    /// The width of the window, in points.
    let width: Int
}

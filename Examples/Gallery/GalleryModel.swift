import GalleryServer
import RemoteImageGtk

/// The state of the gallery: its photographs, and what the window shows.
@Observable @MainActor
final class GalleryModel {
    /// The parts of the gallery that the buttons at the top choose.
    enum Section: String, CaseIterable {
        case photographs = "Photographs"
        case feed = "Feed"
        case features = "Features"
    }

    let pipeline: LivePipeline
    let window = WidgetReference()
    let scroll = ScrollTrial()
    private(set) var photographs: [Photograph] = []
    private(set) var failure: String?
    /// `nil` if the gallery shows images that are not its own: there is only the grid then.
    private(set) var features: FeatureState?
    private(set) var isReady = false

    var section = Section.photographs
    /// The open page of the features; `nil` shows their list.
    var page: FeaturePage? {
        didSet {
            pipeline.isFollowed = showsPanel && page != nil
            if let page { openedPage = page }
        }
    }
    /// The page that was opened last. It is kept while it is left, so that the focus returns to its
    /// button in the list.
    private(set) var openedPage: FeaturePage?
    var search = ""
    var selected: Photograph.ID?
    /// The photograph of the large view, which keeps it while it is left.
    private(set) var opened: Photograph?
    private(set) var isLarge = false
    /// The zoom factor of the large view; `nil` shows the whole photograph.
    var zoom: Double?
    /// `nil` follows the user's setting.
    var isDark: Bool?
    var showsPanel = false {
        didSet { pipeline.isFollowed = showsPanel && page != nil }
    }

    init(_ options: GalleryOptions) {
        pipeline = LivePipeline(isSimulated: options.images.areGenerated)
        isDark = options.isDark ? true : nil
        Task {
            do {
                try await start(options)
                isReady = true
            } catch {
                failure = "\(error)"
            }
            if let errand = options.errand { await ErrandRunner(model: self).run(errand) }
        }
    }

    private func start(_ options: GalleryOptions) async throws {
        switch options.images {
        case .addresses(let addresses): photographs = Photograph.list(of: addresses)
        case .folder(let folder): photographs = Photograph.list(of: try await GalleryServer.folder(folder).addresses)
        case .generated(let count):
            let server = RunningServer(try await .generated(count: count))
            features = FeatureState(server)
            photographs = (1...count).map { Photograph(painted: $0, address: server.address(.image($0))) }
        }
        page = options.page
        if page != nil { section = .features }
        guard let number = options.opened else { return }
        guard let photograph = photographs.first(where: { $0.id == number }) else {
            throw GalleryError(description: "There is no image \(number) of \(photographs.count).")
        }
        open(photograph)
    }

    /// The photographs that the search finds, by title and by name.
    var found: [Photograph] {
        let words = search.split(whereSeparator: \.isWhitespace)
        return photographs.filter { photograph in
            let text = "\(photograph.title) \(photograph.photographer)"
            return words.allSatisfy { text.range(of: $0, options: .caseInsensitive) != nil }
        }
    }

    /// The number of visible images that load for ever.
    var endlessCount: Int { section == .features ? page?.endlessCount ?? 0 : 0 }

    // MARK: The large view

    func open(_ photograph: Photograph) {
        (opened, isLarge, zoom) = (photograph, true, nil)
        selected = photograph.id
    }

    func close() {
        isLarge = false
    }

    /// The photograph that many places after the opened one, among those that the search finds.
    func neighbour(_ distance: Int) -> Photograph? {
        let found = found
        guard let opened, let index = found.firstIndex(of: opened), found.indices.contains(index + distance) else {
            return nil
        }
        return found[index + distance]
    }

    func step(_ distance: Int) {
        if let neighbour = neighbour(distance) { open(neighbour) }
    }
}

struct GalleryError: Error, CustomStringConvertible {
    let description: String
}

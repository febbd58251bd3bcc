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

    let pipeline = LivePipeline()
    let window = WidgetReference()
    let scroll = ScrollTrial()
    private(set) var photographs: [Photograph] = []
    private(set) var failure: String?
    /// `nil` if the gallery shows images that are not its own: there is only the grid then.
    private(set) var features: FeatureState?
    private(set) var isReady = false

    var section = Section.photographs
    /// The open page of the features; `nil` shows their list.
    var page: FeaturePage?
    var search = ""
    var selected: Photograph.ID?
    /// The photograph in the large view.
    var opened: Photograph?
    /// `nil` follows the user's setting.
    var isDark: Bool?
    var showsPanel = false {
        didSet { pipeline.isFollowed = showsPanel }
    }

    init(_ options: GalleryOptions) {
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
        if let opened = options.opened, photographs.indices.contains(opened) { self.opened = photographs[opened] }
    }

    /// The photographs that the search finds, by title and by name.
    var found: [Photograph] {
        guard !search.isEmpty else { return photographs }
        return photographs.filter { photograph in
            [photograph.title, photograph.photographer].contains {
                $0.range(of: search, options: .caseInsensitive) != nil
            }
        }
    }

    /// The number of visible images that load for ever.
    var endlessCount: Int { section == .features ? page?.endlessCount ?? 0 : 0 }

    // MARK: The large view

    func close() {
        opened = nil
    }

    /// Opens the next photograph that the search finds, or with -1 the previous one.
    func step(_ count: Int) {
        let found = found
        guard let opened, let index = found.firstIndex(of: opened), found.indices.contains(index + count) else {
            return
        }
        self.opened = found[index + count]
        selected = self.opened?.id
    }
}

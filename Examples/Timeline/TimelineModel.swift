import Foundation
import RemoteImageGtk

/// The statuses that are shown, and how the next ones are loaded.
@Observable @MainActor
final class TimelineModel {
    enum End: Equatable {
        /// There are older statuses.
        case open
        case loading
        case failed(String)
        case reached
    }

    private(set) var statuses: [Status] = []
    private(set) var end = End.loading
    /// Why the newest statuses could not be loaded; `nil` if they were.
    private(set) var problem: String?
    /// The statuses whose content warning the user has opened.
    private(set) var revealed: Set<Status.ID> = []

    @ObservationIgnored private var older: URL?
    /// Whether the end of the list was in sight during a request. The list does not report it again
    /// unless it has grown.
    @ObservationIgnored private var wasReached = false
    @ObservationIgnored private let timeline: HomeTimeline
    @ObservationIgnored private let file: StoredFile<[Status]>

    init(_ timeline: HomeTimeline) {
        self.timeline = timeline
        file = StoredFile("timeline", of: timeline.first)
        statuses = file.read() ?? []
        reload()
    }

    /// Loads the newest statuses. Those of the last start are shown until then.
    func reload() {
        (end, problem) = (.loading, nil)
        Task {
            do {
                let page = try await timeline.page()
                statuses = page.statuses
                received(page)
            } catch {
                problem = Self.message(of: error)
                end = .reached
            }
        }
    }

    /// Loads older statuses, unless there are none or they are being loaded.
    func endReached() {
        if end == .open { loadOlder() } else { wasReached = end == .loading }
    }

    func loadOlder() {
        end = .loading
        Task {
            do {
                let page = try await timeline.page(at: older)
                statuses += page.statuses
                received(page)
            } catch {
                end = .failed(Self.message(of: error))
            }
        }
    }

    func reveal(_ status: Status) { revealed.insert(status.id) }

    private func received(_ page: HomeTimeline.Page) {
        older = page.older
        end = page.older == nil ? .reached : .open
        file.write(statuses)
        // A server may leave out each status of a page. The list then does not grow.
        guard wasReached || page.statuses.isEmpty else { return }
        wasReached = false
        endReached()
    }

    private static func message(of error: any Error) -> String {
        (error as? ImageError)?.localizedDescription ?? error.localizedDescription
    }
}

import Foundation
import RemoteImageGtk

/// The statuses that are shown, and how the next ones are loaded.
@Observable @MainActor
final class TimelineModel {
    enum End: Equatable {
        /// Older statuses are loaded when the user has scrolled here.
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
    @ObservationIgnored private let timeline: HomeTimeline
    @ObservationIgnored private let file = StoredFile<[Status]>("timeline.json")

    init(_ timeline: HomeTimeline) {
        self.timeline = timeline
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

    /// Loads older statuses when one of the last five has appeared, or the end of the list.
    func appeared(_ status: Status? = nil) {
        guard end == .open, status == nil || statuses.suffix(5).contains(where: { $0.id == status?.id }) else { return }
        loadOlder()
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
    }

    private static func message(of error: any Error) -> String {
        (error as? ImageError)?.localizedMessage ?? error.localizedDescription
    }
}

/// Releases the images of widgets that have been out of sight for a while: the memory cache alone
/// then decides which of them stay in memory. While memory is low, they are released at once.
@MainActor
final class UnseenImages {
    static let shared = UnseenImages()

    private struct Entry {
        weak var controller: WidgetLoadController?
        let number: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var lastNumber = 0

    func add(_ controller: WidgetLoadController, after delay: Duration) {
        lastNumber += 1
        let (id, number) = (ObjectIdentifier(controller), lastNumber)
        entries[id] = Entry(controller: controller, number: number)
        DelayQueue.shared.perform(after: delay) { [weak self] in
            // The widget may have come back, and may even have left again.
            guard let self, let entry = entries[id], entry.number == number else { return }
            entries[id] = nil
            entry.controller?.releaseImage()
        }
    }

    func remove(_ controller: WidgetLoadController) {
        entries[ObjectIdentifier(controller)] = nil
    }

    func releaseAll() {
        let waiting = entries.values
        entries = [:]
        for entry in waiting { entry.controller?.releaseImage() }
    }
}

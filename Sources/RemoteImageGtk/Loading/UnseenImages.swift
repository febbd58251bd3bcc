/// An object that shows an image, and can release it while it is out of sight.
@MainActor
protocol ImageHolder: AnyObject {
    /// Releases the image of an object that is still out of sight.
    func releaseImage()
}

/// Releases the images of objects that have been out of sight for a while: the memory cache alone
/// then decides which of them stay in memory. While memory is low, they are released at once.
@MainActor
final class UnseenImages {
    static let shared = UnseenImages()

    private struct Entry {
        weak var holder: (any ImageHolder)?
        /// `nil` once the holder has come back.
        var deadline: ContinuousClock.Instant?
        /// When the running delay of the holder ends. A holder that leaves again meanwhile needs no
        /// other one.
        var end: ContinuousClock.Instant
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    func add(_ holder: any ImageHolder, after delay: Duration) {
        let (id, deadline) = (ObjectIdentifier(holder), ContinuousClock.now + delay)
        let end = entries[id].map { min($0.end, deadline) } ?? deadline
        let waits = entries[id]?.end == end
        entries[id] = Entry(holder: holder, deadline: deadline, end: end)
        if !waits { wait(for: id, delay) }
    }

    func remove(_ holder: any ImageHolder) {
        entries[ObjectIdentifier(holder)]?.deadline = nil
    }

    func releaseAll() {
        let waiting = entries.values.filter { $0.deadline != nil }
        for id in entries.keys { entries[id]?.deadline = nil }
        for entry in waiting { entry.holder?.releaseImage() }
    }

    private func wait(for id: ObjectIdentifier, _ delay: Duration) {
        DelayQueue.shared.perform(after: delay) { [weak self] in self?.delayEnded(for: id) }
    }

    private func delayEnded(for id: ObjectIdentifier) {
        let now = ContinuousClock.now
        // An entry with a later end has another delay.
        guard let entry = entries[id], entry.end <= now else { return }
        guard let deadline = entry.deadline, deadline > now else {
            entries[id] = nil
            guard entry.deadline != nil, let holder = entry.holder else { return }
            holder.releaseImage()
            return FreedMemory.shared.returnSoon()
        }
        entries[id]?.end = deadline
        wait(for: id, deadline - now)
    }
}

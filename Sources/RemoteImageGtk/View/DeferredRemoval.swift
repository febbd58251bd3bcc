import CGtk

/// The views with hidden widgets that are about to be removed.
///
/// A widget that leaves a view lets GTK lay out everything around it. Where an image takes its place and size, that is for
/// nothing: the widget is hidden, and half a second later all such widgets go, a few at a time, so that thousands do not hold
/// up what the user does. The next frame waits until the last of them has gone: one layout serves them all.
@MainActor
final class DeferredRemoval {
    static let shared = DeferredRemoval()

    private struct Holder {
        weak var content: ViewContent?
    }

    private var holders: [ObjectIdentifier: Holder] = [:]
    private let timer = MainLoopTimer()

    func add(_ content: ViewContent) {
        holders[ObjectIdentifier(content)] = Holder(content: content)
        guard !timer.isRunning else { return }
        timer.start(after: .milliseconds(500)) { [weak self] in self?.removeAll() }
    }

    private func removeAll() {
        let leaving = holders.values
        holders = [:]
        for holder in leaving { IdleQueue.shared.perform { holder.content?.removeHidden() } }
    }
}

import CGtk

/// The views that hide widgets which they no longer show.
///
/// A widget that leaves a view lets GTK lay out everything around it. Where a picture takes its place and size, that is for
/// nothing: the widget is hidden, and half a second later all such widgets go, a few at a time, so that thousands do not hold
/// up what the user does. The next frame waits until the last of them has gone: one layout serves them all.
@MainActor
final class Leftovers {
    static let shared = Leftovers()

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
        for holder in leaving { TurnQueue.shared.perform { holder.content?.removeLeftovers() } }
    }
}

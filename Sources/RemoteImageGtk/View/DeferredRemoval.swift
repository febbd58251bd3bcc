import CRemoteImageGtk

/// The views with hidden widgets that are about to be removed.
///
/// Removing a widget from a view makes GTK lay out all widgets around it. If an image takes the
/// widget's place at the same size, that layout is unnecessary: the widget is hidden, and half a
/// second later all hidden widgets are removed in time slices, so that thousands of removals do not
/// block input. The removals finish before the next frame, which does one layout for all of them.
@MainActor
final class DeferredRemoval {
    static let shared = DeferredRemoval()

    private var holders: [ObjectIdentifier: Weak<ViewContent>] = [:]
    private let timer = MainLoopTimer()

    var isEmpty: Bool { holders.isEmpty }

    func add(_ content: ViewContent) {
        holders[ObjectIdentifier(content)] = Weak(content)
        guard !timer.isRunning else { return }
        timer.start(after: .milliseconds(500)) { [weak self] in self?.removeAll() }
    }

    private func removeAll() {
        let leaving = holders.values
        holders = [:]
        for holder in leaving { IdleQueue.shared.perform { holder.object?.removeHidden() } }
    }
}

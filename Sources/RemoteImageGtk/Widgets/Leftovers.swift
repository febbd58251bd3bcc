/// The views that hide widgets which they no longer show.
///
/// A widget that leaves a view lets GTK lay out everything around it. Where a picture takes its place and size, that is for
/// nothing: the widget is hidden, and all such widgets go together, half a second later.
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
        let gone = holders.values
        holders = [:]
        for holder in gone { holder.content?.removeLeftovers() }
    }
}

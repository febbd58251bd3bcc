import RemoteImageGtk

/// A desktop whose state is what the panel's switches say.
@MainActor
final class SwitchedDesktop: Desktop {
    private var receive: @MainActor (DesktopEvent) -> Void = { _ in }

    var state = DesktopState() {
        didSet { receive(.state(state)) }
    }

    func watch(_ receive: @escaping @MainActor (DesktopEvent) -> Void) {
        self.receive = receive
        receive(.state(state))
    }

    func runShortOfMemory() {
        receive(.lowMemory(.critical))
    }
}

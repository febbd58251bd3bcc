import RemoteImageGtk

/// A simulated desktop whose state is set by the switches of the panel.
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

import RemoteImageGtk

/// A desktop whose settings and memory warnings are set by the test.
@MainActor
final class FakeDesktop: Desktop {
    private var receive: @MainActor (DesktopEvent) -> Void = { _ in }

    var state = DesktopState() {
        didSet { receive(.state(state)) }
    }

    func watch(_ receive: @escaping @MainActor (DesktopEvent) -> Void) {
        self.receive = receive
    }

    func needMemory(_ pressure: MemoryPressure) {
        receive(.lowMemory(pressure))
    }
}

// Runs applications within a test.

import CRemoteImageGtk

@testable import GtkDeclarations
@testable import RemoteImageGtk

/// Runs an application, and `body` in its main loop.
@MainActor
func start(
    _ application: Application, _ arguments: [String] = ["program", "unread"],
    @DeclarationBuilder<Window> windows: @escaping @MainActor () -> [DeclaredWidget],
    during body: @escaping @MainActor () -> Void
) -> Int32 {
    let timer = MainLoopTimer()
    timer.start(after: .zero, body)
    return RunningApplication(application) { windows }.run(arguments)
}

/// The titles of the open windows, sorted.
@MainActor
func windowTitles() -> [String] {
    toplevels(of: gtk_window_get_type()).filter { gtk_widget_get_mapped($0) != 0 }.compactMap(title).sorted()
}

@MainActor
private func title(of window: UnsafeMutablePointer<GtkWidget>) -> String? {
    window.withMemoryRebound(to: GtkWindow.self, capacity: 1) { gtk_window_get_title($0) }.map { String(cString: $0) }
}

/// Closes a window, as a user does.
@MainActor
func closeWindow(_ name: String) {
    for window in toplevels(of: gtk_window_get_type()) where title(of: window) == name {
        window.withMemoryRebound(to: GtkWindow.self, capacity: 1) { gtk_window_close($0) }
    }
}

import CRemoteImageGtk
import Glibc

/// An application while it runs.
@MainActor
final class RunningApplication {
    private let declared: Application
    /// Makes the state of the windows. Returns what declares them.
    private let prepare: @MainActor () -> @MainActor () -> [DeclaredWidget]
    /// `nil` before the first activation.
    private var makeWindows: (@MainActor () -> [DeclaredWidget])?
    private let observer = ValueObserver()
    private var windows = ChildList()
    private var closedKeys: Set<DeclaredWidget.Key> = []
    /// Whether windows are opened and closed by ``update(to:)``, not by the user.
    private var isUpdating = false
    private let application: UnsafeMutablePointer<GApplication>

    /// - Parameters:
    ///   - declared: With a valid id.
    ///   - prepare: Called when the application is activated for the first time, but not in a
    ///     program that only activates another instance.
    init(_ declared: Application, _ prepare: @escaping @MainActor () -> @MainActor () -> [DeclaredWidget]) {
        (self.declared, self.prepare) = (declared, prepare)
        application = shim_application_new(
            declared.id, declared.isUnique ? 1 : 0, declared.open == nil ? 0 : 1, declared.commandLine == nil ? 0 : 1)
    }

    /// Runs the application. Call it once.
    ///
    /// - Parameter arguments: The command line, with the name of the program.
    func run(_ arguments: [String]) -> Int32 {
        Signal.connect("activate", of: application) { self.activate() }
        connectWindowRemoved()
        if let open = declared.open { connectOpen(open) }
        if let commandLine = declared.commandLine { connectCommandLine(commandLine) }
        defer {
            observer.pause()
            update(to: [])
            // The handlers of the application retain this object.
            g_object_unref(application)
        }
        // Without a handler for them, GApplication refuses arguments that the program reads itself.
        let takesArguments = declared.open != nil || declared.commandLine != nil
        var given = (takesArguments ? arguments : Array(arguments.prefix(1))).map { strdup($0) } + [nil]
        defer { for argument in given { free(argument) } }
        return g_application_run(application, Int32(given.count - 1), &given)
    }

    private func connectWindowRemoved() {
        // A window that is closed is not disposed of before its last reference is released.
        shim_connect_object(
            application, "window-removed",
            { _, window, data in
                if let window { Callback<UnsafeMutableRawPointer, Void>.call(data, window) }
            },
            Callback<UnsafeMutableRawPointer, Void>.retained { window in
                self.windowClosed(window.assumingMemoryBound(to: GtkWidget.self))
            }, Signal.release)
    }

    private func connectOpen(_ open: @escaping @MainActor @Sendable ([String]) -> Void) {
        shim_connect_open(
            application,
            { _, files, count, _, data in
                let addresses = (0..<Int(count)).compactMap { files?[$0].flatMap(shim_file_uri) }
                Callback<[String], Void>.call(
                    data,
                    addresses.map { address in
                        defer { g_free(address) }
                        return String(cString: address)
                    })
            },
            Callback<[String], Void>.retained { addresses in
                self.activate()
                open(addresses)
            }, Signal.release)
    }

    private func connectCommandLine(_ commandLine: @escaping @MainActor @Sendable ([String]) -> Int32) {
        shim_connect_command_line(
            application,
            { _, line, data in
                var count: Int32 = 0
                guard let line, let texts = g_application_command_line_get_arguments(line, &count) else { return 1 }
                defer { g_strfreev(texts) }
                let arguments = (1..<max(1, Int(count))).compactMap { texts[$0].map { String(cString: $0) } }
                return Callback<[String], Int32>.call(data, arguments) ?? 1
            },
            Callback<[String], Int32>.retained { arguments in
                let status = commandLine(arguments)
                if status == 0 { self.activate() }
                return status
            }, Signal.release)
    }

    private func activate() {
        closedKeys = []
        if let makeWindows {
            update(to: makeWindows())
            for window in windows.widgets { present(window) }
        } else {
            let makeWindows = prepare()
            self.makeWindows = makeWindows
            for change in declared.appearance { change() }
            observer.observe { [weak self] in
                guard let self else { return {} }
                let declared = makeWindows()
                return { self.update(to: declared) }
            }
        }
    }

    private func update(to declared: [DeclaredWidget]) {
        closedKeys.formIntersection(declared.map(\.key))
        isUpdating = true
        defer { isUpdating = false }
        windows.update(to: declared.filter { !closedKeys.contains($0.key) }) { window, _ in
            guard gtk_widget_get_visible(window.pointer) == 0, let node = WidgetNode.of(window) else { return }
            gtk_window_set_application(
                node.typed(), UnsafeMutableRawPointer(application).assumingMemoryBound(to: GtkApplication.self))
            present(window)
        } remove: { window in
            Self.close(window)
        }
    }

    private func windowClosed(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        guard !isUpdating else { return }
        if let key = windows.forget(pointer) { closedKeys.insert(key) }
    }

    private func present(_ window: Widget) {
        gtk_window_present(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
    }

    private static func close(_ window: Widget) {
        gtk_window_destroy(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
    }
}

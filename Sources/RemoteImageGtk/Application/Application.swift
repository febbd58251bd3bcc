import CRemoteImageGtk
import Glibc

/// A program with windows: a `GtkApplication`.
///
/// ```swift
/// @main
/// struct Cats {
///     static func main() {
///         Application("org.example.Cats").run {
///             Window("Cats", width: 640, height: 480) {
///                 RemoteImageView("https://example.org/cat.jpg")
///             }
///         }
///     }
/// }
/// ```
///
/// A second start of the program activates the first one, if a session bus is running: its windows
/// come to the front, and those that the user has closed are shown again.
public struct Application: Sendable {
    let id: String
    private(set) var open: (@MainActor @Sendable ([String]) -> Void)?
    private(set) var commandLine: (@MainActor @Sendable ([String]) -> Int32)?

    /// - Parameter id: The application id: at least two names with dots between them, such as
    ///   `org.example.Cats`, as
    ///   [`g_application_id_is_valid`](https://docs.gtk.org/gio/type_func.Application.id_is_valid.html)
    ///   describes.
    public init(_ id: String) {
        self.id = id
    }

    /// Calls `action` with the addresses of the files that the program is started with, or that a
    /// file manager opens with it. The windows are shown before.
    public func onOpen(_ action: @escaping @MainActor @Sendable (_ addresses: [String]) -> Void) -> Application {
        var application = self
        application.open = action
        return application
    }

    /// Calls `action` with the arguments of the command line, without the name of the program, and
    /// shows the windows if it returns 0. A second start sends its arguments to the first one.
    ///
    /// - Parameter action: Returns the exit status of the program that was started with the
    ///   arguments.
    public func onCommandLine(
        _ action: @escaping @MainActor @Sendable (_ arguments: [String]) -> Int32
    ) -> Application {
        var application = self
        application.commandLine = action
        return application
    }

    /// Runs the application until its last window is closed, and ends the program with the status
    /// of `g_application_run`: 0, or 1 if the application could not be started.
    ///
    /// Sets the locale from the environment, and makes the main actor run on the GLib main loop.
    /// Call it from a synchronous `main`.
    ///
    /// - Parameter windows: The windows. It runs when the application is activated for the first
    ///   time, and again when an observable value that it read has changed.
    public func run(
        @DeclarationBuilder<Window> _ windows: @escaping @MainActor @Sendable () -> [DeclaredWidget]
    ) -> Never {
        setlocale(LC_ALL, "")
        do {
            try MainLoop.install()
        } catch {
            fatalError(error.description)
        }
        let application = self
        exit(MainActor.assumeIsolated { RunningApplication(application, windows).run() })
    }
}

/// An application while it runs.
@MainActor
private final class RunningApplication {
    private let declared: Application
    private let makeWindows: @MainActor () -> [DeclaredWidget]
    private let observer = ValueObserver()
    private var windows = ChildList()
    private var closedKeys: Set<DeclaredWidget.Key> = []
    private var isActive = false
    private let application: UnsafeMutablePointer<GApplication>

    init(_ declared: Application, _ makeWindows: @escaping @MainActor () -> [DeclaredWidget]) {
        (self.declared, self.makeWindows) = (declared, makeWindows)
        guard
            let pointer = shim_application_new(
                declared.id, declared.open == nil ? 0 : 1, declared.commandLine == nil ? 0 : 1)
        else { fatalError("\"\(declared.id)\" is no valid application id") }
        application = pointer
    }

    func run() -> Int32 {
        Signal.connect("activate", of: application) { self.activate() }
        if let open = declared.open {
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
        if let commandLine = declared.commandLine {
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
        defer { windows.update(to: [], place: { _, _ in }, remove: close) }
        // Without a handler for them, GApplication refuses arguments that the program reads itself.
        let takesArguments = declared.open != nil || declared.commandLine != nil
        return g_application_run(application, takesArguments ? CommandLine.argc : 0, CommandLine.unsafeArgv)
    }

    private func activate() {
        closedKeys = []
        if isActive {
            update(to: makeWindows())
            for window in windows.widgets { present(window) }
        } else {
            isActive = true
            observer.observe { [weak self] in
                guard let self else { return {} }
                let declared = makeWindows()
                return { self.update(to: declared) }
            }
        }
    }

    private func update(to declared: [DeclaredWidget]) {
        closedKeys.formIntersection(declared.map(\.key))
        windows.update(to: declared.filter { !closedKeys.contains($0.key) }) { window, _ in
            guard gtk_widget_get_visible(window.pointer) == 0, let node = WidgetNode.of(window) else { return }
            let pointer = window.pointer
            node.on("destroy") { [weak self] in self?.windowClosed(pointer) }
            present(window)
        } remove: { window in
            close(window)
        }
    }

    private func windowClosed(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        if let key = windows.forget(pointer) { closedKeys.insert(key) }
    }

    private func present(_ window: Widget) {
        gtk_window_present(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
    }

    private func close(_ window: Widget) {
        gtk_window_destroy(UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self))
    }
}

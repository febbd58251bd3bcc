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
///                 NetworkImage("https://example.org/cat.jpg")
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
    let isUnique: Bool
    private(set) var open: (@MainActor @Sendable ([String]) -> Void)?
    private(set) var commandLine: (@MainActor @Sendable ([String]) -> Int32)?
    /// Applied before the first window is made.
    private(set) var appearance: [@MainActor @Sendable () -> Void] = []

    /// - Parameters:
    ///   - id: The application id: at least two names with dots between them, such as
    ///     `org.example.Cats`, by the rules of `g_application_id_is_valid` in GIO. With another id,
    ///     ``run(_:)`` ends the program with a message and the status 1.
    ///   - isUnique: Whether a second start of the program activates the first one. Default:
    ///     `true`. Set it to `false` for a program that reads `CommandLine.arguments`.
    public init(_ id: String, isUnique: Bool = true) {
        (self.id, self.isUnique) = (id, isUnique)
    }

    /// Calls `action` with the addresses of the files that the program is started with, or that a
    /// file manager opens with it. The windows are shown before. With ``onCommandLine(_:)``, the
    /// files that the program is started with are among its arguments instead.
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

    // MARK: Appearance

    /// Adds a style sheet for all windows, on top of the theme, in GTK's CSS. GTK logs a warning
    /// for each error in it.
    public func styleSheet(_ css: String) -> Application { appearing { Appearance.addStyleSheet(css) } }

    /// Lays out all windows from right to left, or with `false` from left to right. `nil` changes
    /// nothing: the direction is that of the user's language.
    public func rightToLeft(_ isRightToLeft: Bool? = true) -> Application {
        guard let isRightToLeft else { return self }
        return appearing { gtk_widget_set_default_direction(isRightToLeft ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR) }
    }

    private func appearing(_ change: @escaping @MainActor @Sendable () -> Void) -> Application {
        var application = self
        application.appearance.append(change)
        return application
    }

    // MARK: Running

    /// Runs the application until its last window is closed, and ends the program with the status
    /// of `g_application_run`: 0, 1 if the application could not be started, or that of
    /// ``onCommandLine(_:)``.
    ///
    /// Sets the locale from the environment, and makes the main actor run on the GLib main loop.
    /// Call it from a synchronous `main`: an `async` one does not compile, and where
    /// ``MainLoop/install()`` throws, it ends the program with a message and the status 1.
    ///
    /// - Parameter windows: The windows. It runs at each activation, and again when an observable
    ///   value that it read has changed: create the state of the program outside of it.
    @available(
        *, noasync,
        message:
            "make main synchronous, `static func main() { … }`, and write no `await` at the top level of main.swift"
    )
    public func run(
        @DeclarationBuilder<Window> _ windows: @escaping @MainActor @Sendable () -> [DeclaredWidget]
    ) -> Never {
        run(()) { windows() }
    }

    /// Runs the application with its state, which is made once, on the main actor, before the first
    /// window. A program that only activates another instance makes none. See ``run(_:)``.
    ///
    /// ```swift
    /// Application("org.example.Photos").run(Model()) { model in
    ///     Window("Photos") { Label(model.page) }
    /// }
    /// ```
    @available(
        *, noasync,
        message:
            "make main synchronous, `static func main() { … }`, and write no `await` at the top level of main.swift"
    )
    public func run<State>(
        _ state: @autoclosure @escaping @MainActor @Sendable () -> State,
        @DeclarationBuilder<Window> _ windows: @escaping @MainActor @Sendable (State) -> [DeclaredWidget]
    ) -> Never {
        setlocale(LC_ALL, "")
        do throws(MainLoopError) {
            try MainLoop.install()
        } catch {
            Self.end(error.description)
        }
        guard g_application_id_is_valid(id) != 0 else {
            Self.end(
                "\"\(id)\" is not a valid application ID; use at least two names with a dot between them, such as "
                    + "org.example.Cats")
        }
        let application = self
        exit(
            MainActor.assumeIsolated {
                RunningApplication(application) {
                    let state = state()
                    return { windows(state) }
                }.run(CommandLine.arguments)
            })
    }

    /// Ends the program with a message and the status 1.
    static func end(_ message: String) -> Never {
        let line = "\(CommandLine.arguments.first ?? "program"): \(message)\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}

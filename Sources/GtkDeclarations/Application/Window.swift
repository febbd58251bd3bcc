import CRemoteImageGtk

/// A window of an ``Application``.
///
/// The application shows a window when it is declared, and closes it when it is not declared any
/// more. A window that the user has closed stays closed until the application is activated again,
/// or until it was not declared and is declared again: a program that opens a window by a value
/// resets the value in ``onClose(_:)``.
@MainActor
public struct Window {
    private(set) var declaration: DeclaredWidget

    /// - Parameters:
    ///   - title: The title. It is evaluated again when an observable value that it reads has
    ///     changed.
    ///   - width: The initial width, in points, at least 1. Default: `nil`, the natural width of
    ///     the content.
    ///   - height: The initial height, in points, at least 1. Default: `nil`, the natural height of
    ///     the content.
    ///   - content: The widget in the window; several are put in a column. It runs again when an
    ///     observable value that it read has changed.
    public init(
        _ title: @autoclosure @escaping @MainActor () -> String, width: Int? = nil, height: Int? = nil,
        @WidgetBuilder content: @escaping @MainActor () -> [DeclaredWidget]
    ) {
        declaration = DeclaredWidget("GtkWindow") {
            let window = Widget(gtk_window_new())
            let pointer = UnsafeMutableRawPointer(window.pointer).assumingMemoryBound(to: GtkWindow.self)
            let (width, height) = (width.map { max(1, $0) } ?? -1, height.map { max(1, $0) } ?? -1)
            gtk_window_set_default_size(pointer, Int32(clamping: width), Int32(clamping: height))
            return window
        }
        .observing(title) { gtk_window_set_title($0.typed(), $1) }
        .observing(content) { node, content in
            let (window, toast) = (node.typed(GtkWindow.self), Toast.data[node.pointer])
            node.setChild(content) { child in
                if let toast { toast.setContent(child) } else { gtk_window_set_child(window, child) }
            }
        }
    }

    /// Identifies the window among those of the application. Windows of a loop need it, since they
    /// are otherwise told apart by their position.
    public func id(_ id: some Hashable & Sendable) -> Window {
        var window = self
        window.declaration = declaration.id(id)
        return window
    }

    /// Makes `reference` refer to the window.
    public func reference(_ reference: WidgetReference) -> Window {
        var window = self
        window.declaration = declaration.reference(reference)
        return window
    }

    /// Sets whether the windows of the program use the theme's dark variant, for which GTK has one
    /// setting. Default: `nil`, the user's setting.
    public func dark(_ isDark: @autoclosure @escaping @MainActor () -> Bool?) -> Window {
        var window = self
        window.declaration = declaration.observing(isDark) { _, isDark in Appearance.setDark(isDark) }
        return window
    }

    /// Puts widgets beside the title of the window, in a ``HeaderBar``.
    ///
    /// ```swift
    /// Window("Photos") { Label(model.page) }.headerBar {
    ///     Button(icon: "go-previous-symbolic", label: "Back") { model.shown = nil }
    /// } end: {
    ///     SearchField(text: Binding(library, \.query))
    /// }
    /// ```
    public func headerBar(
        @WidgetBuilder start: @escaping @MainActor () -> [DeclaredWidget],
        @WidgetBuilder end: @escaping @MainActor () -> [DeclaredWidget] = { [] }
    ) -> Window {
        var window = self
        window.declaration = declaration.modifier("header-bar") { node in
            let window = node.typed(GtkWindow.self)
            node.mainChild.update(toSingle: [HeaderBar(start: start, end: end).body]) {
                gtk_window_set_titlebar(window, $0)
            }
        }
        return window
    }

    /// Shows a text for a while over the content of the window.
    ///
    /// - Parameters:
    ///   - text: The text. It becomes `nil` when its time is over or the user closes it.
    ///   - duration: How long the text is shown. Default: 5 seconds.
    public func toast(_ text: Binding<String?>, duration: Duration = .seconds(5)) -> Window {
        var window = self
        window.declaration = declaration.modifier("toast") { node in
            let toast = Toast.data[node.pointer] ?? Toast(in: node.typed())
            Toast.data[node.pointer] = toast
            (toast.text, toast.duration) = (text, duration)
        }
        .observing({ text.wrappedValue }) { node, text in Toast.data[node.pointer]?.show(text) }
        return window
    }

    /// Calls `action` when the user closes the window. It returns whether the window stays open.
    public func onClose(_ action: @escaping @MainActor () -> Bool) -> Window {
        var window = self
        window.declaration = declaration.handle("close-request", action)
        return window
    }
}

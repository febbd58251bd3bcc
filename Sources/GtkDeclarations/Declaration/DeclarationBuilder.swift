import CRemoteImageGtk

/// Lets the closures of containers list widgets, with `if`, `switch` and `for`.
public typealias WidgetBuilder = DeclarationBuilder<Widget>

/// Lets a closure list declarations of one kind, with `if`, `switch` and `for`.
///
/// A widget keeps its identity while its statement stays the same; widgets of a loop are told apart
/// by their position, or by ``WidgetDeclaration/id(_:)``.
@resultBuilder
@MainActor
public struct DeclarationBuilder<Kind> {
    public static func buildExpression(_ nothing: Void) -> [DeclaredWidget] { [] }

    /// Widgets that another function or property has declared.
    public static func buildExpression(_ declared: [DeclaredWidget]) -> [DeclaredWidget] { declared.map(\.framed) }

    public static func buildBlock(_ parts: [DeclaredWidget]...) -> [DeclaredWidget] {
        parts.enumerated().flatMap { index, part in part.map { $0.at(index) } }
    }

    public static func buildOptional(_ part: [DeclaredWidget]?) -> [DeclaredWidget] { part ?? [] }

    public static func buildEither(first part: [DeclaredWidget]) -> [DeclaredWidget] { part.map { $0.at(true) } }

    public static func buildEither(second part: [DeclaredWidget]) -> [DeclaredWidget] { part.map { $0.at(false) } }

    public static func buildArray(_ parts: [[DeclaredWidget]]) -> [DeclaredWidget] {
        parts.enumerated().flatMap { index, part in part.map { $0.key.id == nil ? $0.at(index) : $0 } }
    }

    public static func buildLimitedAvailability(_ part: [DeclaredWidget]) -> [DeclaredWidget] { part }

    public static func buildFinalResult(_ parts: [DeclaredWidget]) -> [DeclaredWidget] { parts }
}

extension DeclarationBuilder where Kind == Widget {
    public static func buildExpression(_ widget: some WidgetDeclaration) -> [DeclaredWidget] { [widget.declared] }

    /// A widget of GTK or of another binding. The container takes over a floating reference. To
    /// show a widget again after it was left out, keep it in a ``Widget``.
    public static func buildExpression(_ pointer: UnsafeMutablePointer<GtkWidget>) -> [DeclaredWidget] {
        [Widget(pointer).body]
    }

    /// A widget of another binding. An object that is not a widget is skipped with a GLib warning.
    public static func buildExpression(_ pointer: OpaquePointer) -> [DeclaredWidget] {
        guard let widget = Widget(of: pointer) else {
            shim_warning("an object among declared widgets is not a GtkWidget")
            return []
        }
        return [widget.body]
    }

    /// The only widget, or a column of several.
    public static func buildFinalResult(_ parts: [DeclaredWidget]) -> DeclaredWidget {
        parts.count == 1 ? parts[0] : Column(parts).body
    }
}

extension DeclarationBuilder where Kind == Stack.Page {
    public static func buildExpression(_ page: Stack.Page) -> [DeclaredWidget] { [page.content] }

    @available(*, unavailable, message: "put the widgets of a page into Stack.Page(\"name\") { … }")
    public static func buildExpression(_ widget: some WidgetDeclaration) -> [DeclaredWidget] { [] }
}

extension DeclarationBuilder where Kind == Window {
    @available(*, unavailable, message: "put the widgets of a window into Window(\"title\") { … }")
    public static func buildExpression(_ widget: some WidgetDeclaration) -> [DeclaredWidget] { [] }

    public static func buildExpression(_ window: Window) -> [DeclaredWidget] { [window.declaration] }
}

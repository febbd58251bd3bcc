import CRemoteImageGtk

/// Owns a reference to a `GtkWidget`.
///
/// Made from built-in widgets, such as ``Picture`` and ``Label``, or from the pointer of another
/// GTK binding:
///
/// ```swift
/// NetworkImage(address) { image in
///     Picture(image)
/// } placeholder: {
///     Widget(gtk_level_bar_new())
/// }
/// ```
@MainActor
public struct Widget {
    private enum Storage {
        case object(ObjectReference)
        case deferred(any DeferredWidget)
    }

    private let storage: Storage

    /// Adds a reference to the widget, or takes over a floating one. Initializes GTK before the
    /// pointer is evaluated, so that a program can make widgets before it runs its application.
    /// Without a display, it ends the program with a message and the status 1.
    public init(_ pointer: @autoclosure () throws -> UnsafeMutablePointer<GtkWidget>) rethrows {
        if gtk_is_initialized() == 0 { gtk_init_check() }
        if gdk_display_get_default() == nil { Application.end("there is no display for widgets") }
        self.init(ObjectReference(sinking: try pointer()))
    }

    /// Makes a widget from the pointer of another binding; `nil` if the pointer is `nil` or not a
    /// `GtkWidget`. Takes over a floating reference.
    public init?(of pointer: UnsafeMutableRawPointer?) {
        guard let pointer, shim_is_a(pointer, gtk_widget_get_type()) != 0 else { return nil }
        self.init(pointer.assumingMemoryBound(to: GtkWidget.self))
    }

    /// Makes a widget from the pointer of another binding; `nil` if the pointer is `nil` or not a
    /// `GtkWidget`. Takes over a floating reference.
    public init?(of pointer: OpaquePointer?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    /// A handle to a widget of another owner, which may still have its floating reference.
    package init(borrowing pointer: UnsafeMutablePointer<GtkWidget>) {
        self.init(ObjectReference(borrowing: pointer))
    }

    /// As ``init(borrowing:)-(UnsafeMutablePointer<GtkWidget>)``; `nil` if the pointer is `nil` or
    /// not a `GtkWidget`.
    package init?(borrowing pointer: UnsafeMutableRawPointer?) {
        guard let pointer, shim_is_a(pointer, gtk_widget_get_type()) != 0 else { return nil }
        self.init(ObjectReference(borrowing: pointer))
    }

    private init(_ reference: ObjectReference) {
        storage = .object(reference)
    }

    package init(_ deferred: some DeferredWidget) {
        storage = .deferred(deferred)
    }

    /// The content; `nil` once a widget was made for it.
    package var deferred: (any DeferredWidget)? {
        if case .deferred(let content) = storage, !content.isWidget { content } else { nil }
    }

    private var reference: ObjectReference {
        switch storage {
        case .object(let reference): reference
        case .deferred(let content): content.widget
        }
    }

    /// The widget. Valid while this value lives, and at least until the next iteration of the main
    /// loop, so that a parent can take a reference.
    public var pointer: UnsafeMutablePointer<GtkWidget> {
        reference.pointer.assumingMemoryBound(to: GtkWidget.self)
    }

    /// The widget, for the functions of its class.
    public var opaque: OpaquePointer { OpaquePointer(reference.pointer) }
}

/// Content whose widget is made when it is first requested.
@MainActor
package protocol DeferredWidget: AnyObject {
    /// Whether a widget was made for the content.
    var isWidget: Bool { get }
    var widget: ObjectReference { get }
}

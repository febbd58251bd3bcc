// The content of an image in GTK: any widget.

import CGtk

/// A `GtkWidget`, and what in it follows the progress of a load.
///
/// Owns a reference. Made of the library's own parts, such as ``Picture`` and ``Label``, or of a pointer that any
/// other binding gives:
///
/// ```swift
/// NetworkImage<Widget>(address) { image in
///     Picture(image)
/// } placeholder: {
///     Widget(gtk_level_bar_new())
/// }
/// ```
@MainActor
public struct Widget {
    /// Tells a part of a widget how far the load has come.
    typealias Binding = @MainActor (LoadingState) -> Void

    private enum Storage {
        case object(ObjectReference)
        /// A widget that is made when it is first asked for.
        case drawn(any DrawnContent)
    }

    private let storage: Storage
    /// What follows the load in this widget and in those below it.
    let bindings: [Binding]

    /// Takes a reference to the widget; a floating one is taken over.
    public init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        self.init(pointer, bindings: [])
    }

    /// A widget by a pointer as other bindings have it; nil where it is none, or points to something else.
    public init?(of pointer: UnsafeMutableRawPointer?) {
        guard let pointer, shim_is_a(pointer, gtk_widget_get_type()) != 0 else { return nil }
        self.init(pointer.assumingMemoryBound(to: GtkWidget.self))
    }

    /// A widget by a pointer as other bindings have it; nil where it is none, or points to something else.
    public init?(of pointer: OpaquePointer?) {
        self.init(of: pointer.map(UnsafeMutableRawPointer.init))
    }

    init(_ pointer: UnsafeMutablePointer<GtkWidget>, bindings: [Binding]) {
        storage = .object(ObjectReference(pointer))
        self.bindings = bindings
    }

    init(_ drawn: some DrawnContent) {
        storage = .drawn(drawn)
        bindings = []
    }

    private init(_ other: Widget, bindings: [Binding]) {
        storage = other.storage
        self.bindings = bindings
    }

    /// The same, and what follows the load with it.
    func adding(_ binding: @escaping Binding) -> Widget {
        Widget(self, bindings: bindings + [binding])
    }

    /// The content that a view draws in its place, until it is asked for as a widget.
    var drawn: (any DrawnContent)? {
        if case .drawn(let drawn) = storage, !drawn.isWidget { drawn } else { nil }
    }

    private var reference: ObjectReference {
        switch storage {
        case .object(let reference): reference
        case .drawn(let drawn): drawn.widget
        }
    }

    /// The widget. Valid while this value lives, at least until the next turn of the main loop: long enough to hand it to
    /// the parent that takes a reference.
    public var pointer: UnsafeMutablePointer<GtkWidget> {
        reference.pointer.assumingMemoryBound(to: GtkWidget.self)
    }

    /// The widget as the functions of its class want it.
    public var opaque: OpaquePointer { OpaquePointer(reference.pointer) }
}

extension Widget: NetworkImageContentConvertible {
    public var content: Widget { self }
}

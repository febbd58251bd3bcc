// Values that declare widgets.

import CRemoteImageGtk

/// A value that declares a widget: a built-in one, such as ``Label``, or a composition of others.
///
/// ```swift
/// struct PhotoCard: WidgetDeclaration {
///     let photo: Photo
///
///     var body: some WidgetDeclaration {
///         Column(spacing: 6) {
///             NetworkImage(photo.address)
///             Label(photo.title)
///         }
///     }
/// }
/// ```
///
/// A declaration is cheap and holds no widget. The closure of a container, such as ``Column``, runs
/// again when an `@Observable` value that it read has changed. The container then keeps the widgets
/// that are declared again, with their focus, scroll position and images, and applies only the
/// differences. Change observed values on the main actor. ``State`` keeps the values and the models
/// of a declaration itself.
@MainActor
public protocol WidgetDeclaration {
    /// The type of ``body``, which `some WidgetDeclaration` hides.
    associatedtype Body: WidgetDeclaration
    /// What a modifier returns: a ``DeclaredWidget``, or the type itself, so that its own modifiers
    /// can follow.
    associatedtype Modified: WidgetDeclaration = DeclaredWidget

    /// The declared widget; several are put in a column.
    @WidgetBuilder var body: Body { get }

    /// A new widget, for functions of GTK and for the content of a `NetworkImage`.
    var content: Widget { get }

    /// The declaration with a changed widget. A modifier of the program, in an extension of this
    /// protocol, returns `Modified`, too.
    ///
    /// ```swift
    /// NetworkImage(photo.address).modified { $0.padding(12).cssClass("card") }.contentFit(.cover)
    /// ```
    func modified(_ change: @escaping @MainActor (DeclaredWidget) -> DeclaredWidget) -> Modified
}

extension WidgetDeclaration where Modified == DeclaredWidget {
    public func modified(_ change: @escaping @MainActor (DeclaredWidget) -> DeclaredWidget) -> DeclaredWidget {
        // What follows a maximum size applies to the widget, not to the box that limits it.
        change(self as? DeclaredWidget ?? declared)
    }
}

extension WidgetDeclaration {
    package func modifier(_ name: String, _ setting: @escaping DeclaredWidget.Setting) -> Modified {
        modified { $0.modifier(name, setting) }
    }

    public var content: Widget { WidgetNode.makeWidget(declared, isContent: true) }
}

/// The declaration of one widget: how it is made, and what is set when it is made and updated.
@MainActor
public struct DeclaredWidget: WidgetDeclaration {
    /// Sets properties of a widget.
    package typealias Setting = @MainActor (WidgetNode) -> Void
    /// Reads observable values, and returns what sets them. It runs again after a change of what it
    /// read.
    typealias ObservedSetting = @MainActor () -> Setting

    /// A widget is kept for a declaration with the same key.
    package struct Key: Hashable {
        /// The class of the widget and its modifiers.
        package var kind: String
        /// The identity that the program gives.
        var id: AnyHashable?
        /// The place among the statements of the closure.
        var path: [AnyHashable] = []
        /// The widget, if the program has made it.
        package var pointer: UnsafeMutablePointer<GtkWidget>?
    }

    package var key: Key
    let make: @MainActor () -> Widget
    private(set) var settings: [Setting] = []
    private(set) var observedSettings: [ObservedSetting] = []
    /// What a button is as the item of a menu.
    var menuItem: (title: @MainActor () -> String, isEnabled: Bool, action: @MainActor () -> Void)?
    /// The largest size in a larger area.
    var maxSize = MaxSize()
    /// The declarations that ``standing(for:)`` has set at and below the widget. A list finds in
    /// them what it prefetches.
    package private(set) var subjects: @MainActor () -> [any WidgetDeclaration] = { [] }

    package init(_ kind: String, make: @escaping @MainActor () -> Widget) {
        key = Key(kind: kind)
        self.make = make
    }

    // Without `return`, the result builder of the protocol would apply, and recurse.
    public var body: DeclaredWidget { return self }

    // MARK: Changes

    package func setting(_ setting: @escaping Setting) -> DeclaredWidget {
        var copy = self
        copy.settings.append(setting)
        return copy
    }

    /// The modifier is a part of the key: a declaration without it gets a new widget.
    package func modifier(_ name: String, _ setting: @escaping Setting) -> DeclaredWidget {
        var copy = self.setting(setting)
        copy.key.kind += "." + name
        return copy
    }

    package func observing<Value>(
        _ value: @escaping @MainActor () -> Value, _ set: @escaping @MainActor (WidgetNode, Value) -> Void
    ) -> DeclaredWidget {
        var copy = self
        copy.observedSettings.append {
            let value = value()
            return { set($0, value) }
        }
        return copy
    }

    /// The declaration of a widget that contains others.
    func containing(_ children: @escaping @MainActor () -> [DeclaredWidget]) -> DeclaredWidget {
        var copy = self
        copy.subjects = { [subjects] in subjects() + children().flatMap { $0.subjects() } }
        return copy
    }

    /// The widget as that of another declaration, which ``subjects`` contains from then on.
    package func standing(for declaration: some WidgetDeclaration) -> DeclaredWidget {
        var copy = self
        copy.subjects = { [declaration] }
        return copy
    }

    /// The declaration as the part of a statement.
    package func at(_ place: some Hashable & Sendable) -> DeclaredWidget {
        var copy = self
        copy.key.path.append(AnyHashable(place))
        return copy
    }

    func identified(by id: AnyHashable) -> DeclaredWidget {
        var copy = self
        copy.key.id = id
        return copy
    }

    fileprivate func of(_ pointer: UnsafeMutablePointer<GtkWidget>) -> DeclaredWidget {
        var copy = self
        copy.key.pointer = pointer
        return copy
    }
}

extension Widget: WidgetDeclaration {
    public var content: Widget { self }

    /// The declaration of this very widget.
    public var body: DeclaredWidget {
        return DeclaredWidget("Widget") { self }.of(pointer)
    }
}

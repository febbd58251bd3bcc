import CRemoteImageGtk
import Observation

/// A value that a declaration of the program keeps for as long as its widget exists.
///
/// ```swift
/// struct PhotoCard: WidgetDeclaration {
///     let photo: Photo
///     @State private var isFavorite = false
///
///     var body: some WidgetDeclaration {
///         NetworkImage(photo.address)
///         Toggle("Favorite", isOn: $isFavorite)
///     }
/// }
/// ```
///
/// The closure of a container makes its declarations again and again. A state keeps its value, also
/// an object such as a `NetworkImageModel`: the initial value is evaluated once for each widget. A
/// change runs only the closures that have read the state, at most the body of the declaration.
/// Later initial values are ignored: where another address needs another model, identify the
/// declaration by it with ``WidgetDeclaration/id(_:)``.
///
/// Each place in which a declaration stands has its own states, which end when its widget is
/// removed. In a row of a list, a state belongs to the identity of the item: it stays while the row
/// is scrolled out of sight, until the item is removed. A `NetworkImageModel` disappears meanwhile
/// and releases its image after that; it loads the image again when the row comes back. The content
/// closures of a ``NetworkImage`` make new widgets for each phase, whose states begin anew: keep
/// the state in the declaration around the image.
@MainActor
@propertyWrapper
public struct State<Value> {
    fileprivate let slot: Slot

    /// - Parameter wrappedValue: The initial value, which is evaluated when the widget is made.
    public init(wrappedValue: @autoclosure @escaping @MainActor () -> Value) {
        slot = Slot(wrappedValue)
    }

    /// The value. Read and change it in the body and in handlers.
    public var wrappedValue: Value {
        get { slot.cell.value }
        nonmutating set { slot.cell.value = newValue }
    }

    /// A binding to the value, for a widget that edits it.
    public var projectedValue: Binding<Value> { Binding(slot.cell, \.value) }

    /// The cells of one value of a declaration, which may stand in several places.
    @MainActor
    fileprivate final class Slot {
        private struct Place {
            weak var node: WidgetNode?
            let cell: Cell
        }

        private let initial: @MainActor () -> Value
        private var places: [Place] = []
        /// The cell before the declaration has a widget.
        private var unplaced: Cell?

        init(_ initial: @escaping @MainActor () -> Value) {
            self.initial = initial
        }

        /// The cell of the place whose closure is running, else of the last place.
        var cell: Cell {
            if let own = places.last(where: { $0.node?.isAround(WidgetNode.current.node) == true }) ?? places.last {
                return own.cell
            }
            let cell = unplaced ?? Cell(initial())
            unplaced = cell
            return cell
        }

        func makeCell() -> Cell {
            defer { unplaced = nil }
            return unplaced ?? Cell(initial())
        }

        func place(_ cell: Cell, at node: WidgetNode) {
            places.removeAll { $0.node == nil || $0.node === node }
            places.append(Place(node: node, cell: cell))
        }
    }

    @MainActor
    @Observable
    fileprivate final class Cell: StateCell {
        var value: Value
        var follower: (any ItemFollower)? { value as? any ItemFollower }

        init(_ value: Value) { self.value = value }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Makes a state whose initial value is `nil`.
    public init() { self.init(wrappedValue: nil) }
}

/// A value of a state.
@MainActor
protocol StateCell: AnyObject {
    var follower: (any ItemFollower)? { get }
}

/// A value of a state that works only while a row shows its item.
@MainActor
package protocol ItemFollower: AnyObject {
    /// No row shows the item any more. Returns whether that has interrupted work.
    func itemDisappeared() -> Bool
    /// A row shows the item again.
    func itemAppeared(wasInterrupted: Bool)
}

/// A state of any type, found in the properties of a declaration.
@MainActor
protocol StateProperty {
    /// Makes the state have the value of a cell at a node.
    ///
    /// - Parameter cell: `nil` for a new cell.
    /// - Returns: The cell.
    func place(_ cell: (any StateCell)?, at node: WidgetNode) -> any StateCell
}

extension State: StateProperty {
    func place(_ kept: (any StateCell)?, at node: WidgetNode) -> any StateCell {
        let cell = kept as? Cell ?? slot.makeCell()
        slot.place(cell, at: node)
        return cell
    }
}

/// The states of the declarations in the row of an item.
@MainActor
package final class ItemStates {
    /// By the keys of the widgets from that of the row to that of the declaration.
    var cells: [[DeclaredWidget.Key]: [any StateCell]] = [:]
    package var isEmpty: Bool { cells.isEmpty }

    private var followers: [any ItemFollower] { cells.values.joined().compactMap(\.follower) }

    /// The values whose work ended with the last row.
    private var interrupted: [any ItemFollower] = []

    package init() {}

    /// No row shows the item any more.
    package func disappear() { interrupted = followers.filter { $0.itemDisappeared() } }

    /// A row shows the item again.
    package func appear() {
        for follower in followers {
            follower.itemAppeared(wasInterrupted: interrupted.contains { $0 === follower })
        }
        interrupted = []
    }
}

extension WidgetDeclaration {
    /// The declaration of the widget: the body, or for a declaration with states a box around it,
    /// whose node has the states.
    package var declared: DeclaredWidget {
        if let declared = self as? DeclaredWidget { return declared.framed }
        let states = StatefulTypes.states(of: self)
        guard !states.isEmpty else { return body.declared }
        return DeclaredWidget("\(ObjectIdentifier(Self.self))") {
            let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            // The only child gets the whole size, as it would without the box.
            gtk_box_set_homogeneous(UnsafeMutableRawPointer(box.pointer).assumingMemoryBound(to: GtkBox.self), 1)
            return box
        }
        .setting { $0.place(states) }
        .containing { [body.declared] }
        .observing({ [body.declared] }) { node, body in
            let box = node.typed(GtkBox.self)
            node.updateChildren(to: body) { widget, _ in
                if gtk_widget_get_parent(widget.pointer) == nil { gtk_box_append(box, widget.pointer) }
            } remove: { widget in
                gtk_box_remove(box, widget.pointer)
            }
            node.standInForChild()
        }
    }
}

extension WidgetNode {
    fileprivate func place(_ states: [any StateProperty]) {
        let kept = cells
        cells = states.enumerated().map { index, state in
            state.place(kept.indices.contains(index) ? kept[index] : nil, at: self)
        }
    }

    /// Makes a box around one widget take the place of that widget in its container.
    func standInForChild() {
        guard let child = children.widgets.first?.pointer else { return }
        if !key.kind.contains(".align(") {
            gtk_widget_set_halign(pointer, gtk_widget_get_halign(child))
            gtk_widget_set_valign(pointer, gtk_widget_get_valign(child))
        }
        let isFrame = WidgetNode.of(Widget(borrowing: child))?.key.kind.hasPrefix(DeclaredWidget.frameKind) == true
        let framed = isFrame ? gtk_widget_get_first_child(child) : child
        guard key.kind.contains(".frame("), let own = framed.flatMap({ CustomWidgets.at($0) }) else { return }
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_widget_get_size_request(pointer, &width, &height)
        own.fixedSize = (
            width >= 0 ? Int(width) : own.fixedSize.width, height >= 0 ? Int(height) : own.fixedSize.height
        )
    }
}

/// The types of declarations without states, which most are.
@MainActor
private enum StatefulTypes {
    private static var others: Set<ObjectIdentifier> = []

    static func states<Declaration: WidgetDeclaration>(of declaration: Declaration) -> [any StateProperty] {
        guard !others.contains(ObjectIdentifier(Declaration.self)) else { return [] }
        let states = Mirror(reflecting: declaration).children.compactMap { $0.value as? any StateProperty }
        if states.isEmpty { others.insert(ObjectIdentifier(Declaration.self)) }
        return states
    }
}

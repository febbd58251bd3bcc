import CRemoteImageGtk

/// The handlers, observers and children of a declared widget.
///
/// The widget owns its node and releases it in its finalize.
@MainActor
package final class WidgetNode {
    private static let data = ObjectData<WidgetNode>("remote-image-node")

    // Not owned: the widget owns this object.
    package let pointer: UnsafeMutablePointer<GtkWidget>
    package var children = ChildList()
    /// The main child of a container that also has others, which follow another closure.
    package var mainChild = ChildList(part: "main")
    /// Makes the row of a list that has declared the widget give it up.
    package var leaveRow: @MainActor () -> Void = {}
    /// The last text that a text field reported or received.
    var typedText = ""
    /// Makes a text field report its text.
    var reportText: @MainActor () -> Void = {}
    /// Whether the widget is being set to a value of the program, which it does not report.
    private(set) var isReceiving = false
    private(set) var key = DeclaredWidget.Key(kind: "")
    /// The node of the container that has declared the widget last.
    private weak var owner: WidgetNode?
    /// The states of the item in whose row the widget is.
    private var item: ItemStates?
    private var ownCells: [any StateCell] = []
    private var observers: [Side: [ValueObserver]] = [:]
    private var appearance: WidgetAppearance?
    /// The items of each context menu of the declarations; `nil` while it is not declared.
    var menuItems: [@MainActor () -> [DeclaredWidget]?] = []
    private var connections: [HandlerKey: HandlerConnection] = [:]
    /// The newest declaration from each side, and the number of its updates.
    private var declarations: [Side: (kind: String, number: Int)] = [:]
    /// The side of the declaration whose settings run.
    private var side = Side.inner
    /// How many handlers of each kind the declaration has set so far.
    private var handlerCounts: [String: Int] = [:]

    /// The last values of `onChange`, by the numbers of their settings.
    private var reported: [Side: [Int: Any]] = [:]

    private init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        self.pointer = pointer
    }

    package var opaque: OpaquePointer { OpaquePointer(pointer) }

    func typed<Instance>(_ type: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }

    // MARK: Declarations

    /// - Parameter isContent: Whether the program asks for the widget.
    package static func makeWidget(_ declared: DeclaredWidget, isContent: Bool = false) -> Widget {
        let widget = declared.make()
        let node = attached(to: widget)
        resume(in: widget.pointer, before: declared)
        node.update(to: declared, isContent: isContent)
        return widget
    }

    /// Updates the children as ``ChildList/update(to:place:remove:)``.
    func updateChildren(
        to declared: [DeclaredWidget], place: (_ widget: Widget, _ previous: Widget?) -> Void,
        remove: @escaping (_ widget: Widget) -> Void
    ) {
        // The update may release a widget of this container, if the program declares it twice.
        var list = children
        children = ChildList()
        list.update(to: declared, place: place, remove: remove)
        children = list
    }

    /// Makes a widget without a parent: a container that still holds the widget releases it.
    package static func makeOrphan(_ declared: DeclaredWidget) -> Widget {
        let widget = makeWidget(declared)
        guard let parent = gtk_widget_get_parent(widget.pointer) else { return widget }
        // A scrolled window may wrap its child.
        let around = [parent] + (gtk_widget_get_parent(parent).map { [$0] } ?? [])
        let isGivenUp = around.contains { container in
            guard let node = data[container] else { return false }
            return node.children.giveUp(widget.pointer) || node.mainChild.giveUp(widget.pointer)
        }
        if !isGivenUp { data[widget.pointer]?.leaveRow() }
        if gtk_widget_get_parent(widget.pointer) != nil { gtk_widget_unparent(widget.pointer) }
        return widget
    }

    /// The node of a widget; `nil` if it was not declared.
    package static func of(_ widget: Widget) -> WidgetNode? { data[widget.pointer] }

    /// The node of a widget, which is made if there is none.
    package static func attached(to widget: Widget) -> WidgetNode {
        if let node = of(widget) { return node }
        let node = WidgetNode(widget.pointer)
        data[widget.pointer] = node
        return node
    }

    package func update(to declared: DeclaredWidget, isContent: Bool = false) {
        (owner, item) = Self.current
        let side: Side = declared.key.pointer == nil ? .inner : isContent ? .content : .outer
        let last = declarations[side]
        let number = (last?.number ?? 0) + 1
        declarations[side] = (declared.key.kind, number)
        key = declared.key
        // The same modifiers set all their handlers again, others perhaps not.
        let isOtherKind = last?.kind != declared.key.kind
        let known = isOtherKind ? connections.filter { $0.key.side == side }.map { $0.value } : []
        let live = known.filter { $0.handler != nil }
        for connection in live { connection.handler = nil }
        if isOtherKind { reported[side] = nil }
        handlerCounts = [:]
        for setting in declared.settings where declarations[side]?.number == number {
            within(side) { setting(self) }
        }
        for connection in live where connection.handler == nil { connection.handlerRemoved() }
        // A handler that a setting called may have declared the widget again.
        guard declarations[side]?.number == number else { return }
        for connection in known where connection.handler != nil && !live.contains(where: { $0 === connection }) {
            connection.handlerReturned()
        }
        observe(declared.observedSettings, side) { declarations[side]?.number == number }
        appearance?.resume()
    }

    /// - Parameter isNewest: Whether no action of `onChange` has declared the widget again.
    private func observe(_ settings: [DeclaredWidget.ObservedSetting], _ side: Side, while isNewest: () -> Bool) {
        var observers = observers[side] ?? []
        for (number, observer) in observers.enumerated().dropFirst(settings.count) {
            observer.pause()
            reported[side]?[number] = nil
        }
        observers = observers.prefix(settings.count) + settings.dropFirst(observers.count).map { _ in ValueObserver() }
        self.observers[side] = observers
        for (observer, setting) in zip(observers, settings) where isNewest() {
            observer.observe { [weak self] in
                guard let self else { return {} }
                let set = within(side, setting)
                return { [weak self] in if let self { within(side) { set(self) } } }
            }
        }
    }

    /// Calls `action` if the value of an observed setting has changed.
    func report<Value: Equatable>(
        _ new: Value, _ number: Int, onChange action: @MainActor (_ old: Value, _ new: Value) -> Void
    ) {
        let old = reported[side, default: [:]].updateValue(new, forKey: number) as? Value
        if let old, old != new { action(old, new) }
    }

    /// Whether the followers were told that the widget is visible.
    var hasAppeared: Bool { appearance?.hasAppeared ?? false }

    /// Calls `follower` after each change of the visibility of the widget.
    func followVisibility(_ follower: @escaping @MainActor (_ isVisible: Bool) -> Void) {
        let appearance = appearance ?? WidgetAppearance(pointer)
        appearance.followers.append(follower)
        self.appearance = appearance
    }

    /// Stops the observation of a removed widget and those below it.
    package static func pause(in widget: UnsafeMutablePointer<GtkWidget>) {
        forEachObserver(in: widget) { $0.pause() }
    }

    /// Resumes the observation of a widget that the program has kept, except for the observers that
    /// its update to `declared` replaces: their closures may read values that no longer exist.
    static func resume(in widget: UnsafeMutablePointer<GtkWidget>, before declared: DeclaredWidget) {
        let observers = data[widget]?.observers ?? [:]
        var replaced = observers[.outer] ?? []
        if declared.key.pointer == nil { replaced += observers[.inner] ?? [] }
        forEachObserver(in: widget) { observer in
            if !replaced.contains(where: { $0 === observer }) { observer.resume() }
        }
    }

    private static func forEachObserver(
        in widget: UnsafeMutablePointer<GtkWidget>, _ body: (any Pausable) -> Void
    ) {
        if let node = data[widget] {
            body(node)
            Side.allCases.flatMap { node.observers[$0] ?? [] }.forEach(body)
            if let appearance = node.appearance { body(appearance) }
        }
        if let own = CustomWidgets.at(widget) { body(own.builder) }
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            child = gtk_widget_get_next_sibling(current)
            forEachObserver(in: current, body)
        }
    }

    func receive(_ set: () -> Void) {
        isReceiving = true
        set()
        isReceiving = false
    }

    // MARK: Place

    /// The node whose closures run, and the states of the item in whose row it is.
    private(set) static var current: (node: WidgetNode?, item: ItemStates?) = (nil, nil)

    package static func within<Result>(_ node: WidgetNode?, _ item: ItemStates?, _ body: () -> Result) -> Result {
        let outer = current
        current = (node, item)
        defer { current = outer }
        return body()
    }

    private func within<Result>(_ side: Side, _ body: () -> Result) -> Result {
        let outer = self.side
        self.side = side
        defer { self.side = outer }
        return Self.within(self, item, body)
    }

    /// Whether `node` is this node, or one below it.
    func isAround(_ node: WidgetNode?) -> Bool {
        node.map { $0 === self || isAround($0.owner) } ?? false
    }

    /// The keys from the widget of the row to this one.
    private var pathInRow: [DeclaredWidget.Key] {
        (owner.flatMap { $0.item === item ? $0.pathInRow : nil } ?? []) + [key]
    }

    /// The cells of the states of the declaration.
    var cells: [any StateCell] {
        get { item.map { $0.cells[pathInRow] ?? [] } ?? ownCells }
        set { if let item { item.cells[pathInRow] = newValue } else { ownCells = newValue } }
    }

    /// The container does not declare the widget any more. Its states end, unless they belong to
    /// another item.
    func remove() {
        if let item, item === Self.current.item, !item.cells.isEmpty {
            let path = pathInRow
            item.cells = item.cells.filter { !$0.key.starts(with: path) }
        }
        owner = nil
    }

    // MARK: Handlers

    /// Replaces the handler that the previous declaration has set, which must not retain this node.
    /// For a new one, calls `connect` with a closure that calls the newest handler; the closure
    /// returns `nil` while none is declared. A declaration may have several handlers of a kind.
    func setHandler<each Argument, Result>(
        _ kind: String, _ handler: @escaping @MainActor (repeat each Argument) -> Result,
        connect: (
            _ call: @escaping @MainActor (repeat each Argument) -> Result?, _ connection: HandlerConnection
        ) -> Void
    ) {
        let count = handlerCounts[kind, default: 0]
        handlerCounts[kind] = count + 1
        let key = HandlerKey(side: side, kind: kind, number: count)
        if let connection = connections[key] {
            connection.handler = Handler(call: handler)
            return
        }
        let connection = HandlerConnection()
        connection.handler = Handler(call: handler)
        connections[key] = connection
        connect(
            { [weak self] (argument: repeat each Argument) in
                guard let self, let handler = connections[key]?.handler as? Handler<repeat each Argument, Result>
                else { return nil }
                return within(key.side) { handler.call(repeat each argument) }
            }, connection)
    }

    /// The declarations of one widget. The handlers of one do not end those of another.
    private enum Side: CaseIterable {
        /// The declaration that made the widget.
        case inner
        /// A declaration that contains this very widget.
        case outer
        /// A declaration of this very widget that the program has asked for its widget.
        case content
    }

    private struct HandlerKey: Hashable {
        let side: Side
        let kind: String
        /// The number among the handlers of the kind.
        let number: Int
    }

    private struct Handler<each Argument, Result> {
        let call: @MainActor (repeat each Argument) -> Result
    }

    /// Sets a handler of a signal, with the first of its arguments.
    package func on<each Argument: SignalValue, Result>(
        _ signal: String, _ handler: @escaping @MainActor (repeat each Argument) -> Result
    ) {
        setHandler(signal, handler) { call, _ in SignalClosure.connect(signal, of: pointer, call) }
    }
}

extension WidgetNode: Pausable {
    /// A widget that returns, or whose row stands for another item, reports no change meanwhile.
    func pause() { reported = [:] }

    func resume() {}
}

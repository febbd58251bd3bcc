import CRemoteImageGtk

/// What a declared widget was made from: its handlers, its observed settings and its children.
///
/// The widget owns its node and releases it in its finalize.
@MainActor
final class WidgetNode {
    private static let data = ObjectData<WidgetNode>("remote-image-node")

    // Not owned: the widget owns this object.
    let pointer: UnsafeMutablePointer<GtkWidget>
    var children = ChildList()
    /// The main child of a container that also has others, which follow another closure.
    var mainChild = ChildList()
    /// The bindings to the progress of a load, without those of the children.
    var followers: [Widget.Binding] = []
    /// The last text that a text field reported or received.
    var typedText = ""
    private var observers: [ValueObserver] = []
    private var handlers: [String: Any] = [:]

    private init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        self.pointer = pointer
    }

    var opaque: OpaquePointer { OpaquePointer(pointer) }

    func typed<Instance>(_ type: Instance.Type = Instance.self) -> UnsafeMutablePointer<Instance> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
    }

    // MARK: Declarations

    static func makeWidget(_ declared: DeclaredWidget) -> Widget {
        let widget = declared.make()
        let node = attached(to: widget)
        node.update(to: declared)
        // A widget that was made before has its bindings already.
        guard widget.bindings.isEmpty, !node.followers.isEmpty || !node.allChildren.isEmpty else { return widget }
        // The node has no reference to its widget.
        return widget.adding { [widget] state in withExtendedLifetime(widget) { node.follow(state) } }
    }

    /// The node of a widget; `nil` if it was not declared.
    static func of(_ widget: Widget) -> WidgetNode? { data[widget.pointer] }

    /// The node of a widget, which is made if there is none.
    static func attached(to widget: Widget) -> WidgetNode {
        if let node = of(widget) { return node }
        let node = WidgetNode(widget.pointer)
        data[widget.pointer] = node
        return node
    }

    func update(to declared: DeclaredWidget) {
        for setting in declared.settings { setting(self) }
        for (index, setting) in declared.observedSettings.enumerated() {
            if index == observers.count { observers.append(ValueObserver()) }
            observers[index].observe { [weak self] in
                let set = setting()
                return { if let self { set(self) } }
            }
        }
    }

    /// Ends the observation of this widget and those below it.
    func end() {
        for observer in observers { observer.end() }
        for child in allChildren { WidgetNode.of(child)?.end() }
    }

    private func follow(_ state: LoadingState) {
        for follower in followers { follower(state) }
        for binding in allChildren.flatMap(\.bindings) { binding(state) }
    }

    private var allChildren: [Widget] { mainChild.widgets + children.widgets }

    /// The declared views below the widget.
    var views: [RemoteImageViewState] { mainChild.views + children.views }

    // MARK: Handlers

    /// Replaces the handler of a kind, which must not retain this node. For the first one, calls
    /// `connect` with a closure that calls the newest handler.
    func setHandler<each Argument, Result>(
        _ kind: String, _ handler: @escaping @MainActor (repeat each Argument) -> Result,
        connect: (@escaping @MainActor (repeat each Argument) -> Result?) -> Void
    ) {
        let isNew = handlers[kind] == nil
        handlers[kind] = Handler(call: handler)
        guard isNew else { return }
        connect { [weak self] (argument: repeat each Argument) in
            (self?.handlers[kind] as? Handler<repeat each Argument, Result>)?.call(repeat each argument)
        }
    }

    private struct Handler<each Argument, Result> {
        let call: @MainActor (repeat each Argument) -> Result
    }

    /// Sets the handler of a signal without arguments.
    func on(_ signal: String, _ handler: @escaping @MainActor () -> Void) {
        setHandler(signal, handler) { call in Signal.connect(signal, of: pointer) { _ = call() } }
    }

    /// Sets the handler of the notification of a property.
    func on(property: String, _ handler: @escaping @MainActor () -> Void) {
        setHandler("notify::" + property, handler) { call in
            Signal.connect(property: property, of: pointer) { _ = call() }
        }
    }
}

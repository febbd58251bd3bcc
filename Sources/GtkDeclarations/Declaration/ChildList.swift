import CRemoteImageGtk

/// The declared widgets of a container. An update keeps the widgets that are declared again.
@MainActor
package struct ChildList {
    package private(set) var entries: [(key: DeclaredWidget.Key, widget: Widget)] = []
    private var remove: ((_ widget: Widget) -> Void)?
    private let part: String?

    /// - Parameter part: Distinguishes the keys of the widgets from those in another list of the
    ///   container.
    package init(part: String? = nil) {
        self.part = part
    }

    var isEmpty: Bool { entries.isEmpty }
    package var widgets: [Widget] { entries.map(\.widget) }

    /// - Parameters:
    ///   - place: Inserts a widget after another one, or first. The widget has no parent yet, or is
    ///     already in the container.
    ///   - remove: Removes a widget from the container. The list keeps this closure, which must not
    ///     retain the owner of the list.
    package mutating func update(
        to declared: [DeclaredWidget], place: (_ widget: Widget, _ previous: Widget?) -> Void,
        remove: @escaping (_ widget: Widget) -> Void
    ) {
        self.remove = remove
        var declared = declared
        if let part { declared = declared.map { $0.at(part) } }
        var old: [DeclaredWidget.Key: [Widget]] = [:]
        for entry in entries.reversed() { old[entry.key, default: []].append(entry.widget) }
        var kept: [(widget: Widget?, declared: DeclaredWidget)] = []
        for declared in declared { kept.append((old[declared.key]?.popLast(), declared)) }
        for widget in old.values.joined() {
            WidgetNode.pause(in: widget.pointer)
            WidgetNode.of(widget)?.remove()
            remove(widget)
        }
        entries = []
        var parents: [UnsafeMutablePointer<GtkWidget>: UnsafeMutablePointer<GtkWidget>] = [:]
        // A new widget may be one of these, or contain one.
        func isGone(_ widget: Widget) -> Bool { gtk_widget_get_parent(widget.pointer) != parents[widget.pointer] }
        for (widget, declared) in kept {
            if let pointer = declared.key.pointer {
                entries.removeAll { isGone($0.widget) }
                // A widget of the program that is declared twice has the last place.
                if let index = entries.firstIndex(where: { $0.widget.pointer == pointer }) {
                    remove(entries.remove(at: index).widget)
                }
            }
            let widget = widget ?? WidgetNode.makeOrphan(declared)
            while let last = entries.last, isGone(last.widget) { entries.removeLast() }
            place(widget, entries.last?.widget)
            parents[widget.pointer] = gtk_widget_get_parent(widget.pointer)
            entries.append((declared.key, widget))
        }
        entries.removeAll { isGone($0.widget) }
        for (widget, declared) in kept {
            guard let widget else { continue }
            // The row of another item may have paused a widget of the program.
            if declared.key.pointer != nil { WidgetNode.resume(in: widget.pointer, before: declared) }
            WidgetNode.of(widget)?.update(to: declared)
        }
    }

    /// Forgets a widget that was removed by others, and returns its key.
    mutating func forget(_ pointer: UnsafeMutablePointer<GtkWidget>) -> DeclaredWidget.Key? {
        guard let index = entries.firstIndex(where: { $0.widget.pointer == pointer }) else { return nil }
        WidgetNode.pause(in: pointer)
        return entries.remove(at: index).key
    }

    /// Removes a widget that another container now declares. Returns whether it was in this list.
    @discardableResult
    package mutating func giveUp(_ pointer: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let index = entries.firstIndex(where: { $0.widget.pointer == pointer }) else { return false }
        remove?(entries.remove(at: index).widget)
        return true
    }

    /// Updates the only child of a container; several are put in a column.
    package mutating func update(
        toSingle declared: [DeclaredWidget], set: @escaping (_ child: UnsafeMutablePointer<GtkWidget>?) -> Void
    ) {
        let single = declared.count > 1 ? [Column(declared).body] : declared
        update(to: single) { widget, _ in
            if gtk_widget_get_parent(widget.pointer) == nil { set(widget.pointer) }
        } remove: { _ in
            set(nil)
        }
    }
}

extension WidgetNode {
    /// Updates the only child of a container; several are put in a column.
    func setChild(_ declared: [DeclaredWidget], _ set: @escaping (UnsafeMutablePointer<GtkWidget>?) -> Void) {
        children.update(toSingle: declared, set: set)
    }
}

import CRemoteImageGtk

/// The declared widgets of a container. An update keeps the widgets that are declared again.
@MainActor
struct ChildList {
    private var entries: [(key: DeclaredWidget.Key, widget: Widget)] = []

    var isEmpty: Bool { entries.isEmpty }
    var widgets: [Widget] { entries.map(\.widget) }

    /// - Parameters:
    ///   - place: Puts a widget after another one, or first. It may be there already.
    ///   - remove: Removes a widget from the container.
    mutating func update(
        to declared: [DeclaredWidget], place: (_ widget: Widget, _ previous: Widget?) -> Void,
        remove: (_ widget: Widget) -> Void
    ) {
        var old: [DeclaredWidget.Key: [Widget]] = [:]
        for entry in entries.reversed() { old[entry.key, default: []].append(entry.widget) }
        var kept: [(widget: Widget?, declared: DeclaredWidget)] = []
        for declared in declared { kept.append((old[declared.key]?.popLast(), declared)) }
        for widget in old.values.joined() {
            WidgetNode.of(widget)?.end()
            remove(widget)
        }
        entries = []
        for (widget, declared) in kept {
            let widget = widget ?? WidgetNode.makeWidget(declared)
            place(widget, entries.last?.widget)
            entries.append((declared.key, widget))
        }
        for (entry, (widget, declared)) in zip(entries, kept) where widget != nil {
            WidgetNode.of(entry.widget)?.update(to: declared)
        }
    }

    /// Forgets a widget that was removed by others, and returns its key.
    mutating func forget(_ pointer: UnsafeMutablePointer<GtkWidget>) -> DeclaredWidget.Key? {
        guard let index = entries.firstIndex(where: { $0.widget.pointer == pointer }) else { return nil }
        let entry = entries.remove(at: index)
        WidgetNode.of(entry.widget)?.end()
        return entry.key
    }

    /// Updates the only child of a container; several are put in a column.
    mutating func update(
        toSingle declared: [DeclaredWidget], set: (_ child: UnsafeMutablePointer<GtkWidget>?) -> Void
    ) {
        let single = declared.count > 1 ? [Column { for part in declared { part } }.body] : declared
        update(to: single) { widget, _ in
            if gtk_widget_get_parent(widget.pointer) == nil { set(widget.pointer) }
        } remove: { _ in
            set(nil)
        }
    }

    /// The views at or below these widgets, without those that the program made itself.
    var views: [RemoteImageViewState] {
        entries.flatMap { key, widget -> [RemoteImageViewState] in
            if key.path == widget.body.key.path { return [] }
            if let view = RemoteImageView(of: widget.pointer) { return [view.state] }
            return WidgetNode.of(widget)?.views ?? []
        }
    }
}

extension WidgetNode {
    /// Updates the only child of a container; several are put in a column.
    func setChild(_ declared: [DeclaredWidget], _ set: (UnsafeMutablePointer<GtkWidget>?) -> Void) {
        children.update(toSingle: declared, set: set)
    }
}

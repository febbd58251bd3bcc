// The views among the widgets that were made for declarations, in order.

extension ChildList {
    /// The views at or below these widgets, without those that the program made itself.
    var views: [RemoteImageViewState] {
        entries.flatMap { key, widget -> [RemoteImageViewState] in
            if key.pointer != nil { return [] }
            if let view = RemoteImageView(of: widget.pointer) { return [view.state] }
            guard let node = WidgetNode.of(widget) else { return [] }
            return node.mainChild.views + node.children.views
        }
    }
}

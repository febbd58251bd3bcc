import CRemoteImageGtk

/// The layout of the children of a box, in place of that of GTK. The box owns this object.
@MainActor
final class ChildLayout {
    typealias Child = UnsafeMutablePointer<GtkWidget>
    /// A minimum and a natural length, in points.
    typealias Length = (minimum: Int32, natural: Int32)
    typealias Measure = @MainActor (_ children: [Child], GtkOrientation, _ size: Int32) -> Length
    typealias Allocate = @MainActor (_ children: [Child], _ width: Int32, _ height: Int32) -> Void

    private static let data = ObjectData<ChildLayout>("remote-image-child-layout")

    private let measure: Measure
    private let allocate: Allocate

    /// Sets the layout of a box, whose height depends on its width. The functions receive the
    /// visible children, without an open popover.
    static func set(on box: Child, measure: @escaping Measure, allocate: @escaping Allocate) {
        let isNew = data[box] == nil
        data[box] = ChildLayout(measure, allocate)
        guard isNew else { return gtk_widget_queue_resize(box) }
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
            { widget, orientation, size, minimum, natural, _, _ in
                guard let widget else { return }
                nonisolated(unsafe) let box = widget  // Never leaves this call, which is on the main thread.
                let length = MainLoop.assumeIsolated {
                    ChildLayout.data[box]?.measure(ChildLayout.children(of: box), orientation, size)
                }
                minimum?.pointee = length?.minimum ?? 0
                natural?.pointee = length?.natural ?? 0
            },
            { widget, width, height, _ in
                guard let widget else { return }
                nonisolated(unsafe) let box = widget  // Never leaves this call, which is on the main thread.
                MainLoop.assumeIsolated {
                    ChildLayout.data[box]?.allocate(ChildLayout.children(of: box), width, height)
                }
            })
        gtk_widget_set_layout_manager(box, layout)
    }

    private init(_ measure: @escaping Measure, _ allocate: @escaping Allocate) {
        (self.measure, self.allocate) = (measure, allocate)
    }

    private static func children(of box: Child) -> [Child] {
        box.children.filter { gtk_widget_should_layout($0) != 0 }
    }

    static func largest(_ lengths: [Length]) -> Length {
        (lengths.map(\.minimum).max() ?? 0, lengths.map(\.natural).max() ?? 0)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The children of a widget, in order. The next one is looked up before a child is used.
    package var children: some Sequence<UnsafeMutablePointer<GtkWidget>> {
        sequence(state: gtk_widget_get_first_child(self)) { next in
            defer { next = next.flatMap { gtk_widget_get_next_sibling($0) } }
            return next
        }
    }

    /// The length of a widget: by default its width.
    @MainActor
    func length(_ orientation: GtkOrientation = GTK_ORIENTATION_HORIZONTAL, _ size: Int32 = -1) -> ChildLayout.Length {
        var (minimum, natural): (Int32, Int32) = (0, 0)
        gtk_widget_measure(self, orientation, size, &minimum, &natural, nil, nil)
        return (minimum, natural)
    }
}

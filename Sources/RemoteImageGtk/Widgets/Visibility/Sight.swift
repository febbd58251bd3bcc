import CGtk

/// Whether one widget can be seen: mapped, and within the viewports around it or near them.
///
/// Belongs to the state of the widget, which tells it of map, unmap and allocation.
@MainActor
final class Sight {
    // Not owned: the widget owns the state, and with it this object.
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let changed: @MainActor (Bool) -> Void
    private var viewport: Viewport?
    private var isMapped = false
    /// Nil as long as the widget has never been laid out. A widget that has nothing to show yet may be of no size.
    private var size: (width: Int32, height: Int32)?
    private var place: (area: Area, layoutNumber: Int)?
    private(set) var isInSight = false
    /// How far outside of a viewport, in points, still counts as in sight.
    var margin = 0.0 {
        didSet { if margin != oldValue { viewport?.lookSoon() } }
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
    }

    var isLaidOut: Bool { size != nil }

    /// Whether being mapped is not enough to be in sight.
    var isInViewport: Bool { viewport != nil }

    func map() {
        isMapped = true
        viewport = Viewport.around(widget)
        guard let viewport else { return set(true) }
        viewport.add(self)
        // Where it is now, nobody knows before it is laid out.
        place = nil
        viewport.lookSoon()
    }

    func unmap() {
        isMapped = false
        viewport?.remove(self)
        viewport = nil
        set(false)
    }

    /// The widget has got its size, and is about to be drawn.
    func allocate(width: Int32, height: Int32) {
        let isNew = size == nil || size ?? (0, 0) != (width, height)
        size = (width, height)
        guard let viewport, isMapped else { return }
        if isNew {
            place = nil
            viewport.contentMoved()
        }
        look()
    }

    /// Looks where the widget is.
    func look() {
        guard let viewport, isMapped else { return }
        if place == nil || place?.layoutNumber != viewport.layoutNumber {
            guard isLaidOut, let area = viewport.area(of: widget) else { return }
            place = (area, viewport.layoutNumber)
        }
        if let place { set(viewport.isInSight(place.area, margin: margin)) }
    }

    private func set(_ isInSight: Bool) {
        guard isInSight != self.isInSight else { return }
        self.isInSight = isInSight
        changed(isInSight)
    }
}

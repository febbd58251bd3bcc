import CRemoteImageGtk
import Observation
import RemoteImageTestSupport

@testable import RemoteImageGtk

struct TestPhoto: Identifiable, Equatable {
    let id: Int
    var title = ""

    var address: String { "http://test/\(id).png" }
    /// Neighbouring photos have different contents, and content 0 is a broken image.
    static func content(of id: Int) -> UInt8 { UInt8(id % 251 + 1) }
}

@MainActor @Observable
final class TestAlbum {
    var photos: [TestPhoto]
    var selected: Int?
    var marked: Set<Int> = []

    init(_ ids: some Sequence<Int>) {
        photos = ids.map { TestPhoto(id: $0) }
    }
}

/// A declared list or grid of an album, over a network that answers each request, or none.
@MainActor
final class TestList {
    enum Kind { case grid, list }

    let album: TestAlbum
    let transport: FakeTransport
    let decoder = FakeDecoder()
    let pipeline: ImagePipeline
    /// The ids of the photos whose rows were declared, in order.
    var runs: [Int] = []
    /// The number of widgets that were made for the captions.
    private(set) var captionCount = 0
    var onActivate: ((TestPhoto) -> Void)?
    var prefetch: (@MainActor (TestPhoto) -> ImageRequest?)?
    private(set) var widget: Widget?

    init(_ kind: Kind, _ album: TestAlbum, isSelectable: Bool, isPrefetching: Bool, isAnswering: Bool) {
        self.album = album
        transport = FakeTransport { request in
            let id = request.address.string.split(separator: "/").last?.split(separator: ".").first.flatMap { Int($0) }
            guard isAnswering, let id else { return nil }
            return .ok(TestImage(TestPhoto.content(of: id), width: 240, height: 180).bytes)
        }
        pipeline = .test(transport, decoder: decoder) { $0.rateLimit = nil }
        let content: @MainActor (TestPhoto) -> [DeclaredWidget] = { [unowned self] photo in
            runs.append(photo.id)
            let mark = album.marked.contains(photo.id) ? "*" : ""
            return [
                NetworkImage(photo.address).contentFit(.cover).frame(width: 60, height: 40).body,
                caption("\(photo.id)\(photo.title)\(mark)"),
            ]
        }
        let selection = isSelectable ? Binding(album, \.selected) : nil
        let prefetch: @MainActor (TestPhoto) -> ImageRequest? = { [weak self] in self?.prefetch?($0) }
        let declared =
            switch kind {
            case .grid:
                ImageGrid(
                    album.photos, columns: 2...4, selection: selection, prefetch: isPrefetching ? nil : prefetch,
                    content: content
                ) { [weak self] in self?.onActivate?($0) }.body
            case .list:
                ImageList(
                    album.photos, selection: selection, prefetch: isPrefetching ? nil : prefetch, content: content
                ) { [weak self] in self?.onActivate?($0) }.body
            }
        let widget = WidgetNode.makeWidget(declared)
        widget.imagePipeline = pipeline
        self.widget = widget
    }

    private func caption(_ text: String) -> DeclaredWidget {
        DeclaredWidget("Caption") {
            self.captionCount += 1
            return Widget(gtk_label_new(nil))
        }
        .setting { gtk_label_set_text($0.opaque, text) }
    }

    /// Releases the widget and the images.
    func end() {
        widget = nil
        pipeline.configuration.memoryCache?.removeAll()
    }

    /// Runs a test with a grid, and again with a list, of the photos with these ids. They must be
    /// released when it ends.
    nonisolated static func run(
        _ ids: [Int], isSelectable: Bool = true, isPrefetching: Bool = false, isAnswering: Bool = true,
        selected: Int? = nil, _ body: @MainActor (GtkFixture, TestList) throws -> Void
    ) rethrows {
        for kind in [TestList.Kind.grid, .list] {
            try GtkFixture.run { test in
                let album = TestAlbum(ids)
                album.selected = selected
                let list = TestList(
                    kind, album, isSelectable: isSelectable, isPrefetching: isPrefetching,
                    isAnswering: isAnswering)
                defer { list.end() }
                guard let widget = list.widget else { return }
                test.watch(widget, "the list")
                test.show(widget.pointer, width: 300, height: 300)
                try body(test, list)
            }
        }
    }

    // MARK: Widgets

    var pointer: UnsafeMutablePointer<GtkWidget>? { widget?.pointer }
    /// The `GtkGridView` or `GtkListView`.
    var view: OpaquePointer? { widget.flatMap { OpaquePointer(gtk_scrolled_window_get_child($0.opaque)) } }
    var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        widget.flatMap { gtk_scrolled_window_get_vadjustment($0.opaque) }
    }

    func scroll(to position: Double) { gtk_adjustment_set_value(adjustment, position) }

    var selectionModel: OpaquePointer? {
        guard let view, let widget = gtk_scrolled_window_get_child(self.widget?.opaque) else { return nil }
        let isGrid = shim_is_a(UnsafeMutableRawPointer(widget), gtk_grid_view_get_type()) != 0
        return isGrid ? gtk_grid_view_get_model(view) : gtk_list_view_get_model(view)
    }

    /// The position that is selected in the widget.
    var selectedPosition: Int? {
        let position = gtk_single_selection_get_selected(selectionModel)
        return position == guint.max ? nil : Int(position)
    }

    /// The widget of a visible row, which takes the focus.
    func focusableRow(of caption: String) -> UnsafeMutablePointer<GtkWidget>? {
        let label = descendants(of: pointer).first {
            shim_is_a($0, gtk_label_get_type()) != 0 && text(in: $0) == caption
        }
        return label.flatMap { gtk_widget_get_parent($0) }.flatMap { gtk_widget_get_parent($0) }
    }

    /// The caption of the row that has the focus.
    var focusedCaption: String? {
        guard let pointer, pointer.containsFocus, let root = gtk_widget_get_root(pointer) else { return nil }
        return text(in: gtk_root_get_focus(root))
    }

    /// The captions of the visible rows, and their distance from the top of the widget.
    var captions: [String: Double] {
        var found: [String: Double] = [:]
        for label in descendants(of: pointer)
        where shim_is_a(UnsafeMutableRawPointer(label), gtk_label_get_type()) != 0 && gtk_widget_get_mapped(label) != 0
        {
            found[String(cString: gtk_label_get_text(OpaquePointer(label)))] = place(0, 0, of: label, in: pointer).y
        }
        return found
    }

    /// The views of the visible rows.
    var views: [RemoteImageView] {
        descendants(of: pointer).filter { gtk_widget_get_mapped($0) != 0 }.compactMap { RemoteImageView(of: $0) }
    }

    /// A point in the window on a caption.
    func middle(of caption: String) -> (x: Double, y: Double)? {
        for label in descendants(of: pointer)
        where shim_is_a(UnsafeMutableRawPointer(label), gtk_label_get_type()) != 0
            && String(cString: gtk_label_get_text(OpaquePointer(label))) == caption
        {
            let root = gtk_widget_get_root(label).map { UnsafeMutableRawPointer($0) }
            return place(
                Float(gtk_widget_get_width(label)) / 2, 5, of: label,
                in: root?.assumingMemoryBound(to: GtkWidget.self))
        }
        return nil
    }

    /// The coordinates in `other` of a point of a widget.
    private func place(
        _ x: Float, _ y: Float, of widget: UnsafeMutablePointer<GtkWidget>, in other: UnsafeMutablePointer<GtkWidget>?
    ) -> (x: Double, y: Double) {
        var (point, found) = (graphene_point_t(x: x, y: y), graphene_point_t())
        _ = gtk_widget_compute_point(widget, other, &point, &found)
        return (Double(found.x), Double(found.y))
    }
}

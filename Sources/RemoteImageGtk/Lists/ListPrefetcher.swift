import CRemoteImageGtk

/// Prefetches the images of the rows ahead in a `GtkListView`, a `GtkGridView` or a `GtkColumnView`
/// with a model of the program. The list owns this object.
@MainActor
package final class ListPrefetcher {
    /// Returns the image source of an item of the model, or `nil` for none.
    package typealias Source = @MainActor (_ item: UnsafeMutableRawPointer) -> ImageSource?

    private static let data = ObjectData<ListPrefetcher>("remote-image-list-prefetcher")

    // Not owned: the list owns this object.
    private let list: UnsafeMutablePointer<GtkWidget>
    /// `nil` for that of the views in the visible rows.
    private let pipeline: ImagePipeline?
    /// `nil` for the size and the options of the views in the visible rows.
    private let maxPixelSize: Int?
    private let source: Source
    private let connections = SignalConnections()
    private let modelConnections = SignalConnections()
    /// `nil` while the list is not mapped or has no model.
    private var prefetcher: ScrollPrefetcher?

    /// Prefetches in place of the previous source of the list; `nil` ends prefetching.
    ///
    /// - Returns: Whether the widget is a list.
    package static func set(
        _ source: Source?, on list: UnsafeMutablePointer<GtkWidget>, pipeline: ImagePipeline?, maxPixelSize: Int?
    ) -> Bool {
        guard lists.contains(where: { shim_is_a(list, $0.type) != 0 }) else { return false }
        data[list] = source.map {
            ListPrefetcher(list, pipeline: pipeline, maxPixelSize: maxPixelSize, source: $0)
        }
        return true
    }

    private static let lists: [(type: GType, model: @MainActor (OpaquePointer?) -> OpaquePointer?)] = [
        (gtk_list_view_get_type(), { gtk_list_view_get_model($0) }),
        (gtk_grid_view_get_type(), { gtk_grid_view_get_model($0) }),
        (gtk_column_view_get_type(), { gtk_column_view_get_model($0) }),
    ]

    private init(
        _ list: UnsafeMutablePointer<GtkWidget>, pipeline: ImagePipeline?, maxPixelSize: Int?, source: @escaping Source
    ) {
        (self.list, self.pipeline, self.maxPixelSize, self.source) = (list, pipeline, maxPixelSize, source)
        let object = UnsafeMutableRawPointer(list)
        for signal in ["map", "unmap"] {
            connections.connect(signal, of: object) { [weak self] in self?.restart() }
        }
        for property in ["model", "hadjustment", "vadjustment"] {
            connections.connect(property: property, of: object) { [weak self] in self?.restart() }
        }
        if shim_is_a(list, gtk_orientable_get_type()) != 0 {
            connections.connect(property: "orientation", of: object) { [weak self] in self?.restart() }
        }
        restart()
    }

    isolated deinit {
        connections.end()
        modelConnections.end()
    }

    private var model: OpaquePointer? {
        Self.lists.first { shim_is_a(list, $0.type) != 0 }?.model(OpaquePointer(list))
    }

    private var count: Int { model.map { Int(g_list_model_get_n_items($0)) } ?? 0 }

    private func restart() {
        modelConnections.end()
        prefetcher = nil
        guard gtk_widget_get_mapped(list) != 0, let model else { return }
        modelConnections.connect(itemsOf: UnsafeMutableRawPointer(model)) { [weak self] in
            if let self { prefetcher?.itemsChanged(count: count) }
        }
        let isHorizontal =
            shim_is_a(list, gtk_orientable_get_type()) != 0
            && gtk_orientable_get_orientation(OpaquePointer(list)) == GTK_ORIENTATION_HORIZONTAL
        let scrollable = OpaquePointer(list)
        guard
            let adjustment = isHorizontal
                ? gtk_scrollable_get_hadjustment(scrollable) : gtk_scrollable_get_vadjustment(scrollable)
        else { return }
        prefetcher = ScrollPrefetcher(
            along: adjustment, isMirrored: isHorizontal && gtk_widget_get_direction(list) == GTK_TEXT_DIR_RTL,
            count: count
        ) { [weak self] in
            self?.currentPipeline
        } requests: { [weak self] position in
            self?.request(ofRow: position).map { [$0] } ?? []
        }
    }

    // MARK: Requests

    private var currentPipeline: ImagePipeline? {
        if let pipeline { return pipeline }
        guard let view = visibleView else { return hasRow ? WidgetEnvironment.effectivePipeline(at: list) : nil }
        return view.loading.model?.pipeline
    }

    private func request(ofRow position: Int) -> ImageRequest? {
        // The model may have fewer items meanwhile.
        guard position < count, let item = g_list_model_get_item(model, guint(position)) else { return nil }
        defer { g_object_unref(item) }
        guard let source = source(item) else { return nil }
        if let maxPixelSize {
            var options = ImageOptions()
            options.maxPixelSize = PixelSize(side: maxPixelSize)
            return ImageRequest(source, options: options)
        }
        return visibleView.map { $0.request(for: source) } ?? ImageRequest(source)
    }

    /// A view in a visible row, as an example for those of the other rows. It has a size.
    private var visibleView: RemoteImageViewState? {
        first { shim_is_a($0, RemoteImageViewState.type) != 0 && gtk_widget_get_width($0) > 0 }
            .map { RemoteImageViewState.of($0) }
    }

    /// Whether the list shows a row, with or without a view.
    private var hasRow: Bool {
        first { gtk_widget_get_width($0) > 0 && gtk_widget_get_first_child($0) != nil } != nil
    }

    /// The first visible widget in the list that fulfils a condition.
    private func first(
        where matches: (UnsafeMutablePointer<GtkWidget>) -> Bool
    ) -> UnsafeMutablePointer<GtkWidget>? {
        func search(_ parent: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>? {
            for child in parent.children where gtk_widget_get_mapped(child) != 0 {
                if matches(child) { return child }
                if let found = search(child) { return found }
            }
            return nil
        }
        return search(list)
    }
}

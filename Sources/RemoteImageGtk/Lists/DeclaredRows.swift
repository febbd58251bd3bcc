import CRemoteImageGtk

/// The declared contents of the rows of a list.
@MainActor
final class DeclaredRows<Item, Key: Hashable> {
    private var rows: [OpaquePointer: DeclaredRow<Item, Key>] = [:]
    private var contentNumber = 0
    private var states: [Key: ItemStates] = [:]

    /// Declares the content of an item. A change takes effect with the next items.
    var content: DeclaredRow<Item, Key>.Content = { _ in [] } {
        didSet { contentNumber += 1 }
    }

    var actions: ListRows<Item, Key>.Actions {
        ListRows.Actions { row in
            self.rows[row] = DeclaredRow(row)
        } show: { item, key, row in
            self.show(item, key, in: row)
        } clear: { row in
            let old = self.rows[row]?.shown
            self.rows[row]?.clear()
            if let old { self.ended(old.key, old.states) }
        } tearDown: { row in
            self.rows[row] = nil
        }
    }

    private func show(_ item: Item, _ key: Key, in row: OpaquePointer) {
        let old = rows[row]?.shown
        let states = old?.key == key ? old?.states : states[key]
        let shown = states ?? ItemStates()
        self.states[key] = shown
        shown.appear()
        rows[row]?.show(item, key: key, shown, contentNumber: contentNumber, content: content)
        if let old, old.key != key { ended(old.key, old.states) }
    }

    /// A row does not show an item any more.
    private func ended(_ key: Key, _ states: ItemStates) {
        guard !states.isEmpty else { return self.states[key] = nil }
        self.states[key] = states
        // Another row may be about to show the item.
        Task { [weak self] in
            if self?.rows.values.contains(where: { $0.shown?.key == key }) == false { states.disappear() }
        }
    }

    /// Ends the states of items that are not in the list any more.
    func keepStates(of keys: [Key]) {
        // Those without cells leave with their rows.
        guard states.values.contains(where: { !$0.isEmpty }) else { return }
        let kept = Set(keys)
        states = states.filter { kept.contains($0.key) }
    }

    // MARK: Prefetching

    /// The views of a visible row, as examples for those of rows that have no size yet.
    private var visibleViews: [RemoteImageViewState] {
        rows.values.lazy.filter(\.isMapped).map(\.views).first { views in
            // A new row has no size and no pipeline before its first layout.
            views.contains { $0.loading.model != nil && gtk_widget_get_width($0.widget) > 0 }
        } ?? []
    }

    /// The pipeline of the views; `nil` if no view is visible.
    var pipeline: ImagePipeline? { visibleViews.first?.loading.model?.pipeline }

    /// The requests of the views in a row, at the sizes of those in a visible row.
    func requests(of row: OpaquePointer) -> [ImageRequest] {
        // Each row ahead would search all rows for an example.
        guard let views = rows[row]?.views, !views.isEmpty else { return [] }
        let pipeline = pipeline
        return zip(views, visibleViews).compactMap { view, visible in
            guard view.loading.model?.pipeline === pipeline, let options = view.loading.options else { return nil }
            return visible.request(for: view.image, options)
        }
    }

    /// The requests of an item that no row stands for.
    func requests(for item: Item) -> [ImageRequest] {
        let images = content(item).flatMap { $0.subjects() }.compactMap { $0 as? NetworkImage }
        return (images.isEmpty ? [] : Array(zip(images, visibleViews))).compactMap { image, visible in
            guard let pipeline = visible.loading.model?.pipeline, image.pipeline == nil || image.pipeline === pipeline
            else { return nil }
            let inherited = WidgetEnvironment.options(at: visible.widget)
                .merged(over: pipeline.configuration.options)
            return visible.request(for: image, image.options.merged(over: inherited))
        }
    }
}

extension RemoteImageViewState {
    /// The request with which a view like this one will load `source`; `nil` if it will not.
    func request(for source: ImageSource) -> ImageRequest? {
        guard var options = loading.options else { return nil }
        // It belongs to the image of this view.
        options.previewHash = nil
        var image = image
        image.source = source
        return request(for: image, options)
    }

    /// The request with which a view of the same size will load `image` on appear; `nil` if it will
    /// not.
    fileprivate func request(for image: NetworkImage, _ options: ImageOptions) -> ImageRequest? {
        let (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        guard width > 0, height > 0, let source = image.source, options.loadOptions.contains(.loadOnAppear)
        else { return nil }
        let size = PixelSize(width: width, height: height, in: widget)
        return ImageRequest(
            source, target: TargetSize(size, fit: options.targetFit ?? image.targetFit), options: options)
    }
}

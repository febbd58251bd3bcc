import CRemoteImageGtk

/// The declared contents of the rows of a list.
@MainActor
final class DeclaredRows<Item, Key: Hashable> {
    private var rows: [OpaquePointer: DeclaredRow<Item, Key>] = [:]
    private var contentNumber = 0

    /// Declares the content of an item. A change takes effect with the next items.
    var content: DeclaredRow<Item, Key>.Content = { _ in [] } {
        didSet { contentNumber += 1 }
    }

    var actions: ListRows<Item, Key>.Actions {
        ListRows.Actions { row in
            self.rows[row] = DeclaredRow(row)
        } show: { item, key, row in
            self.rows[row]?.show(item, key: key, contentNumber: self.contentNumber, content: self.content)
        } clear: { row in
            self.rows[row]?.clear()
        } tearDown: { row in
            self.rows[row] = nil
        }
    }

    // MARK: Prefetching

    /// The views of a visible row, as examples for those of rows that have no size yet.
    private var visibleViews: [RemoteImageViewState] {
        rows.values.first { $0.isMapped && !$0.views.isEmpty }?.views ?? []
    }

    /// The pipeline of the views; `nil` if no view is visible.
    var pipeline: ImagePipeline? { visibleViews.first?.loading.model?.pipeline }

    /// The requests of the views in a row, at the sizes of those in a visible row.
    func requests(of row: OpaquePointer) -> [ImageRequest] {
        let pipeline = pipeline
        return zip(rows[row]?.views ?? [], visibleViews).compactMap { view, visible in
            view.loading.model?.pipeline === pipeline ? view.request(sizedLike: visible) : nil
        }
    }
}

extension RemoteImageViewState {
    /// The request with which the view will load on appear, if it gets the size of `other`; `nil`
    /// if it will not.
    fileprivate func request(sizedLike other: RemoteImageViewState) -> ImageRequest? {
        let (width, height) = (Int(gtk_widget_get_width(other.widget)), Int(gtk_widget_get_height(other.widget)))
        guard width > 0, height > 0, let source = image.source, let options = loading.options,
            options.loadOptions.contains(.loadOnAppear)
        else { return nil }
        let size = PixelSize(width: width, height: height, in: other.widget)
        return ImageRequest(
            source, target: TargetSize(size, fit: options.targetFit ?? image.targetFit), options: options)
    }
}

import CRemoteImageGtk
import RemoteImageGtk

/// One image of the grid, with its content in each phase.
@MainActor
enum Tile {
    /// In points.
    static let (width, height) = (184, 138)

    /// Makes a view without a source. The grid sets its source for each row that it is bound to.
    static func make() -> RemoteImageView {
        let view = RemoteImageView(
            NetworkImage(nil as ImageSource?) {
                Column {}
            } inProgress: { state in
                Column(spacing: 10) {
                    Spinner()
                    ProgressBar(state)
                }
                .align(vertical: .center)
            } failure: { error, retry in
                Column(spacing: 4) {
                    Icon("image-missing-symbolic")
                    Label(error.localizedMessage).lineLimit(3)
                    Button("Try again", action: retry)
                }
                .align(vertical: .center)
            } content: { image, _ in
                Picture(image, contentFit: .cover)
            })
        gtk_widget_set_size_request(view.pointer, Int32(width), Int32(height))
        gtk_widget_add_css_class(view.pointer, "tile")
        gtk_widget_set_overflow(view.pointer, GTK_OVERFLOW_HIDDEN)
        return view
    }
}

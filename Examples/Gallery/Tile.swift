import CGtk
import RemoteImageGtk

/// One image of the grid: what it shows in each phase.
@MainActor
enum Tile {
    /// Points.
    static let (width, height) = (184, 138)

    /// A view without a source; rows of the grid give it one after the other.
    static func make() -> RemoteImageView {
        let view = RemoteImageView(
            NetworkImage(nil as ImageSource?) {
                Box {}
            } inProgress: { state in
                Box(spacing: 10) {
                    Spinner()
                    ProgressBar(state)
                }
            } failure: { error, retry in
                Box(spacing: 4) {
                    Icon("image-missing-symbolic")
                    Label(error.localizedMessage).lineLimit(3)
                    Button("Try again", action: retry)
                }
            } content: { image, _ in
                Picture(image, contentFit: .cover)
            })
        gtk_widget_set_size_request(view.pointer, Int32(width), Int32(height))
        gtk_widget_add_css_class(view.pointer, "tile")
        gtk_widget_set_overflow(view.pointer, GTK_OVERFLOW_HIDDEN)
        return view
    }
}

import CRemoteImageGtk
import RemoteImageGtk

/// One image as large as the window, with a line of information.
@MainActor
final class LargeImage {
    let widget: Widget
    private let view: RemoteImageView

    init() {
        view = RemoteImageView(
            NetworkImage(nil as ImageSource?) {
                Column {}
            } inProgress: { state in
                Column(spacing: 12) {
                    Spinner()
                    ProgressBar(state)
                    Label(state) { $0.progress.text }
                }
                .align(vertical: .center)
            } failure: { error, retry in
                Column(spacing: 12) {
                    Icon("image-missing-symbolic")
                    Label(error.localizedMessage)
                    Button("Try again", action: retry)
                }
                .align(vertical: .center)
            } content: { image, info in
                Self.framed(Picture(image).content, caption: info.caption)
            })
        widget = view.content
        gtk_widget_set_hexpand(view.pointer, 1)
        gtk_widget_set_vexpand(view.pointer, 1)
        gtk_widget_add_css_class(view.pointer, "large")
    }

    func show(_ address: String?) {
        view.source = address.map { ImageSource($0) }
    }

    var isSettled: Bool {
        view.model.phase.kind == .success || view.model.phase.kind == .failure
    }

    private static func framed(_ image: Widget, caption: String) -> Widget {
        let box = Widget(gtk_box_new(GTK_ORIENTATION_VERTICAL, 8))
        gtk_widget_set_vexpand(image.pointer, 1)
        let label = Widget(gtk_label_new(caption))
        gtk_widget_add_css_class(label.pointer, "dim-label")
        gtk_box_append(box.cast(to: GtkBox.self), image.pointer)
        gtk_box_append(box.cast(to: GtkBox.self), label.pointer)
        return box
    }
}

extension LoadProgress {
    fileprivate var text: String {
        let completed = completedByteCount / 1000
        return totalByteCount.map { "\(completed) of \($0 / 1000) kB" } ?? "\(completed) kB"
    }
}

extension ImageInfo {
    fileprivate var caption: String {
        var parts = ["\(size.width) × \(size.height) pixels"]
        if decodedSize != size { parts.append("decoded at \(decodedSize.width) × \(decodedSize.height)") }
        if let format { parts.append(format.rawValue.uppercased()) }
        parts.append("\((byteCount + 999) / 1000) kB")
        if frameCount > 1 { parts.append("\(frameCount) frames") }
        parts.append("from \(origin)")
        return parts.joined(separator: " · ")
    }
}

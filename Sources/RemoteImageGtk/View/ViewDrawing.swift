import CRemoteImageGtk

/// How a view is drawn: its content, clipped if the property `corner-radius` is set.
extension RemoteImageViewState {
    func snapshot(into snapshot: OpaquePointer?) {
        guard loading.needsDrawing else { return }
        guard properties.cornerRadius > 0 else { return content.snapshot(into: snapshot) }
        let clip = clippedArea
        shim_push_round_clip(
            snapshot, clip.x, clip.y, clip.width, clip.height, Double(properties.cornerRadius))
        content.snapshot(into: snapshot)
        gtk_snapshot_pop(snapshot)
    }

    /// The corners of the image or of its preview, which may be smaller than the view, or those of
    /// the view.
    private var clippedArea: Rect {
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        guard [.contain, .scaleDown].contains(properties.pictureFit),
            let size = (phase.image ?? phase.preview)?.naturalPointSize
        else { return Rect(x: 0, y: 0, width: width, height: height) }
        return ImageLayout(fit: properties.pictureFit, x: properties.display.xAlign, y: properties.display.yAlign)
            .area(ofWidth: size.width, height: size.height, inWidth: width, height: height)
    }
}

extension NetworkImagePhase {
    /// The image that is shown in the phase `.loading`; `nil` for none.
    fileprivate var preview: LoadedImage? {
        if case .loading(let state) = self { state.preview } else { nil }
    }
}

import CRemoteImageGtk

/// The values of the properties that determine the content of a view in each phase.
struct ContentProperties: Hashable {
    private let widgets: [UnsafeMutableRawPointer?]
    private let placeholderIconName: String?
    private let placeholderIconSize: Int32
    private let fit: ContentFit
    private let alignment: [Double]

    init(_ properties: ImageProperties) {
        widgets = [properties.placeholder.pointer, properties.failure.pointer]
        (placeholderIconName, placeholderIconSize) = (properties.placeholderIconName, properties.placeholderIconSize)
        fit = properties.pictureFit
        alignment = [properties.display.xAlign, properties.display.yAlign]
    }
}

/// The content of a view whose properties declare its image.
extension RemoteImageViewState {
    func propertyContent(for phase: NetworkImagePhase, retry: @escaping @MainActor () -> Void) -> Widget {
        let declared: Widget? =
            switch phase {
            case .empty: placeholder
            case .loading(let loading): content(of: loading)
            case .success(let image): picture(image)
            case .failure: widget(in: properties.failure)
            }
        return declared ?? .standard(for: phase, retry: retry)
    }

    /// The placeholder of the program, over the preview of a hash if there is one. Better previews
    /// and the previous image replace it.
    private func content(of loading: LoadingState) -> Widget? {
        guard let preview = loading.preview else { return placeholder }
        let picture = picture(preview)
        guard preview.isPreviewHash, let placeholder else { return picture }
        return Overlay {
            picture
        } overlays: {
            placeholder
        }
        .content
    }

    private func picture(_ image: LoadedImage) -> Widget {
        Picture(image, contentFit: properties.pictureFit)
            .position(x: properties.display.xAlign, y: properties.display.yAlign).content
    }

    func applyContextMenu() {
        guard properties.display.hasContextMenu else { return ImageMenu.remove(from: widget) }
        guard let view = RemoteImageView(of: widget) else { return }
        ImageMenu.add(to: view)
        ImageMenu.setExtra(properties.display.extraMenu.pointer, on: view)
    }

    /// The placeholder of the program, or `nil`.
    private var placeholder: Widget? {
        let size = properties.placeholderIconSize
        return widget(in: properties.placeholder)
            ?? properties.placeholderIconName.map { Icon($0, size: size > 0 ? Int(size) : nil).content }
    }

    private func widget(in slot: ObjectSlot) -> Widget? {
        guard let given = Widget(of: slot.pointer) else { return nil }
        let parent = gtk_widget_get_parent(given.pointer)
        if let parent, WidgetNode.of(Widget(borrowing: parent)) != nil, gtk_widget_get_parent(parent) == widget {
            // It lies over a preview.
            return WidgetNode.makeOrphan(given.body)
        }
        guard parent == nil || parent == widget, given.pointer != widget,
            gtk_widget_is_ancestor(widget, given.pointer) == 0, shim_is_a(given.pointer, gtk_root_get_type()) == 0
        else {
            shim_warning(
                "RemoteImageView: a widget for its placeholder or failure has another parent, or is around the view, "
                    + "and is not shown")
            return nil
        }
        return given
    }
}

// The modifiers of views.

import CRemoteImageGtk

extension RemoteImageView {
    /// Sets how the image is fitted into the view. Default: `.contain`. Only for the standard
    /// content, and before the widget is requested: a content closure gives its ``Picture`` a fit.
    public func contentFit(_ fit: ContentFit) -> RemoteImageView {
        changing { $0.appearance?.contentFit = fit }
    }

    /// Sets the corner radius of the image, in points. Default: 0; negative values become 0. Only
    /// for the standard content, and before the widget is requested: a content closure gives its
    /// ``Picture`` a radius.
    public func cornerRadius(_ radius: Double) -> RemoteImageView {
        changing { $0.appearance?.cornerRadius = radius }
    }

    /// Sets the priority of the load. Default: that of the options of the ancestors, else
    /// `.normal`.
    public func priority(_ priority: LoadPriority) -> RemoteImageView {
        changing { $0.image.options.priority = priority }
    }

    /// Sets the processors, which change the decoded image in this order.
    public func processors(_ processors: [any ImageProcessor]) -> RemoteImageView {
        changing { $0.image.options.processors = processors }
    }

    /// Sets the transition to the loaded image.
    public func transition(_ transition: ImageTransition) -> RemoteImageView {
        changing { $0.image.options.transition = transition }
    }

    /// Sets the pipeline that loads the image. Default: that of the nearest ancestor that has one,
    /// else `ImagePipeline.shared`.
    public func pipeline(_ pipeline: ImagePipeline) -> RemoteImageView {
        changing { $0.pipeline = pipeline }
    }

    /// Sets the description of the image for screen readers.
    public func alternativeText(_ text: String) -> RemoteImageView {
        changing {
            $0.modifiers.append(("alternative-text", { shim_set_pointer($0.pointer, "alternative-text", text) }))
        }
    }

    /// Makes screen readers ignore the image, which is only decoration.
    public func decorative() -> RemoteImageView {
        changing { $0.modifiers.append(("decorative", { shim_set_number($0.pointer, "decorative", 1) })) }
    }

    /// Plays the animation of an animated image, or pauses it at its current frame. Default: plays.
    /// `ImageOptions.playsAnimation` shows the first frame instead.
    public func playing(_ isPlaying: Bool) -> RemoteImageView {
        changing {
            $0.modifiers.append(("playing", { shim_set_number($0.pointer, "playing", isPlaying ? 1 : 0) }))
        }
    }

    /// Gives the image a context menu, with which it can be opened, saved and copied, and makes it
    /// draggable. Other programs receive the original file, which is loaded when they ask for it.
    public func contextMenu() -> RemoteImageView {
        changing {
            $0.modifiers.append(("context-menu", { RemoteImageView(of: $0.pointer)?.hasContextMenu = true }))
        }
    }

    /// Calls `action` for each image that was loaded, also from the memory cache.
    public func onSuccess(_ action: @escaping @MainActor (LoadedImage) -> Void) -> RemoteImageView {
        on("loaded", with: \.image, action)
    }

    /// Calls `action` for each load after which the view shows a failure. It is not called for a
    /// failed reload that keeps the shown image: see `NetworkImageModel.refreshError`.
    public func onFailure(_ action: @escaping @MainActor (ImageError) -> Void) -> RemoteImageView {
        on("failed", with: \.phase.error, action)
    }

    private func on<Value>(
        _ signal: String, with value: KeyPath<NetworkImageModel, Value?>, _ action: @escaping @MainActor (Value) -> Void
    ) -> RemoteImageView {
        let setting: DeclaredWidget.Setting = { node in
            let pointer = node.pointer
            node.on(signal) {
                if let value = RemoteImageView(of: pointer)?.model[keyPath: value] { action(value) }
            }
        }
        return changing { $0.modifiers.append((signal, setting)) }
    }

    /// The view with changed values; the changed widget itself, if it was made already.
    private func changing(_ change: (inout DeclaredView.Values) -> Void) -> RemoteImageView {
        var values = values
        change(&values)
        guard declared == nil else { return RemoteImageView(values) }
        let node = WidgetNode.attached(to: content)
        for modifier in values.modifiers { modifier.setting(node) }
        // The content stays that of the widget: only the image and its options have changed.
        state.show(values.image, pipeline: values.pipeline, contentIdentity: state.contentIdentity)
        return self
    }

    /// The values of the declaration, or those of the widget once it was made.
    var values: DeclaredView.Values {
        declared?.values ?? DeclaredView.Values(image: image, pipeline: state.pipeline)
    }
}

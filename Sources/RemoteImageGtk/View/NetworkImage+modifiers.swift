// The modifiers of images, beside those of every declared widget.

import CRemoteImageGtk

extension NetworkImage {
    /// Sets how the image is fitted into the view. Default: `.contain`. Only for the standard
    /// content: a content closure gives its ``Picture`` a fit.
    public func contentFit(_ fit: ContentFit) -> NetworkImage {
        styled { $0.contentFit = fit }
    }

    /// Sets the corner radius of the image, in points. Default: 0; negative values become 0. Only
    /// for the standard content: a content closure gives its ``Picture`` a radius.
    public func cornerRadius(_ radius: Double) -> NetworkImage {
        styled { $0.cornerRadius = radius }
    }

    /// Sets the priority of the load. Default: that of the options of the ancestors, else that of
    /// the options of the pipeline, else `.normal`.
    public func priority(_ priority: LoadPriority) -> NetworkImage {
        with(\.options.priority, priority)
    }

    /// Sets the processors, which change the decoded image in this order.
    public func processors(_ processors: [ImageProcessor]) -> NetworkImage {
        with(\.options.processors, processors)
    }

    /// Sets the transition to the loaded image.
    public func transition(_ transition: ImageTransition) -> NetworkImage {
        with(\.options.transition, transition)
    }

    /// Sets the pipeline that loads the image. Default: that of the nearest ancestor that has one,
    /// else `ImagePipeline.shared`.
    public func pipeline(_ pipeline: ImagePipeline) -> NetworkImage {
        with(\.pipeline, pipeline)
    }

    /// Makes screen readers ignore the image, which is only decoration.
    public func decorative() -> NetworkImage {
        modifier("decorative") { shim_set_number($0.pointer, "decorative", 1) }
    }

    /// Plays the animation of an animated image, or pauses it at its current frame. Default: plays.
    /// `ImageOptions.playsAnimation` shows the first frame instead.
    public func playing(_ isPlaying: Bool) -> NetworkImage {
        modifier("playing") { shim_set_number($0.pointer, "playing", isPlaying ? 1 : 0) }
    }

    /// Gives the image a context menu, with which it can be opened, saved and copied, and makes it
    /// draggable. Other programs receive the original file, which is loaded when they ask for it.
    public func contextMenu() -> NetworkImage {
        modifier("context-menu") { RemoteImageView(of: $0.pointer)?.hasContextMenu = true }
    }

    /// Calls `action` for each image that was loaded, also from the memory cache.
    public func onSuccess(_ action: @escaping @MainActor (LoadedImage) -> Void) -> NetworkImage {
        on("loaded", with: \.image, action)
    }

    /// Calls `action` for each load after which the view shows a failure. It is not called for a
    /// failed reload that keeps the shown image: see `NetworkImageModel.refreshError`.
    public func onFailure(_ action: @escaping @MainActor (ImageError) -> Void) -> NetworkImage {
        on("failed", with: \.phase.error, action)
    }

    private func on<Value>(
        _ signal: String, with value: KeyPath<NetworkImageModel, Value?>, _ action: @escaping @MainActor (Value) -> Void
    ) -> NetworkImage {
        modifier(signal) { node in
            let pointer = node.pointer
            node.on(signal) {
                if let value = RemoteImageView(of: pointer)?.model[keyPath: value] { action(value) }
            }
        }
    }

    private func with<Value>(_ property: WritableKeyPath<NetworkImage, Value>, _ value: Value) -> NetworkImage {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }
}

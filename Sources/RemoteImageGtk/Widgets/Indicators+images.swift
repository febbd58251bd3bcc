// Built-in widgets that show the state of a load, or a remote image.

import CRemoteImageGtk

extension ProgressBar {
    /// Creates a bar that follows a load. It shows the fraction if the length is known; otherwise
    /// it pulses with each received chunk.
    ///
    /// - Parameter state: The state of the load.
    public init(_ state: LoadingState) {
        let bar = Self.declaration("GtkProgressBar of a load").observing({ state.progress }) { node, progress in
            if let fraction = progress.fraction {
                gtk_progress_bar_set_fraction(node.opaque, fraction)
            } else if progress.completedByteCount > 0 {
                gtk_progress_bar_pulse(node.opaque)
            }
        }
        self.init(declared: bar)
    }
}

extension Icon {
    /// Creates an icon that a remote image replaces once it is loaded.
    ///
    /// - Parameters:
    ///   - name: The name of a themed icon, shown until the image is loaded and after a failure.
    ///   - size: The width and height, in points, at least 1. Default: `nil`, the normal size of
    ///     the theme.
    ///   - source: The image. It is evaluated again when an observable value that it reads has
    ///     changed.
    public init(
        _ name: String, size: Int? = nil,
        image source: @autoclosure @escaping @MainActor () -> (some ImageSourceConvertible)?
    ) {
        let icon = Self.declaration("GtkImage of \(name)", size).observing({ source()?.imageSource }) { node, source in
            let shown = Self.shown[node.pointer]
            guard shown == nil || shown?.value != source else { return }
            Self.shown[node.pointer] = Box(source)
            node.opaque.setImage(source, placeholder: .iconName(name))
        }
        self.init(declared: icon)
    }

    /// The remote image of an icon.
    private static let shown = ObjectData<Box<ImageSource?>>("remote-image-icon-source")
}

import CRemoteImageGtk

/// A `GIcon` of an image, for `GNotification`: a `GBytesIcon` with a PNG file.
///
/// ```swift
/// let icon = try await pipeline.notificationIcon(for: ImageRequest("https://example.org/ann.jpg"))
/// g_notification_set_icon(notification, icon.pointer)
/// ```
@MainActor
public struct ImageIcon {
    package let reference: ObjectReference

    init(_ file: [UInt8]) {
        let bytes = SharedBytes.make(file)
        defer { g_bytes_unref(bytes) }
        reference = ObjectReference(owned: UnsafeMutableRawPointer(g_bytes_icon_new(bytes)))
    }

    /// The `GIcon`. Valid while this value lives, and at least until the next iteration of the main
    /// loop.
    public var pointer: OpaquePointer { OpaquePointer(reference.pointer) }
}

extension ImagePipeline {
    /// Loads an image as the icon of a notification.
    ///
    /// The icon meets the rules of the [notification
    /// portal](https://flatpak.github.io/xdg-desktop-portal/docs/icons.html): it is a square PNG
    /// with sides of at most 512 pixels and less than 4 MiB. The portal rejects a notification with
    /// any other icon. Of an animation, it is the first frame.
    ///
    /// Where GIO finds neither a portal nor the notification service of GNOME, it sends
    /// notifications without icons of this kind; for such desktops make a `GFileIcon` of a
    /// ``LocalImageFile``.
    ///
    /// - Parameters:
    ///   - request: The source and the options of the image. The target size is ignored.
    ///   - side: The maximum side in pixels, 256 by default, which suffices for 64 points at scale
    ///     4; clamped to 1 to 512. Images are not enlarged.
    ///   - fit: How an image that is not square is fitted into the icon. Default: `.cover`, which
    ///     crops it; `.contain` adds transparent borders.
    @MainActor
    public func notificationIcon(
        for request: ImageRequest, side: Int = 256, fit: ContentFit = .cover
    ) async throws(ImageError) -> ImageIcon {
        let side = min(512, max(1, side))
        var request = request
        request.target = TargetSize(PixelSize(width: side, height: side), fit: fit)
        let pixels = try await image(for: request).pixels
        // No PNG of 512 × 512 pixels is much larger than its 1 MiB of pixels, so the limit of 4 MiB
        // needs no check.
        return ImageIcon(
            try await WorkerThreads.decoding.run { () throws(ImageError) in
                try pixels.square(side: side, fit: fit).encoded(as: .png)
            })
    }
}

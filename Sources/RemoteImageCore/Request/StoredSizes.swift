/// Whether resized images are stored beside their originals.
///
/// An image that is shown smaller than its file can be decoded faster the next time if the decoded
/// pixels are stored, too. With ``automatic``, the pipeline stores them after all images have
/// loaded and while the machine does not save power, if decoding the original takes at least three
/// times as long as decoding the resized image. Opaque images are stored as JPEG with at least 42
/// dB PSNR, or else without loss, as are images with alpha. An unprocessed image is stored only if
/// it has at most half the pixels of the original. Animations, responses that must not be stored,
/// and images with processors whose identity is not stable (``ImageProcessor/hasStableIdentity``)
/// are never stored resized.
///
/// A resized image belongs to the body of its response: it is used only if HTTP and the cache
/// policy allow the use of that body, and it is removed with it. Resized images occupy at most 15 %
/// of the limit of a ``DiskCache`` and are evicted before originals.
/// ``ImagePipeline/data(for:)`` always returns the original.
public enum StoredSizes: Hashable, Sendable {
    /// Resized images are stored and used.
    case automatic
    /// Resized images are neither stored nor read. An image in the memory cache may have been made
    /// from one.
    case never
}

extension ImageOptions {
    private enum StoredSizesKey: ImageOptionKey {
        static let defaultValue = StoredSizes.automatic
    }

    /// Whether resized images are stored and used: ``StoredSizes/automatic`` by default.
    public var cachesResizedImages: Bool {
        get { self[StoredSizesKey.self] }
        set { self[StoredSizesKey.self] = newValue }
    }
}

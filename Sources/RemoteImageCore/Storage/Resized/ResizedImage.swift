/// An image in the size in which it was shown, encoded and stored beside its original.
///
/// It stands for the original wherever it has the pixels that a request needs, and only as long as
/// the store has the very body that it was made of.
public struct ResizedImage: Sendable {
    /// What is known about a resized image without decoding it.
    public struct Description: Hashable, Sendable {
        /// The size in pixels.
        public var size: PixelSize
        /// The layout size in pixels that processors gave the image; `nil` if they did not change
        /// its shape.
        public var processedSize: PixelSize?
        /// A hash of the target and the processors of a processed image. Empty for an unprocessed
        /// one.
        public var processing: String
        /// The full size of the original in pixels, after its orientation is applied.
        public var originalSize: PixelSize
        /// The format of the original.
        public var originalFormat: ImageFormat

        /// Creates a description, by default of an unprocessed image.
        public init(
            size: PixelSize, processedSize: PixelSize? = nil, processing: String = "", originalSize: PixelSize,
            originalFormat: ImageFormat
        ) {
            self.size = size
            self.processedSize = processedSize
            self.processing = processing
            self.originalSize = originalSize
            self.originalFormat = originalFormat
        }

        /// Whether the image has the pixels that a request needs, and its processing or none.
        func serves(_ key: ImageKey) -> Bool {
            processing.isEmpty
                ? size.serves(key.target?.drawnSize(of: originalSize) ?? originalSize) : processing == key.processing
        }

        /// Whether one of the two images replaces the other.
        func hasPlace(of other: Description) -> Bool { processing == other.processing && step == other.step }

        /// Whether the image has at least the pixels of another one.
        func covers(_ other: Description) -> Bool {
            size.width >= other.size.width && size.height >= other.size.height
        }

        /// The step of the longest side: each step is 1.5 times the one before, from 64 pixels on.
        /// A body has at most one resized image per step and processing.
        var step: Int {
            var (step, bound) = (0, 64.0)
            while Double(size.longestSide) > bound { (step, bound) = (step + 1, bound * 1.5) }
            return step
        }
    }

    /// The facts about the image.
    public var description: Description
    /// The encoded pixels.
    public var data: [UInt8]

    /// Creates a resized image from its encoded pixels.
    public init(_ description: Description, data: [UInt8]) {
        self.description = description
        self.data = data
    }
}

/// A resized image that was delivered in place of the body of its response.
struct ResizedContent: Sendable {
    let description: ResizedImage.Description
    /// The version and the size in bytes of the body.
    let version: ContentVersion
    let byteCount: Int

    init(_ description: ResizedImage.Description, of body: StoredBody) {
        self.description = description
        version = ContentVersion(body)
        byteCount = body.byteCount
    }
}

extension ImageKey {
    /// A hash of the target and the processors, for ``ResizedImage/Description/processing``. Empty
    /// without processors, since a larger unprocessed image serves a smaller target.
    var processing: String {
        if processors.isEmpty { return "" }
        let target = target?.keyText ?? "full"
        return SHA256.name(of: "\(target)|\(processors.joinedUnambiguously)")
    }
}

extension PixelSize {
    /// Whether an image of this size has enough pixels to be drawn in another size. One pixel less
    /// per side is accepted, since decoders round.
    func serves(_ wanted: PixelSize) -> Bool { width >= wanted.width - 1 && height >= wanted.height - 1 }
}

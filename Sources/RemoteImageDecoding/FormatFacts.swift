/// What the library knows of the files of a format without decoding them.
///
/// Each format has a value in its own folder, and ``ImageFormat/facts`` lists all of them. The
/// default of a fact is that of a still image with fixed pixels.
package struct FormatFacts: Sendable {
    /// The usual file name extension, without a dot.
    package let fileExtension: String?
    /// The registered media type.
    package let mediaType: String?
    /// Whether files are drawings, which have no pixels of their own and are rendered at any size.
    package var isDrawing = false
    /// Whether files may embed an ICC profile that their decoder applies.
    package var hasColorProfile = true

    // MARK: Structure

    /// Whether a file begins with the signature of the format.
    let isOne: @Sendable (ByteReader) -> Bool
    /// Reads the header; `nil` if it is damaged or incomplete. Throws
    /// ``ImageError/Code/unsupportedFormat`` for a variant that the library does not support.
    let header: @Sendable (ByteReader) throws(ImageError) -> ImageHeader?
    /// Whether the end of the image is in the bytes; `nil` if only the decoder detects truncation.
    var reachesEnd: (@Sendable (ByteReader) -> Bool)?
    /// Whether frames may follow the end that ``reachesEnd`` finds.
    var framesMayFollowEnd = false
    /// Whether a decoder may report the first size for an image whose header has the second one.
    package var allowsSize: @Sendable (_ reported: PixelSize, _ stored: PixelSize) -> Bool = { $0 == $1 }

    // MARK: Frames

    /// The number of frames, at most `limit`.
    var frameCount: @Sendable (ByteReader, _ limit: Int) -> Int = { _, _ in 1 }
    /// At most `frameLimit` frames as files of their own; `nil` if there are fewer than two.
    var animation: @Sendable (ByteReader, _ frameLimit: Int) -> AnimationOutline? = { _, _ in nil }
    /// The canvas and the first frame of a file of which codec libraries must not get the whole;
    /// the frame is `nil` if it is damaged.
    var separateFirstFrame: @Sendable (ByteReader) -> (canvas: PixelSize, frame: AnimationFrame?)? = { _ in nil }
    /// The memory per pixel that a decoder holds between two frames that it decodes by number;
    /// `nil` if no decoder of the format does that.
    package var heldBytesPerPixel: (@Sendable ([UInt8]) -> Int)?

    // MARK: Cost

    /// The bytes of the decoded pixels that the header suggests.
    package var pixelByteCount: @Sendable (DecodeRequest) -> Int = {
        ($0.target?.drawnSize(of: $0.header.storedSize) ?? $0.header.storedSize).decodedByteCount
    }
    /// An estimate of the bytes that decoding needs, from the header alone.
    var byteCount: @Sendable (DecodeRequest) -> Int = {
        let stored = $0.header.storedSize
        return stored.decodedByteCount + ($0.target?.drawnSize(of: $0.header.size) ?? stored).decodedByteCount
    }
    /// An estimate of the bytes that decoding a file needs.
    var byteCountOfFile: @Sendable (DecodeRequest, [UInt8]) -> Int = { request, _ in request.estimatedByteCount }
    /// The nanoseconds of decoding a file with `pixels` pixels, each side scaled by `scale`; see
    /// ``DecodeTime``. 0 without measurements.
    var nanoseconds: @Sendable (_ file: [UInt8], _ pixels: Double, _ scale: Double) -> Double = { _, _, _ in 0 }
}

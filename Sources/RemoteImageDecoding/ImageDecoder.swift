// The interface between the pipeline and decoders.

/// Decodes the bytes of an image into pixels.
///
/// The pipeline calls a decoder on decode threads, several at the same time. Before that, it has
/// sniffed the format and checked the header against the limits.
///
/// A decoder returns pixels as they are stored and never applies ``ImageHeader/orientation``: the
/// pipeline does that for all decoders, also for previews. The requests of a pipeline are in stored
/// pixels: the orientation of their header is ``ImageOrientation/up``, and if the orientation swaps
/// the sides of the image, the sides of the target are swapped. The decoders of AVIF, HEIC and JPEG
/// XL apply the orientation of these formats themselves, since it is not part of
/// ``ImageHeader/orientation``.
public protocol ImageDecoder: Sendable {
    /// The value of ``ImageInfo/decoder`` for the images of this decoder: by default the name of
    /// the type. The decoders of the library have names such as `jpeg` and `pixbuf`.
    var name: String { get }

    /// The formats that this decoder can read on this machine.
    var formats: Set<ImageFormat> { get }

    /// Whether this decoder can read a format: by default, whether ``formats`` contains it. A
    /// decoder that has to load libraries for ``formats`` can answer for a single format without
    /// loading all of them.
    func decodes(_ format: ImageFormat) -> Bool

    /// Decodes the first frame, at the smallest size that is not below the target and that the
    /// decoder can produce cheaply.
    ///
    /// If the file is damaged or ends before the image does, the result is what could be decoded,
    /// with ``DecodedImage/isTruncated``. Throws ``ImageError/Code/corrupt`` if that is nothing.
    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage

    /// The header of an image in a format that the library does not know or that ``formats`` does
    /// not contain, for formats of the application. `nil`, the default, means that this decoder
    /// cannot decode the bytes.
    func header(of bytes: [UInt8]) -> ImageHeader?

    /// Tells the decoder that a load has begun whose image it may have to decode. Called often, on
    /// any thread. A decoder that needs time to start begins to do so here, without blocking. Does
    /// nothing by default.
    func prepare()

    /// Decodes a preview from the first bytes of an image. `nil`, the default, if the bytes are not
    /// enough for one.
    func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer?
}

extension ImageDecoder {
    public var name: String { String(describing: Self.self) }

    public func decodes(_ format: ImageFormat) -> Bool { formats.contains(format) }

    public func header(of bytes: [UInt8]) -> ImageHeader? { nil }

    public func prepare() {}

    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? { nil }
}

/// A decoder that may decode in another process, which is ended if it takes too long.
package protocol ConfinedDecoder: ImageDecoder {
    /// Whether images are decoded in another process now, and not in the calling one.
    var isConfined: Bool { get }

    /// Decodes several frames of an animation, whose files have the bytes of `files`, and draws
    /// them on the canvas of the cursor: by default in this process.
    ///
    /// - Returns: The frames up to the first that cannot be decoded. Throws if that is the first
    ///   frame. If the cursor is empty afterwards, the canvas is lost, and the next request has to
    ///   begin with the first frame of the animation.
    func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer]
}

extension ConfinedDecoder {
    package func frames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] { try ownFrames(request, from: files, cursor) }
}

/// The parameters of a decode.
public struct DecodeRequest: Sendable {
    /// The header of the image. In a request to a decoder, its orientation is
    /// ``ImageOrientation/up``.
    public var header: ImageHeader
    /// The target size; `nil` means full size. In a request to a decoder, it is in stored pixels,
    /// before the orientation is applied.
    public var target: TargetSize?
    /// The limits on sides, pixels, memory and frames.
    public var limits: DecodeLimits
    /// The number of the frame to decode, for an animation whose decoder returned a
    /// ``DecodedImage/timing``, and the state that the decoder keeps for the next frame. `nil`
    /// decodes the first frame and keeps nothing.
    package var frame: (number: Int, cursor: FrameCursor)?

    /// Creates a request for the first frame, by default at full size and with the default limits.
    public init(header: ImageHeader, target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()) {
        self.header = header
        self.target = target
        self.limits = limits
    }
}

/// The result of a decode.
public struct DecodedImage: Sendable {
    /// The pixels of the first frame, at least as large as the target requires.
    public var pixels: PixelBuffer
    /// The full size of the image in pixels. In the result of a decoder, it is the stored size,
    /// before the orientation is applied.
    public var size: PixelSize
    /// The number of frames of an animation; 1 for a still image.
    public var frameCount: Int
    /// The name of the decoder that made the pixels; `nil`, the default, stands for the decoder
    /// that returned this value.
    public var decoder: String?
    /// Whether a confined process made the pixels: `false` by default.
    public var isIsolated = false
    /// Whether pixels are missing, because the file is damaged or ends before them: `false` by
    /// default. Missing pixels are transparent, or come from an earlier scan or pass.
    public var isTruncated = false
    /// The delays of an animation whose frames the decoder decodes by number; `nil` for other
    /// images and for requests with a ``DecodeRequest/frame``.
    package var timing: FrameTiming?

    /// - Parameter size: The full size of the image in pixels, even if `pixels` is reduced.
    public init(pixels: PixelBuffer, size: PixelSize, frameCount: Int = 1) {
        self.pixels = pixels
        self.size = size
        self.frameCount = frameCount
    }
}

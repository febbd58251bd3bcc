// Bytes to pixels: what the pipeline asks of a decoder.

/// Makes pixels of the bytes of an image.
///
/// Called on decode threads, several at once. The pipeline has sniffed the format and checked the
/// header against the limits before.
///
/// A decoder makes pixels as they are stored, and never applies ``ImageHeader/orientation``: the
/// pipeline does that to what every decoder returns, previews included. The requests of a pipeline
/// are for stored pixels: their header has the orientation ``ImageOrientation/up``, and where the
/// image lies on its side, the sides of the target have changed places. An orientation that the
/// header does not have, as that of AVIF, HEIC and JPEG XL, is the decoder's to apply.
public protocol ImageDecoder: Sendable {
    /// What ``ImageInfo/decoder`` says of its images: the name of the type by default, `jpeg` or
    /// `pixbuf` for example for the decoders of the library.
    var name: String { get }

    /// The formats that this decoder can read on this machine.
    var formats: Set<ImageFormat> { get }

    /// Whether ``formats`` contains a format, the default. A decoder that loads libraries to know
    /// all of its formats can answer for one of them without.
    func decodes(_ format: ImageFormat) -> Bool

    /// Decodes the first frame, in the smallest size that the decoder can make cheaply and that is
    /// not smaller than wanted.
    ///
    /// Throws ``ImageError/Code/corrupt`` where the bytes cannot be read to their end.
    func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage

    /// The header of bytes that are of no format which the library knows, or that ``formats``
    /// leaves out, where this decoder can decode them: for formats of an application's own. nil,
    /// the default, is none of its.
    func header(of bytes: [UInt8]) -> ImageHeader?

    /// Called when a load begins whose image may come to this decoder, on any thread and often. A
    /// decoder that needs time to start begins so here, and does not wait. Nothing by default.
    func prepare()

    /// What can be shown of an image of which only the beginning is there; nil, the default, where
    /// that is nothing.
    func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer?
}

extension ImageDecoder {
    public var name: String { String(describing: Self.self) }

    public func decodes(_ format: ImageFormat) -> Bool { formats.contains(format) }

    public func header(of bytes: [UInt8]) -> ImageHeader? { nil }

    public func prepare() {}

    public func decodeBeginning(_ bytes: [UInt8], _ request: DecodeRequest) -> PixelBuffer? { nil }
}

/// How an image is to be decoded.
public struct DecodeRequest: Sendable {
    /// What the header of the bytes says. For a decoder, its orientation is
    /// ``ImageOrientation/up``.
    public var header: ImageHeader
    /// The pixels wanted; nil is all of them. For a decoder, they are pixels as stored, before the
    /// orientation is applied.
    public var target: TargetSize?
    /// The limits on sides, pixels, memory and frames.
    public var limits: DecodeLimits
    /// Which frame of an animation whose decoder gave a ``DecodedImage/timing`` is decoded, and
    /// what the decoder keeps until the next one. The first frame, and nothing is kept, for `nil`.
    package var frame: (number: Int, cursor: FrameCursor)?

    /// Creates a request for the first frame: for all of its pixels and with the default limits, by
    /// default.
    public init(header: ImageHeader, target: TargetSize? = nil, limits: DecodeLimits = DecodeLimits()) {
        self.header = header
        self.target = target
        self.limits = limits
    }
}

/// What a decoder made.
public struct DecodedImage: Sendable {
    /// The pixels of the first frame, at least as many as were asked for.
    public var pixels: PixelBuffer
    /// The image's own size. From a decoder, it is the size as stored, before the orientation is
    /// applied.
    public var size: PixelSize
    /// The number of frames of an animation; 1 for a still image.
    public var frameCount: Int
    /// The name of the decoder that made the pixels; `nil`, the default, for the one that was
    /// asked.
    public var decoder: String?
    /// Whether a confined process made the pixels: `false` by default.
    public var isIsolated = false
    /// For animations whose frames the decoder decodes by number; `nil` for others, and where not
    /// the first frame was wanted.
    package var timing: FrameTiming?

    /// - Parameter size: The image's own size in pixels, which reduced pixels do not have.
    public init(pixels: PixelBuffer, size: PixelSize, frameCount: Int = 1) {
        self.pixels = pixels
        self.size = size
        self.frameCount = frameCount
    }
}

/// An image of a server with the IIIF Image API 3.0, which libraries and museums use.
///
/// ```swift
/// let page = IIIFImage("https://iiif.example.org/image/3/manuscript-7")
/// let source = page.source()
/// let exact = page.source(with: try await page.info(in: pipeline))
/// ```
public struct IIIFImage: Hashable, Sendable {
    private let base: String

    /// - Parameter address: The base address of the image: server, prefix and identifier (section
    ///   2). The identifier is percent-encoded.
    public init(_ address: String) {
        base = ServiceText.base(address)
    }

    /// - Parameters:
    ///   - identifier: The identifier, not percent-encoded; its slashes are part of it.
    ///   - server: The address of the server with its prefix.
    public init(identifier: String, server: String) {
        base = "\(ServiceText.base(server))/\(ServiceText.encoded(identifier))"
    }

    /// The image in the size in which it is drawn; see
    /// ``ImageSourceConvertible/sized(identity:aspectRatio:largest:address:)``. The server must
    /// support sizes within a box (`sizeByConfinedWh`), which level 2 contains. Other servers need
    /// ``source(with:quality:format:)``.
    ///
    /// - Parameters:
    ///   - aspectRatio: Width divided by height of the image, if it is known.
    ///   - quality: The quality (section 4.4): `default`, `color`, `gray` or `bitonal`.
    ///   - format: The format (section 4.5): `jpg` by default.
    ///   - largest: The longer side of the largest size in pixels: 3693 by default.
    public func source(
        aspectRatio: Double? = nil, quality: String = "default", format: String = "jpg", largest: Int = 3_693
    ) -> ImageSource {
        let end = Self.end(quality, format)
        return .sized(identity: "\(base)/full/any/\(end)", aspectRatio: aspectRatio, largest: largest) {
            [base] pixels in
            "\(base)/full/!\(pixels),\(pixels)/\(end)"
        }
    }

    /// The image in the sizes that the server prefers or allows, with canonical addresses (section
    /// 4.7).
    ///
    /// A server of level 0 offers only the sizes in `info`; other servers, each size within its
    /// limits.
    public func source(with info: IIIFImageInfo, quality: String = "default", format: String = "jpg") -> ImageSource {
        let end = Self.end(quality, format)
        func address(_ size: PixelSize) -> String {
            let text = size == info.size ? "max" : "\(size.width),\(size.height)"
            return "\(base)/full/\(text)/\(end)"
        }
        if info.level == 0 {
            let sizes = info.sizes.contains(info.largestSize) ? info.sizes : info.sizes + [info.largestSize]
            return .candidates(
                sizes.map { size in
                    // Every server supports `max`, whatever its limits.
                    let source = size == info.largestSize ? "\(base)/full/max/\(end)" : address(size)
                    return SourceCandidate(source, size: size)
                })
        }
        let (ratio, size, largest) = (info.aspectRatio, info.size, info.largestSize)
        return .sized(
            identity: "\(base)/full/exact/\(end)", aspectRatio: ratio, largest: largest.longestSide
        ) { [base] pixels in
            guard pixels < largest.longestSide else { return "\(base)/full/max/\(end)" }
            let wanted = TargetSize.longestSide(pixels).drawnSize(of: size)
            return "\(base)/full/\(wanted.width),\(wanted.height)/\(end)"
        }
    }

    /// Loads the description of the image, `info.json`, with the headers and the limits of the
    /// pipeline. It is not stored, since a pipeline stores only images: keep the result.
    ///
    /// Throws ``ImageError/Code/protocol`` if it is damaged or contradicts itself.
    public func info(
        in pipeline: ImagePipeline, options: ImageOptions = ImageOptions()
    ) async throws(ImageError) -> IIIFImageInfo {
        let request = ImageRequest("\(base)/info.json", options: options)
        return try IIIFImageInfo(try await pipeline.data(for: request).bytes)
    }

    private static func end(_ quality: String, _ format: String) -> String {
        "0/\(ServiceText.encoded(quality)).\(ServiceText.encoded(format))"
    }
}

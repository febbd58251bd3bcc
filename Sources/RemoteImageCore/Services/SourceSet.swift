// The `srcset` attribute of HTML.

/// The images of a `srcset` attribute, as the HTML Standard parses it (section *Parsing a srcset
/// attribute*).
///
/// ```swift
/// let set = SourceSet("cat-320.jpg 320w, cat-640.jpg 640w", src: "cat.jpg")
/// let page = try WebAddress("https://example.org/cats/")
/// let cat = set.imageSource(relativeTo: page)
/// ```
public struct SourceSet: Hashable, Sendable {
    /// The size of an image in the set.
    package enum Descriptor: Hashable, Sendable {
        /// The width in pixels, such as `640w`.
        case width(Int)
        /// Pixels per point, such as `2x`; 1 if there is none.
        case density(Double)
    }

    /// An image of the set.
    package struct Candidate: Hashable, Sendable {
        /// The address as it is written, perhaps a relative one.
        package let address: String
        /// The size of the image.
        package let descriptor: Descriptor
    }

    /// The first 1,000 valid images in the order of the text, then `src` if it counts.
    package let candidates: [Candidate]

    /// Parses an attribute. Images with invalid descriptors are left out.
    ///
    /// - Parameters:
    ///   - text: The value of `srcset`.
    ///   - src: The value of `src`, which counts as `1x` if `text` has neither that nor a width.
    public init(_ text: String, src: String? = nil) {
        var parser = SourceSetParser(text)
        var found: [Candidate] = []
        while found.count < Self.maxCount, let candidate = parser.next() { found.append(candidate) }
        let isComplete = found.contains { candidate in
            switch candidate.descriptor {
            case .width: true
            case .density(let density): density == 1
            }
        }
        if let src, !src.isEmpty, !isComplete { found.append(Candidate(address: src, descriptor: .density(1))) }
        candidates = found
    }

    private static let maxCount = 1_000

    /// A source for this set: the pixels that are drawn determine which image is loaded; see
    /// ``ImageSourceConvertible/candidates(_:)``. Relative addresses without a base are left out.
    /// Without any image, loads fail.
    ///
    /// - Parameters:
    ///   - base: The address of the document, to which relative addresses refer.
    ///   - layoutWidth: The width of a `1x` image in points, such as the result of
    ///     ``SourceSizes/width(inViewportOfWidth:height:)``: 320 by default. Applies to densities
    ///     only.
    ///   - aspectRatio: Width divided by height of the images: 1.5 by default.
    public func imageSource(
        relativeTo base: WebAddress? = nil, layoutWidth: Double = 320, aspectRatio: Double = 1.5
    ) -> ImageSource {
        let ratio = (0.001...1000).contains(aspectRatio) ? aspectRatio : 1.5
        let layoutWidth = layoutWidth.isFinite ? max(1, layoutWidth) : 320
        var widths: Set<Int> = []
        let candidates: [SourceCandidate] = candidates.compactMap { candidate in
            let width =
                switch candidate.descriptor {
                case .width(let width): Double(width)
                case .density(let density): density * layoutWidth
                }
            guard let source = Self.source(candidate.address, relativeTo: base), width.isFinite, width > 0 else {
                return nil
            }
            // Of equal sizes, the standard takes the first.
            let pixels = Int(min(max(1, width.rounded()), 1_000_000))
            guard widths.insert(pixels).inserted else { return nil }
            let height = max(1, (Double(pixels) / ratio).rounded())
            return SourceCandidate(source, size: PixelSize(width: pixels, height: Int(height)))
        }
        return .candidates(candidates)
    }

    private static func source(_ text: String, relativeTo base: WebAddress?) -> ImageSource? {
        if DataAddress.isOne(AddressText.trimmed(text)) { return ImageSource(text) }
        guard let base else { return (try? WebAddress(text)).map { ImageSource($0) } }
        return (try? AddressParser.resolve(Array(text.utf8), against: base)).map { ImageSource($0) }
    }
}

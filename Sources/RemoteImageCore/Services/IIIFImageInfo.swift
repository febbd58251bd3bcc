/// The description of an image of the IIIF Image API 3.0 (section 5).
///
/// Only the sizes of the description are used. Its `id` is ignored, so that a description cannot
/// redirect requests and their credentials to another server.
public struct IIIFImageInfo: Hashable, Sendable {
    /// The size of the image.
    public let size: PixelSize
    /// The preferred sizes, in ascending order.
    public let sizes: [PixelSize]
    /// The factors by which tiles are reduced, in ascending order.
    public let scaleFactors: [Int]
    /// The compliance level, 0 to 2; 0 if it is unknown.
    public let level: Int
    /// The size of the largest image that the server returns: that of `max`.
    public let largestSize: PixelSize

    /// Width divided by height.
    public var aspectRatio: Double { Double(size.width) / Double(size.height) }

    /// Reads `info.json`.
    ///
    /// Throws ``ImageError/Code/protocol``, with the reason, if it is not JSON, larger than 1 MiB,
    /// nested deeper than 32 levels, not of this API, or if a size is missing, no positive integer,
    /// larger than the image, or of another shape.
    ///
    /// - Parameter text: The text in UTF-8.
    public init(_ text: [UInt8]) throws(ImageError) {
        let json = try JSONValue(text)
        guard case .object = json else { throw Self.invalid("it is no object") }
        guard json["protocol"] == .string("http://iiif.io/api/image") else {
            throw Self.invalid("protocol is not http://iiif.io/api/image")
        }
        size = PixelSize(width: try Self.integer("width", in: json), height: try Self.integer("height", in: json))
        level =
            switch json["profile"] {
            case .string("level1"): 1
            case .string("level2"): 2
            default: 0
            }
        sizes = try Self.sizes(in: json, of: size)
        scaleFactors = try Self.scaleFactors(in: json)
        largestSize = try Self.largestSize(in: json, of: size)
    }

    private static let maxCount = 1_000

    private static func invalid(_ reason: String) -> ImageError { ImageError(.protocol, "info.json: \(reason)") }

    private static func integer(_ name: String, in json: JSONValue) throws(ImageError) -> Int {
        guard let value = json[name]?.positiveInteger else { throw invalid("\(name) is no positive integer") }
        return value
    }

    /// The elements of an optional array.
    private static func array(_ name: String, in json: JSONValue) throws(ImageError) -> [JSONValue] {
        guard let value = json[name] else { return [] }
        guard case .array(let elements) = value else { throw invalid("\(name) is no array") }
        guard elements.count <= maxCount else { throw invalid("\(name) has more than \(maxCount) elements") }
        return elements
    }

    private static func sizes(in json: JSONValue, of size: PixelSize) throws(ImageError) -> [PixelSize] {
        var sizes: Set<PixelSize> = []
        for element in try array("sizes", in: json) {
            let found = PixelSize(
                width: try integer("width", in: element), height: try integer("height", in: element))
            guard found.width <= size.width, found.height <= size.height else {
                throw invalid("the size \(found) is larger than the image, \(size)")
            }
            // Servers round each side up or down, so a pixel more or less is no other shape.
            let expected = Double(found.width) * Double(size.height) / Double(size.width)
            let tolerance = 1 + Double(size.height) / Double(size.width)
            guard abs(Double(found.height) - expected) <= tolerance else {
                throw invalid("the size \(found) has another shape than the image, \(size)")
            }
            sizes.insert(found)
        }
        return sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
    }

    private static func scaleFactors(in json: JSONValue) throws(ImageError) -> [Int] {
        var factors: Set<Int> = []
        for tile in try array("tiles", in: json) {
            _ = try integer("width", in: tile)
            for factor in try array("scaleFactors", in: tile) {
                guard let factor = factor.positiveInteger else {
                    throw invalid("a scale factor is no positive integer")
                }
                factors.insert(factor)
            }
        }
        return factors.sorted()
    }

    /// The size of the image within `maxWidth`, `maxHeight` and `maxArea` (section 5.3).
    private static func largestSize(in json: JSONValue, of size: PixelSize) throws(ImageError) -> PixelSize {
        guard json["maxHeight"] == nil || json["maxWidth"] != nil else {
            throw invalid("maxHeight without maxWidth")
        }
        var scale = 1.0
        if json["maxWidth"] != nil {
            let maxWidth = try integer("maxWidth", in: json)
            let maxHeight = json["maxHeight"] == nil ? maxWidth : try integer("maxHeight", in: json)
            scale = min(
                scale, Double(maxWidth) / Double(size.width), Double(maxHeight) / Double(size.height))
        }
        if json["maxArea"] != nil {
            let area = Double(try integer("maxArea", in: json))
            scale = min(scale, (area / (Double(size.width) * Double(size.height))).squareRoot())
        }
        return PixelSize(
            width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
    }
}

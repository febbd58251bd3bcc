import RemoteImage
import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// Decodes every format and colour type at full and at reduced size, and compares the pixels with
/// those that were encoded.
@Suite struct GoldenImageTests {
    /// The pixels of a file, as straight RGBA.
    enum Scene: Sendable {
        case colours, gray, ink, palette
        case transparentColours, transparentGray, transparentPalette

        func pixel(_ x: Int, _ y: Int) -> [Int] {
            let (width, height) = (GoldenImage.size.width, GoldenImage.size.height)
            let colours = [x * 255 / (width - 1), y * 255 / (height - 1), (x + y) * 255 / (width + height - 2)]
            let gray = (colours[0] + colours[1]) / 2
            let index = x / 12 + 4 * (y / 8)
            let entry = [index * 16, 255 - index * 16, index * 53 % 256]
            return switch self {
            case .colours: colours + [255]
            case .gray: [gray, gray, gray, 255]
            // Cyan, magenta and yellow are the colours' complements; black darkens the rest.
            case .ink: colours.map { $0 * (255 - 2 * x) / 255 } + [255]
            case .palette: entry + [255]
            case .transparentColours: colours + [255 - 4 * x]
            case .transparentGray: [gray, gray, gray, 255 - 4 * x]
            case .transparentPalette: entry + [index * 17]
            }
        }

        var isOpaque: Bool { [.colours, .gray, .ink, .palette].contains(self) }

        /// The premultiplied mean of `side` × `side` pixels at `x`, `y`, in `channels` channels.
        func mean(_ x: Int, _ y: Int, side: Int, channels: Int) -> [Double] {
            var sums = [Double](repeating: 0, count: 4)
            for row in y..<(y + side) {
                for column in x..<(x + side) {
                    let pixel = pixel(column, row)
                    for channel in 0..<3 {
                        sums[channel] += Double((pixel[channel] * pixel[3] * 2 + 255) / 510)
                    }
                    sums[3] += Double(pixel[3])
                }
            }
            return sums[..<channels].map { $0 / Double(side * side) }
        }
    }

    struct Golden: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let scene: Scene
        /// The largest allowed difference of a channel; 0 for a lossless format.
        var tolerance = 0.0
        /// The same at half size, including the rounding of the mean.
        var reducedTolerance = 1.0
    }

    static let goldens = [
        // Quality 95: 4 of 255 in a smooth image, more with subsampled colour. Half size, which the
        // DCT scales, differs from a plain mean.
        Golden(testDescription: "JPEG", bytes: GoldenImage.jpeg, scene: .colours, tolerance: 4, reducedTolerance: 5),
        Golden(
            testDescription: "subsampled JPEG", bytes: GoldenImage.subsampledJPEG, scene: .colours, tolerance: 10,
            reducedTolerance: 10),
        Golden(
            testDescription: "progressive JPEG", bytes: GoldenImage.progressiveJPEG, scene: .colours, tolerance: 4,
            reducedTolerance: 5),
        Golden(
            testDescription: "gray JPEG", bytes: GoldenImage.grayJPEG, scene: .gray, tolerance: 3,
            reducedTolerance: 4),
        Golden(
            testDescription: "CMYK JPEG", bytes: GoldenImage.cmykJPEG, scene: .ink, tolerance: 6,
            reducedTolerance: 6),
        Golden(
            testDescription: "YCCK JPEG", bytes: GoldenImage.ycckJPEG, scene: .ink, tolerance: 6,
            reducedTolerance: 6),
        Golden(testDescription: "PNG", bytes: GoldenImage.rgbPNG, scene: .colours),
        Golden(testDescription: "interlaced PNG", bytes: GoldenImage.interlacedPNG, scene: .colours),
        // Its samples are 256 times the scene's values plus a quarter. GdkPixbuf truncates them,
        // and libpng rounds them.
        Golden(
            testDescription: "PNG of 16 bits", bytes: GoldenImage.deepPNG, scene: .colours, tolerance: 1,
            reducedTolerance: 2),
        Golden(testDescription: "PNG with alpha", bytes: GoldenImage.rgbaPNG, scene: .transparentColours),
        Golden(
            testDescription: "interlaced PNG of 16 bits with alpha", bytes: GoldenImage.deepAlphaPNG,
            scene: .transparentColours, tolerance: 2, reducedTolerance: 2),
        Golden(testDescription: "gray PNG", bytes: GoldenImage.grayPNG, scene: .gray),
        Golden(
            testDescription: "gray PNG of 16 bits", bytes: GoldenImage.deepGrayPNG, scene: .gray, tolerance: 1,
            reducedTolerance: 2),
        Golden(testDescription: "gray PNG with alpha", bytes: GoldenImage.grayAlphaPNG, scene: .transparentGray),
        Golden(testDescription: "palette PNG", bytes: GoldenImage.palettePNG, scene: .palette),
        Golden(
            testDescription: "transparent palette PNG", bytes: GoldenImage.transparentPalettePNG,
            scene: .transparentPalette),
        Golden(testDescription: "GIF", bytes: GoldenImage.gif, scene: .palette),
        Golden(
            testDescription: "lossy WebP", bytes: GoldenImage.lossyWebP, scene: .colours, tolerance: 12,
            reducedTolerance: 10),
        Golden(testDescription: "lossless WebP", bytes: GoldenImage.losslessWebP, scene: .colours),
        Golden(testDescription: "WebP with alpha", bytes: GoldenImage.alphaWebP, scene: .transparentColours),
        // Quality 90.
        Golden(
            testDescription: "AVIF", bytes: GoldenImage.avif, scene: .colours, tolerance: 4, reducedTolerance: 4),
        Golden(
            testDescription: "AVIF with alpha", bytes: GoldenImage.alphaAVIF, scene: .transparentColours,
            tolerance: 4, reducedTolerance: 3),
        Golden(testDescription: "JPEG XL", bytes: JXLFile.lossless, scene: .colours),
        // Distance 0.3; dark colours differ by up to 9 in red.
        Golden(
            testDescription: "lossy JPEG XL", bytes: JXLFile.lossy, scene: .colours, tolerance: 10, reducedTolerance: 9),
        Golden(testDescription: "JPEG XL of 16 bits", bytes: JXLFile.deep, scene: .colours),
        Golden(testDescription: "gray JPEG XL", bytes: JXLFile.gray, scene: .gray),
        Golden(testDescription: "JPEG XL with alpha", bytes: JXLFile.alpha, scene: .transparentColours),
        Golden(testDescription: "gray JPEG XL with alpha", bytes: JXLFile.grayAlpha, scene: .transparentGray),
        Golden(testDescription: "SVG", bytes: squares, scene: .palette),
    ].filter { golden in
        // Some loaders may not be installed.
        (try? ImageHeader.read(golden.bytes)).map { decoder.formats.contains($0.format) } ?? true
    }

    private static let decoder = DecoderRegistry([SVGDecoder()] + .standard())

    /// The decoders that decode an image.
    enum Way: CaseIterable {
        /// The format's own decoder where it exists.
        case standard
        /// GdkPixbuf, the fallback for a missing codec library.
        case pixbuf
    }

    /// An SVG with a rectangle for each of the sixteen palette entries.
    private static var squares: [UInt8] {
        let rectangles = (0..<16).map { index in
            let (x, y) = (index % 4 * 12, index / 4 * 8)
            let colour = Scene.palette.pixel(x, y).prefix(3).map(String.init).joined(separator: ",")
            return "<rect x='\(x)' y='\(y)' width='12' height='8' fill='rgb(\(colour))'/>"
        }
        return Array(
            "<svg xmlns='http://www.w3.org/2000/svg' width='48' height='32'>\(rectangles.joined())</svg>".utf8)
    }

    private static let standard = DecoderRegistry(.standard(allowsSVG: true))

    private func decode(
        _ bytes: [UInt8], _ target: TargetSize? = nil, by way: Way = .standard
    ) throws -> DecodedImage {
        let request = DecodeRequest(header: try ImageHeader.read(bytes), target: target)
        return switch way {
        case .standard: try Self.standard.decoder(for: bytes).0.decode(bytes, request)
        case .pixbuf: try Self.decoder.decoder(for: bytes).0.decode(bytes, request)
        }
    }

    /// The largest difference between a channel and `expected`.
    private func difference(_ pixels: PixelBuffer, _ expected: (Int, Int) -> [Double]) -> Double {
        var worst = 0.0
        for y in 0..<pixels.size.height {
            for x in 0..<pixels.size.width {
                for (found, wanted) in zip(pixels.pixel(x, y), expected(x, y)) {
                    worst = max(worst, abs(Double(found) - wanted))
                }
            }
        }
        return worst
    }

    @Test(arguments: goldens, Way.allCases)
    func `each colour type is decoded correctly at full size`(golden: Golden, way: Way) throws {
        let image = try decode(golden.bytes, by: way)
        #expect(image.pixels.size == GoldenImage.size)
        #expect(image.pixels.format == (golden.scene.isOpaque ? .rgb8 : .rgba8Premultiplied))
        let channels = image.pixels.format.bytesPerPixel
        let worst = difference(image.pixels) { golden.scene.mean($0, $1, side: 1, channels: channels) }
        #expect(worst <= golden.tolerance)
    }

    @Test(arguments: goldens, Way.allCases)
    func `each colour type is decoded correctly at half size`(golden: Golden, way: Way) throws {
        let image = try decode(golden.bytes, .longestSide(24), by: way)
        #expect(image.size == GoldenImage.size)
        #expect(image.pixels.size == PixelSize(width: 24, height: 16))
        let channels = image.pixels.format.bytesPerPixel
        let worst = difference(image.pixels) { golden.scene.mean($0 * 2, $1 * 2, side: 2, channels: channels) }
        #expect(worst <= golden.reducedTolerance)
    }

    // MARK: Orientation

    @Test(arguments: ImageOrientation.allCases, [1, 2, 4])
    func `the orientation of a JPEG is applied once at any target size`(
        orientation: ImageOrientation, reduction: Int
    ) throws {
        let bytes = ExifBlock.insert(
            orientation: UInt16(orientation.rawValue), isLittleEndian: false, into: GoldenImage.jpeg)
        let size = PixelSize(width: 48 / reduction, height: 32 / reduction)
        let image = try decode(bytes, .longestSide(size.width))
        #expect(image.pixels.size == (orientation.swapsSides ? size.transposed : size))
        #expect(image.size == (orientation.swapsSides ? GoldenImage.size.transposed : GoldenImage.size))
        let worst = difference(image.pixels) { x, y in
            let (column, row) = orientation.storedPosition(x, y, in: size)
            return Scene.colours.mean(column * reduction, row * reduction, side: reduction, channels: 3)
        }
        #expect(worst <= (reduction == 1 ? 4 : 8))
    }

    @Test(arguments: ImageOrientation.allCases, [1, 2, 4])
    func `the orientation of a PNG with alpha is applied once at any target size`(
        orientation: ImageOrientation, reduction: Int
    ) throws {
        let png = GoldenImage.rgbaPNG
        let block = ExifBlock.tiff(orientation: UInt16(orientation.rawValue), isLittleEndian: false)
        // After the signature and the header.
        let oriented = Array(png[..<33]) + PNGChunk.make("eXIf", block) + Array(png[33...])
        let size = PixelSize(width: 48 / reduction, height: 32 / reduction)
        let image = try decode(oriented, .longestSide(size.width))
        #expect(image.pixels.size == (orientation.swapsSides ? size.transposed : size))
        #expect(image.size == (orientation.swapsSides ? GoldenImage.size.transposed : GoldenImage.size))
        let worst = difference(image.pixels) { x, y in
            let (column, row) = orientation.storedPosition(x, y, in: size)
            return Scene.transparentColours.mean(column * reduction, row * reduction, side: reduction, channels: 4)
        }
        #expect(worst <= (reduction == 1 ? 0 : 1))
    }
}

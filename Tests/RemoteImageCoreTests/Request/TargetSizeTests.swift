import Testing

@testable import RemoteImageCore

/// The size in pixels at which an image is drawn.
@Suite struct TargetSizeTests {
    private let box = PixelSize(width: 100, height: 50)

    @Test func `an image is scaled to its box and keeps its aspect ratio`() {
        let image = PixelSize(width: 400, height: 400)
        #expect(TargetSize(box).drawnSize(of: image) == PixelSize(width: 50, height: 50))
        #expect(TargetSize(box, fit: .cover).drawnSize(of: image) == PixelSize(width: 100, height: 100))
    }

    @Test func `a raster image is never enlarged, and a vector image may be`() {
        let image = PixelSize(width: 10, height: 10)
        #expect(TargetSize(box).drawnSize(of: image) == image)
        #expect(TargetSize(box).fittedSize(of: image) == PixelSize(width: 50, height: 50))
    }

    @Test func `each side is at least one pixel and, for a vector image, at most 16,384`() {
        let line = PixelSize(width: 1, height: 100_000)
        #expect(TargetSize(box).drawnSize(of: line) == PixelSize(width: 1, height: 50))
        #expect(TargetSize(box, fit: .cover).fittedSize(of: line).height == 16_384)
        #expect(TargetSize(PixelSize(width: 0, height: -3)).box == PixelSize(width: 1, height: 1))
    }

    @Test func `an image of exactly the target size covers its target`() {
        #expect(TargetSize(box).isCovered(by: box))
        #expect(!TargetSize(box).isCovered(by: PixelSize(width: 99, height: 49)))
        #expect(TargetSize(box).isCovered(by: PixelSize(width: 99, height: 50)), "it touches the box on one side")
        #expect(!TargetSize(box, fit: .cover).isCovered(by: PixelSize(width: 99, height: 50)))
    }

    @Test func `the option maxPixelSize bounds the sides of an image and keeps its aspect ratio`() {
        var options = ImageOptions()
        options.maxPixelSize = 64
        let target = TargetSize(PixelSize(width: 640, height: 420))
        let drawn = options.bounding(target)?.drawnSize(of: PixelSize(width: 320, height: 240))
        #expect(drawn == PixelSize(width: 64, height: 48))
    }

    @Test(arguments: [(500, 50), (51, 50), (50, 50), (40, 40), (nil, 50)] as [(Int?, Int)])
    func `the option maxPixelSize bounds the target of a request`(side: Int?, bounded: Int) {
        var options = ImageOptions()
        options.maxPixelSize = 50
        #expect(options.bounding(side.map(TargetSize.longestSide))?.box == PixelSize(width: bounded, height: bounded))
    }

    /// The product of both sides used to overflow.
    @Test func `the option maxPixelSize bounds a box of any size`() {
        var options = ImageOptions()
        options.maxPixelSize = 50
        let box = PixelSize(width: .max, height: .max)
        let bounded = options.bounding(TargetSize(box, fit: .cover))
        #expect(bounded?.box == PixelSize(width: 50, height: 50))
        #expect(bounded?.fit == .cover)
    }

    /// An elongated image that covers a box exceeds the box.
    @Test func `the option maxPixelSize bounds an image that covers its box`() throws {
        let bounded = try #require(ImageOptions(maxPixelSize: 150).bounding(TargetSize(box, fit: .cover)))
        let (wide, square) = (PixelSize(width: 800, height: 100), PixelSize(width: 800, height: 800))
        #expect(bounded.drawnSize(of: wide) == PixelSize(width: 150, height: 19))
        #expect(bounded.fittedSize(of: wide) == PixelSize(width: 150, height: 19))
        #expect(bounded.drawnSize(of: square) == PixelSize(width: 100, height: 100))
        #expect(bounded.transposed.drawnSize(of: wide) == bounded.drawnSize(of: wide))
        #expect(bounded.withoutMaximum(for: wide) == .longestSide(150))
        #expect(bounded.withoutMaximum(for: square) == TargetSize(box, fit: .cover))
    }

    @Test(arguments: [
        (300, 100, ContentFit.cover, 60, 20), (100, 300, .cover, 13, 40), (61, 40, .cover, 60, 39),
        (60, 41, .cover, 58, 40), (60, 40, .cover, 60, 40), (50, 30, .cover, 50, 30), (300, 30, .contain, 60, 30),
        (50, 100, .contain, 50, 40), (60, 40, .contain, 60, 40), (7, 5, .contain, 7, 5),
    ])
    func `the option maxPixelSize bounds each side of a box by its own limit`(
        width: Int, height: Int, fit: ContentFit, boundedWidth: Int, boundedHeight: Int
    ) {
        let limit = PixelSize(width: 60, height: 40)
        let bounded = ImageOptions(maxPixelSize: limit).bounding(
            TargetSize(PixelSize(width: width, height: height), fit: fit))
        #expect(bounded?.box == PixelSize(width: boundedWidth, height: boundedHeight))
        #expect(bounded?.fit == fit)
        #expect(bounded?.drawnSize(of: PixelSize(width: 6000, height: 1)).width ?? 0 <= 60)
    }

    @Test func `the option maxPixelSize takes a size`() throws {
        let options = ImageOptions(maxPixelSize: PixelSize(width: 60, height: 40))
        let (wide, high) = (PixelSize(width: 600, height: 100), PixelSize(width: 100, height: 400))
        let whole = try #require(options.bounding(nil))
        #expect(whole.drawnSize(of: wide) == PixelSize(width: 60, height: 10))
        #expect(whole.drawnSize(of: high) == PixelSize(width: 10, height: 40))
        let bounded = try #require(options.bounding(TargetSize(300, fit: .cover)))
        #expect(bounded.box == 40)
        #expect(bounded.drawnSize(of: wide) == PixelSize(width: 60, height: 10))
        #expect(bounded.transposed.drawnSize(of: wide.transposed) == PixelSize(width: 10, height: 60))
        #expect(
            ImageOptions(maxPixelSize: PixelSize(width: 0, height: 7)).maxPixelSize == PixelSize(width: 1, height: 7))
    }
}

import RemoteImageTestSupport
import Testing

@testable import RemoteImageCore

/// An image of pixels that a function gives.
private func image(
    _ width: Int, _ height: Int, _ format: PixelFormat = .rgb8, _ pixel: (Int, Int) -> [UInt8]
) -> PixelBuffer {
    PixelBuffer(size: PixelSize(width: width, height: height), format: format) { memory in
        var index = 0
        for y in 0..<height {
            for x in 0..<width {
                for value in pixel(x, y).prefix(format.bytesPerPixel) {
                    memory[index] = value
                    index += 1
                }
            }
        }
    }
}

/// An image whose pixels tell their place: twice the column and twice the row.
private func places(_ width: Int, _ height: Int, _ format: PixelFormat = .rgb8) -> PixelBuffer {
    image(width, height, format) { x, y in [UInt8(2 * x), UInt8(2 * y), 9, 255] }
}

extension PixelBuffer {
    /// The rows of one channel.
    fileprivate func channel(_ channel: Int) -> [[UInt8]] {
        (0..<size.height).map { y in (0..<size.width).map { pixel($0, y)[channel] } }
    }
}

@Suite struct ExactResizeTests {
    /// Centers of new pixels lie at -1/4, 1/4, 3/4 and so on of old ones; outside, the edge is
    /// repeated.
    @Test(arguments: [PixelFormat.rgb8, .rgba8Premultiplied])
    func `an enlarged image is interpolated between the centers of its pixels`(format: PixelFormat) throws {
        let small = image(2, 3, format) { x, y in
            [UInt8(40 * x + 60 * y), UInt8(100 - 40 * x), UInt8(200 - 60 * y), 255]
        }
        let size = PixelSize(width: 4, height: 6)
        let large = try ImageProcessor.resize(to: size, fit: .fill, enlarges: true).process(small)
        #expect(large.size == size && large.format == format)
        let across: [UInt8] = [0, 10, 30, 40]
        let down: [UInt8] = [0, 15, 45, 75, 105, 120]
        #expect(large.channel(0) == down.map { y in across.map { $0 + y } })
        #expect(large.channel(1) == down.map { _ in across.map { 100 - $0 } })
        #expect(large.channel(2) == down.map { y in across.map { _ in 200 - y } })
        if format == .rgba8Premultiplied { #expect(large.channel(3).joined().allSatisfy { $0 == 255 }) }
    }

    @Test func `one side may grow while the other one shrinks`() throws {
        let old = image(2, 4) { x, y in [UInt8(40 * x + 20 * y), 0, 0] }
        let size = PixelSize(width: 4, height: 2)
        let new = try ImageProcessor.resize(to: size, fit: .fill, enlarges: true).process(old)
        #expect(new.channel(0) == [[10, 20, 40, 50], [50, 60, 80, 90]])
    }

    @Test(
        arguments: [
            // The size, the box, the fit, whether it enlarges, and the result.
            ((400, 200), (100, 30), ContentFit.contain, false, (60, 30)),
            ((200, 400), (30, 100), .contain, false, (30, 60)), ((400, 200), (100, 30), .fill, false, (100, 30)),
            ((400, 200), (800, 100), .fill, false, (400, 100)), ((400, 200), (100, 300), .fill, false, (100, 200)),
            ((400, 200), (800, 100), .fill, true, (800, 100)), ((40, 20), (60, 90), .contain, true, (60, 30)),
            ((40, 20), (60, 90), .scaleDown, true, (40, 20)), ((40, 20), (30, 90), .scaleDown, true, (30, 15)),
            ((40, 20), (10, 30), .cover, false, (10, 20)), ((20, 40), (30, 10), .cover, false, (20, 10)),
            ((40, 20), (10, 30), .cover, true, (10, 30)), ((40, 20), (80, 10), .cover, false, (40, 10)),
            ((100, 75), (1920, 1080), .cover, true, (1920, 1080)), ((16, 16), (100, 64), .cover, true, (100, 64)),
            ((7, 3), (440, 300), .cover, true, (440, 300)), ((2, 2), (100, 60), .cover, true, (100, 60)),
            ((1, 1), (1000, 10), .cover, true, (1000, 10)), ((3, 2), (10, 7), .cover, true, (10, 7)),
            ((1000, 2), (10, 10), .contain, false, (10, 1)), ((2, 1000), (10, 10), .contain, false, (1, 10)),
        ] as [((Int, Int), (Int, Int), ContentFit, Bool, (Int, Int))])
    func `each fit has its size`(
        own: (Int, Int), box: (Int, Int), fit: ContentFit, enlarges: Bool, expected: (Int, Int)
    ) throws {
        let processor = ImageProcessor.resize(
            to: PixelSize(width: box.0, height: box.1), fit: fit, enlarges: enlarges)
        let resized = try processor.process(image(own.0, own.1) { _, _ in [1, 2, 3] })
        #expect(resized.size == PixelSize(width: expected.0, height: expected.1))
    }

    @Test(
        arguments: [
            // The size, the box, and the first and the last pixel of the result.
            ((40, 20), (10, 10), [21, 1, 9], [57, 37, 9]), ((20, 40), (10, 10), [1, 21, 9], [37, 57, 9]),
            ((41, 20), (10, 20), [30, 0, 9], [48, 38, 9]), ((20, 41), (20, 10), [0, 30, 9], [38, 48, 9]),
        ] as [((Int, Int), (Int, Int), [UInt8], [UInt8])])
    func `covering shows the middle of the image`(
        own: (Int, Int), box: (Int, Int), first: [UInt8], last: [UInt8]
    ) throws {
        let covered = try ImageProcessor.resize(to: PixelSize(width: box.0, height: box.1), fit: .cover)
            .process(places(own.0, own.1))
        #expect(covered.size == PixelSize(width: box.0, height: box.1))
        #expect(covered.pixel(0, 0) == first)
        #expect(covered.pixel(box.0 - 1, box.1 - 1) == last)
    }

    /// The height used to be that of whole pixels of the image, 50.
    @Test func `an enlarged image that covers keeps its proportions`() throws {
        let old = image(2, 2) { x, y in [x == 0 ? 0 : 200, y == 0 ? 0 : 200, 0] }
        let new = try ImageProcessor.resize(to: PixelSize(width: 100, height: 60), fit: .cover, enlarges: true)
            .process(old)
        let square = try ImageProcessor.resize(to: PixelSize(width: 100, height: 100), fit: .fill, enlarges: true)
            .process(old)
        for y in 0..<60 { #expect(new.pixel(30, y) == square.pixel(30, y + 20), "\(y)") }
    }

    /// Images that are kept on disk are found by these names.
    @Test func `the identities of the library's processors are stable`() {
        let size = PixelSize(width: 3, height: 4)
        let color = ImageColor(red: 1, green: 16, blue: 255, alpha: 10)
        let border = ImageBorder(width: -2, color: color)
        let processors: [(ImageProcessor, String)] = [
            (.resize(to: size), "resize(3x4,contain)"),
            (.resize(to: size, fit: .cover, enlarges: true), "resize(3x4,cover,enlarges)"),
            (.resize(to: size, fit: .scaleDown, enlarges: true), "resize(3x4,contain)"),
            (.resize(to: PixelSize(width: 0, height: -1), fit: .fill), "resize(1x1,fill)"),
            (.crop(to: size), "crop(3x4,center)"), (.crop(to: size, anchor: .bottomLeft), "crop(3x4,bottomLeft)"),
            (.crop(x: 1, y: -2, size: size), "crop(1,-2,3x4)"), (.circle(), "circle()"),
            (.circle(border: border), "circle(0.0,#0110ff0a)"), (.roundedCorners(radius: -3), "roundedCorners(0.0)"),
            (.roundedCorners(radius: 2.5, border: border), "roundedCorners(2.5,0.0,#0110ff0a)"),
            (.border(width: 1.5, color: .white), "roundedCorners(0.0,1.5,#ffffffff)"),
            (.border(width: 1, color: .black), "roundedCorners(0.0,1.0,#000000ff)"),
            (.gaussianBlur(sigma: -1), "gaussianBlur(0.0)"), (.gaussianBlur(sigma: 2000), "gaussianBlur(1000.0)"),
            (.gaussianBlur(sigma: 3), "gaussianBlur(3.0)"), (.tint(color), "tint(#0110ff0a)"),
            (.grayscale, "grayscale"), (.composition([.grayscale, .circle()]), "composition(9 grayscale|8 circle())"),
        ]
        for (processor, identity) in processors {
            #expect(processor.identity == identity)
            #expect(processor.hasStableIdentity)
        }
    }

    @Test func `an own processor is stable only if the program says so, alone and in a composition`() {
        let own = ImageProcessor(identity: "own") { $0 }
        let stable = ImageProcessor(identity: "stable", hasStableIdentity: true) { $0 }
        #expect(!own.hasStableIdentity && stable.hasStableIdentity)
        #expect(ImageProcessor.composition([stable, .grayscale]).hasStableIdentity)
        #expect(!ImageProcessor.composition([stable, own]).hasStableIdentity)
        #expect(!ImageProcessor.composition([own, stable]).hasStableIdentity)
    }
}

@Suite struct ExactCropTests {
    @Test(arguments: [
        (ImageProcessor.Anchor.topLeft, 0, 0), (.top, 1, 0), (.topRight, 3, 0), (.left, 0, 2), (.center, 1, 2),
        (.right, 3, 2), (.bottomLeft, 0, 4), (.bottom, 1, 4), (.bottomRight, 3, 4),
    ])
    func `an anchor decides which pixels stay`(anchor: ImageProcessor.Anchor, x: Int, y: Int) throws {
        let cut = try ImageProcessor.crop(to: PixelSize(width: 4, height: 2), anchor: anchor).process(places(7, 6))
        #expect(cut.channel(0) == (0..<2).map { _ in (0..<4).map { UInt8(2 * (x + $0)) } })
        #expect(cut.channel(1) == (0..<2).map { row in (0..<4).map { _ in UInt8(2 * (y + row)) } })
        #expect(cut.channel(2).joined().allSatisfy { $0 == 9 })
    }

    @Test(arguments: [(Int.min, 4), (4, .min), (-Int.max, -1)])
    func `a crop to a negative size leaves nothing`(width: Int, height: Int) {
        #expect(throws: ImageError.self) {
            try ImageProcessor.crop(to: PixelSize(width: width, height: height)).process(places(7, 6))
        }
    }

    @Test(
        arguments: [
            ((2, 1, 3, 4), (2, 1, 3, 4)), ((-2, -1, 5, 4), (0, 0, 3, 3)), ((5, 4, 9, 9), (5, 4, 2, 2)),
            ((6, 5, 1, 1), (6, 5, 1, 1)), ((0, 0, 7, 6), (0, 0, 7, 6)), ((1, 0, .max, .max), (1, 0, 6, 6)),
        ] as [((Int, Int, Int, Int), (x: Int, y: Int, width: Int, height: Int))])
    func `a rectangle keeps the pixels inside it`(
        rectangle: (Int, Int, Int, Int), expected: (x: Int, y: Int, width: Int, height: Int)
    ) throws {
        let (x, y, width, height) = rectangle
        for format in [PixelFormat.rgb8, .rgba8Premultiplied] {
            let cut = try ImageProcessor.crop(x: x, y: y, size: PixelSize(width: width, height: height))
                .process(places(7, 6, format))
            #expect(cut.size == PixelSize(width: expected.width, height: expected.height))
            #expect(cut.pixel(0, 0).prefix(2) == [UInt8(2 * expected.x), UInt8(2 * expected.y)])
            let (right, bottom) = (expected.x + expected.width - 1, expected.y + expected.height - 1)
            #expect(
                cut.pixel(expected.width - 1, expected.height - 1).prefix(2) == [UInt8(2 * right), UInt8(2 * bottom)])
        }
    }

    @Test(
        arguments: [(7, 0, 1, 1), (0, 6, 1, 1), (-1, 0, 1, 6), (0, -1, 7, 1), (.min, 0, -1, 6), (0, .min, 7, -1)]
            as [(Int, Int, Int, Int)])
    func `a rectangle that touches the image from outside leaves nothing`(x: Int, y: Int, width: Int, height: Int) {
        let crop = ImageProcessor.crop(x: x, y: y, size: PixelSize(width: width, height: height))
        #expect(errorCode { () throws(ImageError) in try crop.process(places(7, 6)) } == .processing)
    }

    @Test(arguments: [(7, 4, 1, 0), (4, 7, 0, 1), (4, 4, 0, 0)])
    func `a circle is cut from the middle`(width: Int, height: Int, x: Int, y: Int) throws {
        let circle = try ImageProcessor.circle().process(places(width, height))
        #expect(circle.size == PixelSize(width: 4, height: 4))
        for (column, row) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
            #expect(circle.pixel(column, row) == [UInt8(2 * (x + column)), UInt8(2 * (y + row)), 9, 255])
        }
    }
}

@Suite struct ExactShapeTests {
    private let corner: [[UInt8]] = [
        [97, 234, 255, 255, 255, 234, 97], [234, 255, 255, 255, 255, 255, 234], [255, 255, 255, 255, 255, 255, 255],
        [234, 255, 255, 255, 255, 255, 234], [97, 234, 255, 255, 255, 234, 97],
    ]

    /// The values are those of the distances of pixel centers from a circle of radius 2.
    @Test func `the edge pixels of rounded corners have the share that is inside`() throws {
        let round = try ImageProcessor.roundedCorners(radius: 2).process(image(7, 5) { _, _ in [255, 255, 255] })
        for channel in 0..<4 { #expect(round.channel(channel) == corner) }
        let tall = try ImageProcessor.roundedCorners(radius: 2).process(image(5, 7) { _, _ in [255, 255, 255] })
        for x in 0..<5 { #expect((0..<7).map { tall.pixel(x, $0)[3] } == corner[x]) }
    }

    @Test func `a border follows rounded corners`() throws {
        let border = ImageBorder(width: 1, color: ImageColor(red: 255, green: 0, blue: 0))
        let framed = try ImageProcessor.roundedCorners(radius: 2, border: border)
            .process(image(7, 5) { _, _ in [0, 0, 200] })
        #expect(
            framed.channel(0) == [
                [97, 234, 255, 255, 255, 234, 97], [234, 53, 0, 0, 0, 53, 234], [255, 0, 0, 0, 0, 0, 255],
                [234, 53, 0, 0, 0, 53, 234], [97, 234, 255, 255, 255, 234, 97],
            ])
        #expect(framed.channel(1).joined().allSatisfy { $0 == 0 })
        #expect(
            framed.channel(2) == [
                [0, 0, 0, 0, 0, 0, 0], [0, 159, 200, 200, 200, 159, 0], [0, 200, 200, 200, 200, 200, 0],
                [0, 159, 200, 200, 200, 159, 0], [0, 0, 0, 0, 0, 0, 0],
            ])
        #expect(framed.channel(3) == corner)
    }

    @Test(arguments: [(40, 20), (20, 40), (3, 12), (12, 3), (9, 30), (8, 30), (7, 30)])
    func `a border has its width on all four sides`(width: Int, height: Int) throws {
        for line in [1, 3, 4] {
            let framed = try ImageProcessor.border(width: Double(line), color: ImageColor(red: 255, green: 0, blue: 0))
                .process(image(width, height) { _, _ in [0, 0, 255] })
            for y in 0..<height {
                for x in 0..<width {
                    let isInside =
                        (line..<max(line, width - line)).contains(x)
                        && (line..<max(line, height - line)).contains(y)
                    #expect(framed.pixel(x, y) == (isInside ? [0, 0, 255, 255] : [255, 0, 0, 255]), "\(x), \(y)")
                }
            }
        }
    }

    /// In a narrow image both edges of a row are near every pixel.
    @Test func `a translucent border is drawn once`() throws {
        let half = ImageColor(red: 255, green: 255, blue: 255, alpha: 128)
        let framed = try ImageProcessor.border(width: 2, color: half).process(image(4, 14) { _, _ in [0, 0, 0] })
        #expect(framed.channel(0).joined().allSatisfy { $0 == 128 })
        let line = try ImageProcessor.border(width: 0.5, color: half).process(image(4, 14) { _, _ in [0, 0, 0] })
        #expect(line.channel(0)[7] == [64, 0, 0, 64])
    }

    @Test func `an opaque image keeps its colours and gets an alpha channel`() throws {
        let same = try ImageProcessor.roundedCorners(radius: 0).process(places(7, 6))
        for y in 0..<6 { for x in 0..<7 { #expect(same.pixel(x, y) == [UInt8(2 * x), UInt8(2 * y), 9, 255]) } }
        let own = places(2, 3, .rgba8Premultiplied)
        #expect(own.withAlpha === own)
    }

    /// Views draw the corners of a placeholder as those of the image.
    @Test func `the radius of the corners is that of the last processor that rounds`() {
        #expect(ImageProcessor.circle().cornerRadius == .infinity)
        #expect(ImageProcessor.roundedCorners(radius: 0.5).cornerRadius == 0.5)
        #expect(ImageProcessor.roundedCorners(radius: 0).cornerRadius == nil)
        #expect(ImageProcessor.border(width: 3, color: .black).cornerRadius == nil)
        #expect(ImageProcessor.grayscale.cornerRadius == nil)
        let rounded: [ImageProcessor] = [.circle(), .roundedCorners(radius: 4), .grayscale]
        #expect(rounded.lastCornerRadius == 4)
        #expect(ImageProcessor.composition(rounded).cornerRadius == 4)
        #expect([ImageProcessor.grayscale].lastCornerRadius == nil)
    }
}

@Suite struct ExactColorTests {
    @Test func `gray is the rounded luminance, and alpha stays`() throws {
        let gray = try ImageProcessor.grayscale.process(
            image(2, 1, .rgba8Premultiplied) { x, _ in x == 0 ? [10, 20, 30, 40] : [200, 100, 50, 255] })
        #expect(gray.pixel(0, 0) == [19, 19, 19, 40])
        #expect(gray.pixel(1, 0) == [118, 118, 118, 255])
    }

    @Test func `a translucent tint multiplies its alpha with that of each pixel`() throws {
        let tint = ImageProcessor.tint(ImageColor(red: 255, green: 128, blue: 0, alpha: 128))
        let tinted = try tint.process(
            image(3, 1, .rgba8Premultiplied) { x, _ in [0, 0, 0, [200, 0, 255][x]] })
        #expect([0, 1, 2].map { tinted.pixel($0, 0) } == [[100, 50, 0, 100], [0, 0, 0, 0], [128, 64, 0, 128]])
    }
}

@Suite struct ExactBlurTests {
    /// Three boxes of three pixels turn a point into 1, 3, 6, 7, 6, 3 and 1 of 27 parts; each box
    /// rounds.
    @Test(arguments: [PixelFormat.rgb8, .rgba8Premultiplied])
    func `a point is spread evenly, and the edge is repeated`(format: PixelFormat) throws {
        let blur = ImageProcessor.gaussianBlur(sigma: 1.5)
        let expected: [(position: Int, values: [UInt8])] = [
            (3, [9, 28, 57, 66, 57, 28, 9]), (0, [123, 85, 38, 9, 0, 0, 0]), (6, [0, 0, 0, 9, 38, 85, 123]),
        ]
        for (position, values) in expected {
            let row = try blur.process(
                image(7, 1, format) { x, _ in x == position ? [255, 0, 255, 255] : [0, 0, 0, 0] })
            let column = try blur.process(
                image(1, 7, format) { _, y in y == position ? [255, 0, 255, 255] : [0, 0, 0, 0] })
            for channel in 0..<format.bytesPerPixel {
                let wanted = channel == 1 ? [UInt8](repeating: 0, count: 7) : values
                #expect(row.channel(channel) == [wanted])
                #expect(column.channel(channel) == wanted.map { [$0] })
            }
        }
    }

    @Test(
        arguments: [
            (0.0, [0, 0, 0]), (0.5, [0, 0, 0]), (1, [0, 0, 1]), (1.5, [1, 1, 1]), (1.8, [1, 1, 2]), (2, [1, 1, 2]),
            (2.2, [1, 2, 2]), (2.5, [2, 2, 2]), (3, [2, 2, 3]), (5, [4, 4, 5]), (10, [9, 9, 10]),
        ] as [(Double, [Int])])
    func `the boxes have the variance of the Gaussian`(sigma: Double, radii: [Int]) {
        #expect(ImageProcessor.boxRadii(for: sigma) == radii)
    }
}

import RemoteImageCore
import RemoteImageTestSupport
import Testing

/// An image of one colour; three channels give an opaque image.
private func flat(_ pixel: [UInt8], width: Int, height: Int) -> PixelBuffer {
    let format: PixelFormat = pixel.count == 3 ? .rgb8 : .rgba8Premultiplied
    return PixelBuffer(size: PixelSize(width: width, height: height), format: format) { memory in
        for index in memory.indices { memory[index] = pixel[index % pixel.count] }
    }
}

private func noise(_ format: PixelFormat, width: Int, height: Int, seed: UInt64 = 3) -> PixelBuffer {
    var random = SeededGenerator(seed: seed)
    return PixelBuffer(size: PixelSize(width: width, height: height), format: format) { memory in
        for start in stride(from: 0, to: memory.count, by: format.bytesPerPixel) {
            let alpha = format == .rgb8 ? 255 : UInt8.random(in: 0...255, using: &random)
            for channel in 0..<3 { memory[start + channel] = UInt8.random(in: 0...alpha, using: &random) }
            if format == .rgba8Premultiplied { memory[start + 3] = alpha }
        }
    }
}

/// Whether no colour exceeds its alpha, as premultiplication requires.
private func isPremultiplied(_ pixels: PixelBuffer) -> Bool {
    guard pixels.format == .rgba8Premultiplied else { return true }
    return pixels.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 4).allSatisfy { start in
            (0..<3).allSatisfy { bytes[start + $0] <= bytes[start + 3] }
        }
    }
}

@Suite struct ResizeTests {
    private let wide = PixelBuffer.quarters(width: 400, height: 200)

    @Test(arguments: [
        (ContentFit.contain, PixelSize(width: 100, height: 50)), (.cover, PixelSize(width: 100, height: 100)),
        (.fill, PixelSize(width: 100, height: 100)),
    ])
    func `each fit produces its size`(fit: ContentFit, expected: PixelSize) throws {
        let resized = try ImageProcessor.resize(to: PixelSize(width: 100, height: 100), fit: fit).process(wide)
        #expect(resized.size == expected)
        #expect(resized.quarters == [.red, .green, .blue, .white])
    }

    @Test(arguments: [ContentFit.contain, .cover, .fill])
    func `an image is enlarged only if requested`(fit: ContentFit) throws {
        let box = PixelSize(width: 800, height: 800)
        #expect(try ImageProcessor.resize(to: box, fit: fit).process(wide).size == wide.size)
        let enlarged = try ImageProcessor.resize(to: box, fit: fit, enlarges: true).process(wide)
        #expect(enlarged.size == (fit == .contain ? PixelSize(width: 800, height: 400) : box))
        #expect(enlarged.quarters == [.red, .green, .blue, .white])
    }

    @Test func `a reduced pixel is the average of its area`() throws {
        let checks = PixelBuffer(size: PixelSize(width: 4, height: 4), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = (index / 3 + index / 12) % 2 == 0 ? 200 : 100 }
        }
        let small = try ImageProcessor.resize(to: PixelSize(width: 2, height: 2)).process(checks)
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] { #expect(small.pixel(x, y) == [150, 150, 150]) }
    }

    /// The whole image used to be enlarged before most of it was cropped.
    @Test func `covering a box with a narrow image enlarges only the visible part`() throws {
        let thread = flat([5, 6, 7], width: 1, height: 16_384)
        let square = try ImageProcessor.resize(to: PixelSize(width: 50, height: 50), fit: .cover, enlarges: true)
            .process(thread)
        #expect(square.size == PixelSize(width: 50, height: 50))
        #expect(square.pixel(25, 25) == [5, 6, 7])
    }

    /// The conversion of the unlimited side used to end the process.
    @Test func `covering a box that is unlimited on one side crops the other side`() throws {
        let cut = try ImageProcessor.resize(to: PixelSize(width: 100, height: .max), fit: .cover).process(wide)
        #expect(cut.size == PixelSize(width: 100, height: 200))
    }

    @Test func `a size below one pixel is one pixel`() throws {
        let thin = try ImageProcessor.resize(to: PixelSize(width: 0, height: -5)).process(
            flat([9, 9, 9], width: 1000, height: 1))
        #expect(thin.size == PixelSize(width: 1, height: 1))
        #expect(thin.pixel(0, 0) == [9, 9, 9])
    }

    @Test func `a uniform colour is unchanged at every size`() throws {
        for format in [[UInt8](arrayLiteral: 7, 130, 255), [10, 20, 30, 40]] {
            for side in [1, 3, 7, 16, 17, 50] {
                let box = PixelSize(width: side, height: side)
                let resized = try ImageProcessor.resize(to: box, fit: .fill, enlarges: true)
                    .process(flat(format, width: 17, height: 11))
                #expect(resized.pixel(0, 0) == format)
                #expect(resized.pixel(side - 1, side - 1) == format)
            }
        }
    }
}

@Suite struct CropTests {
    private let image = PixelBuffer.quarters(width: 40, height: 20)

    @Test(arguments: [
        (ImageProcessor.Anchor.topLeft, QuarterColour.red), (.topRight, .green), (.bottomLeft, .blue),
        (.bottomRight, .white),
    ])
    func `an anchor crops its corner`(anchor: ImageProcessor.Anchor, colour: QuarterColour) throws {
        let cut = try ImageProcessor.crop(to: PixelSize(width: 20, height: 10), anchor: anchor).process(image)
        #expect(cut.size == PixelSize(width: 20, height: 10))
        #expect(cut.quarters == [colour, colour, colour, colour])
    }

    @Test func `a crop is centred by default`() throws {
        let cut = try ImageProcessor.crop(to: PixelSize(width: 20, height: 10)).process(image)
        #expect(cut.quarters == [.red, .green, .blue, .white])
    }

    @Test func `a crop is limited to the sides of the image`() throws {
        #expect(try ImageProcessor.crop(to: PixelSize(width: 100, height: 100)).process(image) === image)
        let flatter = try ImageProcessor.crop(to: PixelSize(width: 100, height: 10)).process(image)
        #expect(flatter.size == PixelSize(width: 40, height: 10))
    }

    @Test func `a crop of unlimited size extends to the edge`() throws {
        let cut = try ImageProcessor.crop(x: 30, y: 5, size: PixelSize(width: .max, height: .max)).process(image)
        #expect(cut.size == PixelSize(width: 10, height: 15))
    }

    @Test func `a crop partly outside the image returns the part inside`() throws {
        let cut = try ImageProcessor.crop(x: -5, y: 15, size: PixelSize(width: 10, height: 100)).process(image)
        #expect(cut.size == PixelSize(width: 5, height: 5))
        #expect(cut.quarters[0] == .blue)
    }

    @Test(arguments: [(40, 0, 5, 5), (-10, 0, 10, 5), (0, 0, 0, 5), (0, 0, -3, 5), (Int.max, 0, 5, 5)])
    func `a crop without pixels is an error`(x: Int, y: Int, width: Int, height: Int) {
        let crop = ImageProcessor.crop(x: x, y: y, size: PixelSize(width: width, height: height))
        let error = #expect(throws: ImageError.self) { try crop.process(image) }
        #expect(error?.code == .processing)
    }
}

@Suite struct ShapeTests {
    private let white = flat([255, 255, 255], width: 40, height: 20)

    @Test func `rounded corners are transparent outside and unchanged inside`() throws {
        let round = try ImageProcessor.roundedCorners(radius: 8).process(white)
        #expect(round.format == .rgba8Premultiplied)
        for (x, y) in [(0, 0), (39, 0), (0, 19), (39, 19)] { #expect(round.pixel(x, y) == [0, 0, 0, 0]) }
        for (x, y) in [(20, 0), (0, 10), (39, 10), (20, 19), (20, 10), (4, 4)] {
            #expect(round.pixel(x, y) == [255, 255, 255, 255])
        }
        #expect(isPremultiplied(round))
    }

    @Test func `all four corners have the same smooth edge`() throws {
        let round = try ImageProcessor.roundedCorners(radius: 8).process(white)
        var partialCount = 0
        for y in 0..<8 {
            for x in 0..<8 {
                let pixel = round.pixel(x, y)
                if pixel[3] > 0 && pixel[3] < 255 { partialCount += 1 }
                #expect(round.pixel(39 - x, y) == pixel)
                #expect(round.pixel(x, 19 - y) == pixel)
                #expect(round.pixel(39 - x, 19 - y) == pixel)
            }
        }
        #expect(partialCount > 4)
    }

    @Test func `a circle covers the area of its radius`() throws {
        let circle = try ImageProcessor.circle().process(flat([255, 255, 255], width: 300, height: 200))
        #expect(circle.size == PixelSize(width: 200, height: 200))
        let covered = circle.withUnsafeBytes { bytes in
            stride(from: 3, to: bytes.count, by: 4).reduce(0.0) { $0 + Double(bytes[$1]) / 255 }
        }
        #expect(abs(covered / (Double.pi * 100 * 100) - 1) < 0.002)
    }

    @Test func `a border is drawn inside the edge`() throws {
        let red = ImageColor(red: 255, green: 0, blue: 0)
        let framed = try ImageProcessor.border(width: 3, color: red).process(white)
        for (x, y) in [(0, 0), (2, 10), (20, 2), (39, 19)] { #expect(framed.pixel(x, y) == [255, 0, 0, 255]) }
        for (x, y) in [(3, 10), (20, 3), (36, 16)] { #expect(framed.pixel(x, y) == [255, 255, 255, 255]) }
        let translucent = ImageColor(red: 0, green: 0, blue: 0, alpha: 128)
        let shaded = try ImageProcessor.border(width: 1, color: translucent).process(white)
        #expect(shaded.pixel(20, 0) == [127, 127, 127, 255])
    }

    @Test func `a radius larger than the image rounds it as much as possible`() throws {
        let round = try ImageProcessor.roundedCorners(radius: 1000).process(white)
        #expect(round.pixel(20, 10) == [255, 255, 255, 255])
        #expect(round.pixel(1, 1) == [0, 0, 0, 0])
        #expect(round.pixel(0, 10)[3] > 128)
    }

    @Test func `a border wider than the image covers it`() throws {
        let red = ImageColor(red: 255, green: 0, blue: 0)
        for width in [100, Double.infinity] {
            let framed = try ImageProcessor.border(width: width, color: red).process(white)
            #expect(framed.pixel(20, 10) == [255, 0, 0, 255])
        }
    }

    @Test func `a radius of zero changes no pixel`() throws {
        let same = try ImageProcessor.roundedCorners(radius: 0).process(noise(.rgba8Premultiplied, width: 9, height: 7))
        let expected = noise(.rgba8Premultiplied, width: 9, height: 7)
        for y in 0..<7 { for x in 0..<9 { #expect(same.pixel(x, y) == expected.pixel(x, y)) } }
    }
}

@Suite struct BlurTests {
    @Test(arguments: [0.5, 1, 3, 10, 200])
    func `a blur leaves a uniform colour unchanged`(sigma: Double) throws {
        for pixel in [[UInt8](arrayLiteral: 3, 128, 255), [10, 20, 30, 40]] {
            let blurred = try ImageProcessor.gaussianBlur(sigma: sigma).process(flat(pixel, width: 23, height: 17))
            for (x, y) in [(0, 0), (11, 8), (22, 16)] { #expect(blurred.pixel(x, y) == pixel) }
        }
    }

    @Test(arguments: [2.0, 4, 8])
    func `a block is blurred to a Gaussian`(sigma: Double) throws {
        let side = 101
        let point = PixelBuffer(size: PixelSize(width: side, height: side), format: .rgb8) { memory in
            for index in memory.indices { memory[index] = 0 }
            // The blurred levels of a block are large enough to be compared.
            for y in 45..<56 {
                for x in 45..<56 { for channel in 0..<3 { memory[(y * side + x) * 3 + channel] = 255 } }
            }
        }
        let blurred = try ImageProcessor.gaussianBlur(sigma: sigma).process(point)
        func expected(_ offset: Int) -> Double {
            // The convolution of the block and the Gaussian, on each axis separately.
            func along(_ distance: Int) -> Double {
                (-5...5).reduce(0.0) { sum, step in
                    let far = Double(distance - step) / sigma
                    return sum + exponential(-far * far / 2) / (sigma * (2 * Double.pi).squareRoot())
                }
            }
            return 255 * along(offset) * along(0)
        }
        for offset in [0, 3, 6, 10, 15, 20] {
            #expect(abs(Double(blurred.pixel(50 + offset, 50)[0]) - expected(offset)) < 255 * 0.03, "at \(offset)")
            #expect(blurred.pixel(50 + offset, 50) == blurred.pixel(50 - offset, 50))
            #expect(abs(Int(blurred.pixel(50 + offset, 50)[0]) - Int(blurred.pixel(50, 50 + offset)[0])) <= 2)
        }
    }

    @Test func `a blurred image remains premultiplied`() throws {
        for sigma in [0.8, 3, 9] {
            let blurred = try ImageProcessor.gaussianBlur(sigma: sigma).process(
                noise(.rgba8Premultiplied, width: 31, height: 29))
            #expect(isPremultiplied(blurred))
        }
    }

    @Test func `a blur of zero returns the same image`() throws {
        let image = noise(.rgb8, width: 5, height: 5)
        #expect(try ImageProcessor.gaussianBlur(sigma: 0).process(image) === image)
    }

    @Test func `an image of one pixel can be blurred`() throws {
        #expect(
            try ImageProcessor.gaussianBlur(sigma: 50).process(flat([1, 2, 3], width: 1, height: 1)).pixel(0, 0) == [
                1, 2, 3,
            ])
    }

    /// The series of the exponential function, since the tests import no C library.
    private func exponential(_ x: Double) -> Double {
        if x < -30 { return 0 }
        if x < -1 {
            let half = exponential(x / 2)
            return half * half
        }
        var (term, sum) = (1.0, 1.0)
        for n in 1..<30 {
            term *= x / Double(n)
            sum += term
        }
        return sum
    }
}

@Suite struct ColourTests {
    @Test func `grayscale uses the weights of BT 709`() throws {
        let gray = try ImageProcessor.grayscale.process(PixelBuffer.quarters(width: 8, height: 8))
        #expect(gray.format == .rgb8)
        #expect(gray.pixel(1, 1) == [54, 54, 54])
        #expect(gray.pixel(6, 1) == [182, 182, 182])
        #expect(gray.pixel(1, 6) == [18, 18, 18])
        #expect(gray.pixel(6, 6) == [255, 255, 255])
        #expect(
            isPremultiplied(try ImageProcessor.grayscale.process(noise(.rgba8Premultiplied, width: 30, height: 30))))
    }

    @Test func `a tint replaces the colours and keeps the opacity`() throws {
        let orange = ImageColor(red: 255, green: 128, blue: 0)
        let tinted = try ImageProcessor.tint(orange).process(flat([20, 40, 60, 128], width: 3, height: 3))
        #expect(tinted.pixel(1, 1) == [128, 64, 0, 128])
        let half = try ImageProcessor.tint(ImageColor(red: 255, green: 255, blue: 255, alpha: 128)).process(
            flat([1, 1, 1], width: 2, height: 2))
        #expect(half.pixel(0, 0) == [128, 128, 128, 128])
        #expect(
            isPremultiplied(try ImageProcessor.tint(orange).process(noise(.rgba8Premultiplied, width: 30, height: 30))))
    }
}

@Suite struct CombinedProcessorTests {
    @Test func `a composition applies its processors in their order`() throws {
        let both = ImageProcessor.composition([
            .crop(to: PixelSize(width: 20, height: 10), anchor: .topLeft),
            .resize(to: PixelSize(width: 10, height: 10)), .grayscale,
        ])
        let result = try both.process(PixelBuffer.quarters(width: 40, height: 20))
        #expect(result.size == PixelSize(width: 10, height: 5))
        #expect(result.pixel(5, 2) == [54, 54, 54])
    }

    @Test func `a composition ends with the first failure`() {
        let impossible = ImageProcessor.composition([
            .crop(x: 99, y: 99, size: PixelSize(width: 1, height: 1)), .grayscale,
        ])
        let error = #expect(throws: ImageError.self) { try impossible.process(flat([0, 0, 0], width: 2, height: 2)) }
        #expect(error?.code == .processing)
    }

    @Test func `an error thrown by a closure becomes a processing error`() {
        struct Refusal: Error {}
        let refusing = ImageProcessor(identity: "refusing") { _ in throw Refusal() }
        let error = #expect(throws: ImageError.self) { try refusing.process(flat([0, 0, 0], width: 1, height: 1)) }
        #expect(error?.code == .processing)
    }

    @Test func `an image error thrown by a closure stays as it is`() {
        let refusing = ImageProcessor(identity: "refusing") { _ in throw ImageError(.tooManyPixels, "for the mask") }
        for processor in [refusing, .composition([.grayscale, refusing])] {
            #expect(throws: ImageError(.tooManyPixels, "for the mask")) {
                try processor.process(flat([0, 0, 0], width: 1, height: 1))
            }
        }
    }

    @Test func `identities differ for every parameter`() {
        let size = PixelSize(width: 3, height: 4)
        let red = ImageColor(red: 255, green: 0, blue: 0)
        let processors: [ImageProcessor] = [
            .resize(to: size), .resize(to: size, fit: .cover), .resize(to: size, enlarges: true),
            .resize(to: size.transposed), .crop(to: size), .crop(to: size, anchor: .top),
            .crop(x: 1, y: 2, size: size), .roundedCorners(radius: 3), .roundedCorners(radius: 4),
            .roundedCorners(radius: 3, border: ImageBorder(width: 1, color: red)),
            .roundedCorners(radius: 3, border: ImageBorder(width: 1, color: .black)), .circle(),
            .circle(border: ImageBorder(width: 1, color: red)), .border(width: 2, color: red), .gaussianBlur(sigma: 1),
            .gaussianBlur(sigma: 2), .tint(red), .tint(.white), .grayscale, .composition([.grayscale, .tint(red)]),
            .composition([.tint(red), .grayscale]), ImageProcessor(identity: "mine") { $0 },
        ]
        #expect(Set(processors.map(\.identity)).count == processors.count)
    }
}

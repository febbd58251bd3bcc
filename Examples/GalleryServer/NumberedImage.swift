import RemoteImagePixbuf

/// An image that is unique for its number: it has its own colours, and shows the number in large
/// digits.
struct NumberedImage {
    let number: Int
    let size: PixelSize

    /// - Parameter size: `nil` for a size that depends on the number.
    init(number: Int, size: PixelSize? = nil) {
        self.number = number
        self.size = size ?? Self.sizes[number % Self.sizes.count]
    }

    /// Every third image is a PNG, and every second PNG has round, transparent corners.
    var isPNG: Bool { number % 3 == 2 }
    private var isTransparent: Bool { number % 6 == 5 }

    var contentType: String { isPNG ? "image/png" : "image/jpeg" }

    private static let sizes = [
        PixelSize(width: 640, height: 480), PixelSize(width: 480, height: 640), PixelSize(width: 800, height: 600),
        PixelSize(width: 1200, height: 800), PixelSize(width: 600, height: 600), PixelSize(width: 1000, height: 500),
        PixelSize(width: 1600, height: 1200),
    ]

    func encoded() throws(ImageError) -> [UInt8] {
        try pixels().encoded(as: isPNG ? .png : .jpeg(quality: 85))
    }

    private func pixels() -> PixelBuffer {
        let canvas = Canvas(size: size, format: isTransparent ? .rgba8Premultiplied : .rgb8)
        let (top, bottom) = (Colour(hue: hue, lightness: 0.72), Colour(hue: hue + 0.12, lightness: 0.36))
        return PixelBuffer(size: size, format: canvas.format) { memory in
            canvas.fill(memory) { x, y in
                let slope = Double(x) / Double(size.width) * 0.4 + Double(y) / Double(size.height) * 0.6
                return top.mixed(with: bottom, slope)
            }
            drawNumber(on: canvas, memory)
            if isTransparent { canvas.roundCorners(memory, radius: min(size.width, size.height) / 5) }
        }
    }

    /// Steps of the golden ratio, so that neighbours differ in colour.
    private var hue: Double { (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1) }

    private func drawNumber(on canvas: Canvas, _ memory: UnsafeMutableRawBufferPointer) {
        let digits = String(number).compactMap(\.wholeNumberValue)
        let columns = digits.count * (Digits.width + 1) - 1
        // Small enough to be fully visible in a view that shows only the middle of the image.
        let side = min(size.width, size.height)
        let dot = side / 2 / max(columns, Digits.height)
        let left = (size.width - columns * dot) / 2
        let top = (size.height - Digits.height * dot) / 2
        for (index, digit) in digits.enumerated() {
            for row in 0..<Digits.height {
                for column in 0..<Digits.width where Digits.isSet(digit, column: column, row: row) {
                    let x = left + (index * (Digits.width + 1) + column) * dot
                    canvas.fillSquare(memory, x: x, y: top + row * dot, side: dot)
                }
            }
        }
    }
}

/// Three channels from 0 to 1.
private struct Colour {
    var red, green, blue: Double

    init(hue: Double, lightness: Double) {
        // Three triangle waves, a third of a turn apart, give soft colours without grey.
        func channel(_ offset: Double) -> Double {
            let turn = (hue + offset).truncatingRemainder(dividingBy: 1)
            let triangle = 1 - abs(turn * 2 - 1) * 2
            return min(1, max(0, lightness + triangle * 0.28))
        }
        (red, green, blue) = (channel(0), channel(1.0 / 3), channel(2.0 / 3))
    }

    func mixed(with other: Colour, _ share: Double) -> Colour {
        var mixed = self
        mixed.red += (other.red - red) * share
        mixed.green += (other.green - green) * share
        mixed.blue += (other.blue - blue) * share
        return mixed
    }
}

/// The layout of the pixels of an image in memory.
private struct Canvas {
    let size: PixelSize
    let format: PixelFormat

    func fill(_ memory: UnsafeMutableRawBufferPointer, _ colour: (_ x: Int, _ y: Int) -> Colour) {
        var index = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let colour = colour(x, y)
                memory[index] = UInt8(colour.red * 255)
                memory[index + 1] = UInt8(colour.green * 255)
                memory[index + 2] = UInt8(colour.blue * 255)
                if format == .rgba8Premultiplied { memory[index + 3] = 255 }
                index += format.bytesPerPixel
            }
        }
    }

    func fillSquare(_ memory: UnsafeMutableRawBufferPointer, x: Int, y: Int, side: Int) {
        for row in y..<(y + side) {
            let start = (row * size.width + x) * format.bytesPerPixel
            for index in start..<(start + side * format.bytesPerPixel) { memory[index] = 255 }
        }
    }

    func roundCorners(_ memory: UnsafeMutableRawBufferPointer, radius: Int) {
        for y in 0..<size.height {
            let dy = max(0, max(radius - y, y - (size.height - 1 - radius)))
            guard dy > 0 else { continue }
            for x in 0..<size.width {
                let dx = max(0, max(radius - x, x - (size.width - 1 - radius)))
                guard dx * dx + dy * dy > radius * radius else { continue }
                let start = (y * size.width + x) * format.bytesPerPixel
                for index in start..<(start + format.bytesPerPixel) { memory[index] = 0 }
            }
        }
    }
}

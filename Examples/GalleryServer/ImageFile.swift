import RemoteImage

/// A painted image that is encoded on request.
struct ImageFile: Sendable {
    let contentType: String
    private let encode: @Sendable () throws(ImageError) -> [UInt8]

    func encoded() throws(ImageError) -> [UInt8] { try encode() }

    /// A photograph as a JPEG.
    /// - Parameter divisor: Divides the sides, which are at least one pixel.
    static func photograph(_ number: Int, dividedBy divisor: Int = 1) -> ImageFile {
        ImageFile(contentType: "image/jpeg") { () throws(ImageError) in
            let painting = Painting(number: number)
            let size = PixelSize(width: painting.size.width / divisor, height: painting.size.height / divisor)
            return try painting.pixels(size: size).encoded(as: .jpeg(quality: 86))
        }
    }

    /// The portrait of a person, a JPEG of 256 × 256 pixels.
    static func portrait(_ number: Int) -> ImageFile {
        ImageFile(contentType: "image/jpeg") { () throws(ImageError) in
            let canvas = Canvas(size: PixelSize(width: 256, height: 256))
            return try canvas.paint(Portrait(person: Person(number: number)).layers()).encoded(as: .jpeg(quality: 88))
        }
    }

    /// A decorative figure, a PNG of 480 × 480 pixels with translucent ones.
    static func pattern(_ number: Int) -> ImageFile {
        ImageFile(contentType: "image/png") { () throws(ImageError) in
            let canvas = Canvas(size: PixelSize(width: 480, height: 480))
            var pattern = Pattern(number: number)
            return try canvas.paint(pattern.layers(), hasAlpha: true).encoded(as: .png)
        }
    }

    /// An animated figure, a GIF of 168 × 168 pixels.
    static func sticker(_ number: Int) -> ImageFile {
        ImageFile(contentType: "image/gif") { () throws(ImageError) in StickerAnimation(number: number).encoded() }
    }

    /// The panorama, a JPEG of 4000 × 3000 pixels.
    static var panorama: ImageFile {
        ImageFile(contentType: "image/jpeg") { () throws(ImageError) in
            let canvas = Canvas(size: PixelSize(width: 4000, height: 3000))
            return try canvas.paint(Panorama().layers(on: canvas)).encoded(as: .jpeg(quality: 86))
        }
    }
}

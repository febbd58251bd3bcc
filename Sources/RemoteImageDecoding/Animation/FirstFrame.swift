/// The first frame of an animation as a file of its own. Codec libraries get this file instead of
/// the animation: of a WebP, since no limit on the image size bounds the number of frames that they
/// hold; of a PNG whose default image is not a frame, since they decode only the default image.
package struct FirstFrame: Sendable {
    package let canvas: PixelSize
    /// The position of the frame, which lies within the canvas.
    package let x: Int
    package let y: Int
    package let size: PixelSize
    /// A still image of the animation's format.
    package let file: [UInt8]

    /// `nil` for a still image and for a PNG whose default image is the first frame or the only
    /// valid image. Throws ``ImageError/Code/corrupt`` if the first frame of a WebP is damaged,
    /// larger than the canvas or itself an animation.
    package static func of(_ bytes: [UInt8], _ format: ImageFormat) throws(ImageError) -> FirstFrame? {
        let found = bytes.withReader { format.facts.separateFirstFrame($0) }
        guard let (canvas, frame) = found else { return nil }
        guard let frame, frame.x + frame.size.width <= canvas.width, frame.y + frame.size.height <= canvas.height else {
            throw ImageError(.corrupt, "the first frame of the animation is damaged")
        }
        let file = frame.file(from: bytes)
        guard try ImageHeader.read(file).storedSize == frame.size else {
            throw ImageError(.corrupt, "the first frame of the animation has another size than its pixels")
        }
        return FirstFrame(canvas: canvas, x: frame.x, y: frame.y, size: frame.size, file: file)
    }
}

// Unsafe code: `Bitmap` writes one row of its width at a time.

import CRemoteImagePixels

extension DecodedImage {
    init(_ bitmap: Bitmap, scaledDownTo size: PixelSize?) {
        let pixels = PixelBuffer(
            averaging: bitmap.size, to: size ?? bitmap.size, format: bitmap.isOpaque ? .rgb8 : .rgba8Premultiplied
        ) { y, row in
            bitmap.write(y, into: row)
            if !bitmap.isOpaque { pixels_premultiply(row, row, bitmap.size.width) }
            return UnsafePointer(row)
        }
        self.init(pixels: pixels, size: bitmap.size)
        isTruncated = bitmap.isTruncated
    }
}

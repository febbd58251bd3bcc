// Unsafe code: rows of the pixels are read and rows of the canvas are written. The caller
// guarantees that the pixels begin within the canvas.

import CRemoteImagePixels

extension PixelBuffer {
    /// Draws pixels onto a transparent canvas and averages it down to `size`; `nil` keeps the size
    /// of the canvas. The canvas is made row by row, so that a small frame on a large canvas needs
    /// little memory.
    package convenience init(
        placing pixels: DecodedPixels, atX left: Int = 0, y top: Int = 0, on canvas: PixelSize,
        scaledDownTo size: PixelSize?
    ) {
        let width = min(pixels.size.width, canvas.width - left)
        let rows = top..<min(top + pixels.size.height, canvas.height)
        self.init(averaging: canvas, to: size ?? canvas, format: .rgba8Premultiplied) { y, row in
            row.update(repeating: 0, count: canvas.width * 4)
            guard rows.contains(y) else { return UnsafePointer(row) }
            let (source, target) = (pixels.row(y - top), row + left * 4)
            if pixels.channels == 4 {
                pixels_premultiply(source, target, width)
            } else {
                for x in 0..<width {
                    for channel in 0..<3 { target[x * 4 + channel] = source[x * 3 + channel] }
                    target[x * 4 + 3] = 255
                }
            }
            return UnsafePointer(row)
        }
    }
}

// Saving loaded images as files.

import RemoteImageCore

extension LoadedImage {
    /// Writes the image to a file: its decoded pixels, for an animation those of the first frame.
    ///
    /// An existing file is replaced; other programs see the old file or the complete new one. The
    /// image is encoded and written on a separate thread.
    ///
    /// ```swift
    /// let image = try await pipeline.image(for: "https://example.org/cat.webp")
    /// try await image.write(to: "/tmp/cat.jpg", as: .jpeg(quality: 90))
    /// ```
    ///
    /// Throws `ImageError.Code.io` if the file cannot be written or the image cannot be encoded: a
    /// JPEG has at most 65,500 pixels on each side, a WebP 16,383. An old file is then unchanged.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist; its name does not affect the format.
    ///   - encoding: The format of the file.
    public func write(to path: String, as encoding: PixelEncoding) async throws(ImageError) {
        let pixels = pixels
        try await WorkerThreads.decoding.run { () throws(ImageError) in
            try FileBytes.replace(path, with: pixels.encoded(as: encoding))
        }
    }
}

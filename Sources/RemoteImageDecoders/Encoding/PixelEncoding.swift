// Unsafe code: the encoders read the rows during one call; the file that an encoder returns is
// copied and freed here.

import CRemoteImageCodecs
import Glibc

/// A format in which pixels can be saved.
public enum PixelEncoding: Hashable, Sendable {
    case png
    /// JPEG with a quality from 1 to 100, 85 by default; other values are clamped. What is
    /// transparent becomes white.
    case jpeg(quality: Int = 85)
    /// Lossy WebP with a quality from 1 to 100, 85 by default; other values are clamped. It needs
    /// libwebp at run time.
    case webp(quality: Int = 85)
}

extension PixelBuffer {
    /// Encodes the image as a file.
    ///
    /// Throws `ImageError.Code.io` if there is not enough memory, or if the image is too large for
    /// the format: a JPEG has at most 65,500 pixels on each side, a WebP 16,383.
    public func encoded(as encoding: PixelEncoding) throws(ImageError) -> [UInt8] {
        switch encoding {
        case .png: try file { source, count, message in codec_png_encode(source, false, count, message) }
        case .jpeg(let quality):
            try overWhite.file { source, count, message in
                codec_jpeg_encode(source, Int32(min(100, max(1, quality))), true, count, message)
            }
        case .webp(let quality):
            try file { source, count, message in
                codec_webp_encode(source, Int32(min(100, max(1, quality))), count, message)
            }
        }
    }

    typealias Encode =
        (UnsafePointer<codec_encode_source>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>)
        -> UnsafeMutablePointer<UInt8>?

    /// The file that a function of the codec module makes of the pixels.
    func file(_ encode: Encode) throws(ImageError) -> [UInt8] {
        let hasAlpha = format != .rgb8
        let straight = hasAlpha ? straightPixels : nil
        var message = [CChar](repeating: 0, count: Int(CODEC_ENCODE_MESSAGE_SIZE))
        let file: [UInt8]? = withUnsafeBytes { own in
            (straight ?? []).withUnsafeBytes { straight in
                var source = codec_encode_source(
                    pixels: (hasAlpha ? straight : own).bindMemory(to: UInt8.self).baseAddress,
                    width: UInt32(size.width), height: UInt32(size.height), stride: stride, has_alpha: hasAlpha)
                var count = 0
                guard let file = encode(&source, &count, &message) else { return nil }
                defer { free(file) }
                return Array(UnsafeBufferPointer(start: file, count: count))
            }
        }
        guard let file else {
            throw ImageError(.io, "the image cannot be encoded: \(message.withUnsafeBytes(String.init(cText:)))")
        }
        return file
    }

    /// The image on a white background; unchanged if it is opaque.
    private var overWhite: PixelBuffer {
        guard format == .rgba8Premultiplied else { return self }
        return PixelBuffer(size: size, format: .rgb8) { memory in
            withUnsafeBytes { pixels in
                for index in 0..<size.pixelCount {
                    let white = 255 - Int(pixels[index * 4 + 3])
                    for channel in 0..<3 {
                        memory[index * 3 + channel] = UInt8(min(255, Int(pixels[index * 4 + channel]) + white))
                    }
                }
            }
        }
    }

    /// The pixels as RGBA with straight alpha, rounded to the nearest value.
    private var straightPixels: [UInt8] {
        withUnsafeBytes { pixels in
            var straight = Array(pixels)
            for index in Swift.stride(from: 0, to: straight.count, by: 4) {
                let alpha = Int(straight[index + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in index..<(index + 3) {
                    straight[channel] = UInt8(min(255, (Int(straight[channel]) * 255 + alpha / 2) / alpha))
                }
            }
            return straight
        }
    }
}

// Decodes PNG with libpng. Rows are averaged as they are read, so that memory holds only one row
// and the reduced image.

import CRemoteImagePixels

/// Decodes PNG with libpng.
///
/// The image is averaged down to the target while its rows are read, so that an image of any size
/// needs memory only for the target. An interlaced image is first decoded at full size. All depths
/// and color types are supported; 16 bits per channel are rounded to 8. The result is
/// `PixelFormat.rgb8` if every pixel is opaque, otherwise `PixelFormat.rgba8Premultiplied`.
///
/// If Little CMS is installed, colors are converted to sRGB from the code points of `cICP`, or else
/// the ICC profile, or else the gamma and chromaticities of the file. PQ and HLG are shown as by
/// ``AVIFDecoder``. For an animation, this decodes the first frame, even if the default image is
/// another one; `ImageAnimation` plays the frames.
///
/// Of a damaged or truncated file, the rows before the damage are decoded, and the missing ones are
/// transparent; of an interlaced file, missing pixels repeat a neighbor. A wrong checksum of the
/// compressed data, and any damage after the last row, are ignored.
package struct PNGDecoder: ImageDecoder {
    /// Creates a decoder. It has no settings.
    package init() {}

    package var name: String { "png" }

    package var formats: Set<ImageFormat> { [.png] }

    /// Throws `ImageError.Code.corrupt` for a file that is damaged before the first row or ends
    /// there, and `ImageError.Code.tooManyPixels` for an image that exceeds the limits.
    package func decode(_ bytes: [UInt8], _ request: DecodeRequest) throws(ImageError) -> DecodedImage {
        let canvas = request.header.storedSize
        try request.limits.check(canvas)
        let frame = try FirstFrame.of(bytes, .png)
        var file = frame?.file ?? bytes
        var rows: PNGRows.Result
        do throws(ImageError) {
            rows = try PNGRows.read(file, frame, request, .original)
        } catch {
            guard error.code == .corrupt, let repaired = PNGRepair.file(file) else { throw error }
            file = repaired
            rows = try PNGRows.read(file, frame, request, .repaired)
        }
        if rows.missingCount > 0 {
            if let complete = try Self.addingSum(to: file, frame, request, missingRowCount: rows.missingCount) {
                rows = complete
            } else {
                rows = try PNGRows.read(PNGRepair.file(file) ?? file, frame, request, .truncated)
            }
        }
        var image = DecodedImage(pixels: rows.pixels, size: canvas, frameCount: ImageFormat.png.frameCount(of: bytes))
        image.isTruncated = rows.missingCount > 0
        return image
    }

    /// The rows of an image that lacks only the checksum of its compressed data. Without it, libpng
    /// does not return the rows in the last string of the compression.
    private static func addingSum(
        to file: [UInt8], _ frame: FirstFrame?, _ request: DecodeRequest, missingRowCount: Int
    ) throws(ImageError) -> PNGRows.Result? {
        guard PNGRepair.canBeInLastString(missingRowCount, file), let closed = PNGRepair.file(file, addsSum: true)
        else { return nil }
        let rows = try PNGRows.read(closed, frame, request, .repaired)
        return rows.missingCount == 0 && rows.isIntact ? rows : nil
    }
}

/// Decodes the rows of a PNG onto its canvas.
///
/// Unsafe code: the bytes must outlive this value.
private struct PNGRows {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The request for the image in the bytes, which may be a frame of the canvas.
    private let request: DecodeRequest
    private let canvas: PixelSize
    private let x: Int
    private let y: Int
    /// The size to which the canvas is averaged down.
    private let target: PixelSize

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ frame: FirstFrame?, _ request: DecodeRequest) {
        self.bytes = bytes
        canvas = request.header.storedSize
        target = request.target?.drawnSize(of: canvas) ?? canvas
        (x, y) = (frame?.x ?? 0, frame?.y ?? 0)
        self.request =
            frame.map { frame in
                DecodeRequest(header: ImageHeader(format: .png, storedSize: frame.size), limits: request.limits)
            } ?? request
    }

    /// The canvas with the rows that were read, the number of missing ones, and whether libpng
    /// found no damage after them. If an interlaced image lacks pixels, all rows count as missing.
    typealias Result = (pixels: PixelBuffer, missingCount: Int, isIntact: Bool)

    enum FileState {
        case original, repaired
        /// Repaired, and known to lack rows. In the other states, if some are missing, the pixels
        /// of the result are not valid.
        case truncated
    }

    /// - Parameter frame: The place of the image in the file on its canvas; `nil` if it is the
    ///   canvas.
    static func read(
        _ file: [UInt8], _ frame: FirstFrame?, _ request: DecodeRequest, _ state: FileState
    ) throws(ImageError) -> Result {
        try file.withUnsafeBufferPointer { input throws(ImageError) in
            let rows = PNGRows(input, frame, request)
            let file = try PNGFile(input, rows.request, isRepaired: state != .original)
            let isTruncated = state == .truncated
            return file.isInterlaced
                ? try rows.allPasses(of: file, isTruncated) : try rows.inOrder(of: file, isTruncated)
        }
    }

    private var size: PixelSize { request.header.storedSize }

    private func inOrder(of file: borrowing PNGFile, _ isTruncated: Bool) throws(ImageError) -> Result {
        let coversCanvas = size == canvas
        // Missing rows need alpha.
        let isRGB = !file.hasAlpha && coversCanvas && !isTruncated
        var rowCount = 0
        var isOpaque = coversCanvas
        let pixels = PixelBuffer(averaging: canvas, to: target, format: isRGB ? .rgb8 : .rgba8Premultiplied) { y, row in
            if !coversCanvas { row.update(repeating: 0, count: canvas.width * 4) }
            let part = row + x * 4
            guard y == self.y + rowCount, rowCount < size.height, file.read(into: part) else {
                isOpaque = false
                row.update(repeating: 0, count: canvas.width * (isRGB ? 3 : 4))
                return UnsafePointer(row)
            }
            rowCount += 1
            if !isRGB {
                if !file.hasAlpha {
                    Self.addAlpha(part, count: size.width)
                } else if !PixelBuffer.isOpaque(part, size.width) {
                    isOpaque = false
                    pixels_premultiply(part, part, size.width)
                }
            }
            return UnsafePointer(row)
        }
        guard rowCount > 0 || !isTruncated else { throw file.error }
        return (isOpaque ? pixels.droppingAlpha() : pixels, size.height - rowCount, file.isIntact)
    }

    /// Converts a row of RGB to RGBA in place.
    private static func addAlpha(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        for x in (0..<count).reversed() {
            row[x * 4 + 3] = 255
            for channel in (0..<3).reversed() { row[x * 4 + channel] = row[x * 3 + channel] }
        }
    }

    private func allPasses(of file: borrowing PNGFile, _ isTruncated: Bool) throws(ImageError) -> Result {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size.pixelCount * file.channels)
        defer { memory.deallocate() }
        guard let base = memory.baseAddress else { throw file.error }
        if isTruncated { memory.update(repeating: 0) }
        let rowCount = file.readAll(into: base, isTruncated: isTruncated)
        guard rowCount > 0 || !isTruncated else { throw file.error }
        let pixels = DecodedPixels(base, PixelSize(width: size.width, height: rowCount), channels: file.channels)
        return (
            pixels.size == canvas
                ? pixels.packed(scaledDownTo: target)
                : PixelBuffer(placing: pixels, atX: x, y: y, on: canvas, scaledDownTo: target),
            isTruncated || rowCount == 0 ? size.height : 0, file.isIntact
        )
    }
}

extension PixelBuffer {
    /// Converts a buffer with only opaque pixels to RGB.
    fileprivate func droppingAlpha() -> PixelBuffer {
        guard format == .rgba8Premultiplied else { return self }
        return PixelBuffer(size: size, format: .rgb8) { output in
            withUnsafeBytes { input in
                guard let old = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let new = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                else { return }
                _ = pixels_drop_alpha(old, new, size.pixelCount)
            }
        }
    }
}

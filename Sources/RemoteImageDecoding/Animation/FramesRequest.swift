// Unsafe code: the memory of a canvas lives as long as its `OwnedCanvas`.

/// The parameters for decoding some consecutive frames of an animation at once.
///
/// The frames are drawn on the canvas of a ``FrameCursor``, which they leave as the next frames
/// need it, and are returned scaled down: the canvas has the size of the file, whatever size is
/// drawn.
package struct FramesRequest: Sendable {
    /// The format of the animation.
    package var format: ImageFormat
    package var canvas: PixelSize
    /// Whether the disposal of a frame of the animation restores earlier pixels.
    package var restores: Bool
    /// The size to which the frames are scaled down.
    package var size: PixelSize
    package var limits: DecodeLimits
    /// The frame before these; `nil` for the first frames, before which the canvas is cleared.
    package var previous: AnimationFrame?
    package var frames: [AnimationFrame]
    /// The bytes of memory for the files of the frames and the number of frames for which a decoder
    /// makes room, the same in all requests of a playback.
    package var room: (fileByteCount: Int, frameCount: Int)

    package init(
        format: ImageFormat, canvas: PixelSize, restores: Bool, size: PixelSize, limits: DecodeLimits,
        previous: AnimationFrame?, frames: [AnimationFrame], room: (fileByteCount: Int, frameCount: Int)
    ) {
        (self.format, self.canvas, self.restores, self.size) = (format, canvas, restores, size)
        (self.limits, self.previous, self.frames, self.room) = (limits, previous, frames, room)
    }

    /// The bytes that decoding needs beside the canvas: the largest frame, decoded and packed.
    package var estimatedByteCount: Int {
        min(frames.map(\.size.pixelCount).max() ?? 0, 1 << 48) * 8
    }
}

extension ImageDecoder {
    /// Decodes the frames as ``ConfinedDecoder/frames(_:from:_:)`` does, in this process.
    package func ownFrames(
        _ request: FramesRequest, from files: [[UInt8]], _ cursor: FrameCursor
    ) throws(ImageError) -> [PixelBuffer] {
        let known = cursor.take() as? OwnedCanvas
        guard known != nil || request.previous == nil else { throw ImageError(.io, "the canvas is lost") }
        guard let owner = known ?? OwnedCanvas(request), let canvas = owner.canvas(of: request) else {
            throw ImageError(.corrupt, "an animation without a canvas")
        }
        defer { cursor.keep(owner, byteCount: owner.byteCount) }
        var made: [PixelBuffer] = []
        try draw(request, on: canvas) {
            files[$0]
        } drawn: { canvas in
            made.append(canvas.image(scaledDownTo: request.size))
        }
        return made
    }

    /// Decodes the frames and draws them on the canvas one after another, and calls `drawn` after
    /// each. Ends before the first frame that cannot be decoded, and throws if that is the first
    /// one.
    package func draw(
        _ request: FramesRequest, on canvas: AnimationCanvas, file: (Int) -> [UInt8],
        drawn: (AnimationCanvas) -> Void
    ) throws(ImageError) {
        var previous = request.previous
        if previous == nil { canvas.clear() }
        for (number, frame) in request.frames.enumerated() {
            let image: PixelBuffer?
            do throws(ImageError) {
                image = frame.size.pixelCount > 0 ? try pixels(of: file(number), frame, request) : nil
            } catch {
                if number == 0 { throw error }
                return
            }
            canvas.draw(frame, image, after: previous)
            drawn(canvas)
            previous = frame
        }
    }

    private func pixels(
        of file: [UInt8], _ frame: AnimationFrame, _ request: FramesRequest
    ) throws(ImageError) -> PixelBuffer {
        var header = try ImageHeader.read(file)
        try request.limits.check(header)
        // The image data may have another size than the frame.
        guard header.format == request.format,
            header.storedSize.pixelCount <= max(request.canvas.pixelCount, frame.size.pixelCount)
        else { throw ImageError(.corrupt, "a frame that is larger than the animation") }
        // The frames of an animation are shown as stored.
        header.orientation = .up
        return try decode(file, DecodeRequest(header: header, limits: request.limits)).pixels
    }
}

/// The memory of a canvas in the calling process.
private final class OwnedCanvas: @unchecked Sendable {
    // Unchecked: only the thread that took it from its cursor uses it.

    private let memory: UnsafeMutableRawBufferPointer

    init?(_ request: FramesRequest) {
        guard let count = AnimationCanvas.byteCount(of: request.canvas, restores: request.restores) else { return nil }
        memory = .allocate(byteCount: count, alignment: 16)
    }

    deinit { memory.deallocate() }

    var byteCount: Int { memory.count }

    func canvas(of request: FramesRequest) -> AnimationCanvas? {
        AnimationCanvas(request.canvas, restores: request.restores, in: memory)
    }
}

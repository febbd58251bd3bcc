/// A request to decode frames of an animation. The attached memory has the layout
/// ``FramesLayout`` and belongs to the animation: any process can decode its next frames.
package struct FramesQuestion {
    package var request: FramesRequest
    /// The length of the file of each frame. The files follow one another.
    package var fileByteCounts: [Int]
    /// Differs from every first byte of a ``DecoderQuestion`` and a ``DecoderTest``.
    private static let tag: UInt8 = 4
    /// The maximum number of frames, which bounds the length of the message.
    package static let maxFrameCount = 64

    package init(request: FramesRequest, fileByteCounts: [Int]) {
        (self.request, self.fileByteCounts) = (request, fileByteCounts)
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard reader.byte() == Self.tag, let format = reader.format(), let canvas = reader.size(),
            let restores = reader.flag(), let size = reader.size(), let fileByteCount = reader.number(),
            let roomCount = reader.number(), let limits = reader.limits(), let hasPrevious = reader.flag(),
            let previous = reader.frame(), let count = reader.number(), (1...Self.maxFrameCount).contains(count)
        else { return nil }
        request = FramesRequest(
            format: format, canvas: canvas, restores: restores, size: size, limits: limits,
            previous: hasPrevious ? previous : nil, frames: [], room: (fileByteCount, roomCount))
        fileByteCounts = []
        for _ in 0..<count {
            guard let frame = reader.frame(), let byteCount = reader.number() else { return nil }
            request.frames.append(frame)
            fileByteCounts.append(byteCount)
        }
        guard reader.isAtEnd else { return nil }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: Self.tag)
        writer.append(request.format)
        writer.append(request.canvas)
        writer.append(request.restores)
        writer.append(request.size)
        writer.append(request.room.fileByteCount)
        writer.append(request.room.frameCount)
        writer.append(request.limits)
        writer.append(request.previous != nil)
        writer.append(request.previous)
        writer.append(request.frames.count)
        for (frame, byteCount) in zip(request.frames, fileByteCounts) {
            writer.append(frame)
            writer.append(byteCount)
        }
        return writer.message
    }
}

extension MessageWriter {
    /// Appends the place of a frame and how it is drawn. Its delay and its bytes are not sent.
    fileprivate mutating func append(_ frame: AnimationFrame?) {
        append(frame?.x ?? 0)
        append(frame?.y ?? 0)
        append(frame?.size ?? PixelSize(width: 0, height: 0))
        append(byte: frame?.disposal == .clear ? 1 : frame?.disposal == .restore ? 2 : 0)
        append(frame?.blends == true)
    }
}

extension MessageReader {
    fileprivate mutating func frame() -> AnimationFrame? {
        let disposals: [AnimationFrame.Disposal] = [.keep, .clear, .restore]
        guard let x = number(), let y = number(), let size = size(), let disposal = byte(),
            disposals.indices.contains(Int(disposal)), let blends = flag()
        else { return nil }
        return AnimationFrame(
            x: x, y: y, size: size, delay: .zero, disposal: disposals[Int(disposal)], blends: blends)
    }
}

/// The layout of the memory that an animation shares with decoder processes: the files of some
/// frames, room for these frames, and the canvas.
package struct FramesLayout {
    private let fileByteCount: Int
    private let slotByteCount: Int
    private let slotCount: Int
    private let canvasByteCount: Int

    /// `nil` if a number of the request is invalid.
    package init?(_ request: FramesRequest) {
        let (size, room) = (request.size, request.room)
        // Far below any overflow in the sums.
        let limit = 1 << 40
        guard let canvasByteCount = AnimationCanvas.byteCount(of: request.canvas, restores: request.restores),
            let slotByteCount = AnimationCanvas.byteCount(of: size, restores: false),
            size.width <= request.canvas.width, size.height <= request.canvas.height,
            canvasByteCount <= limit, (0...limit).contains(room.fileByteCount),
            (1...FramesQuestion.maxFrameCount).contains(room.frameCount)
        else { return nil }
        (self.canvasByteCount, self.slotByteCount) = (canvasByteCount, slotByteCount)
        (fileByteCount, slotCount) = (room.fileByteCount, room.frameCount)
    }

    /// The offset of the pixels of a frame; `nil` if there is no room for it.
    package func pixelOffset(_ number: Int) -> Int? {
        (0..<slotCount).contains(number) ? MemoryFile.pixelOffset(fileByteCount) + number * slotByteCount : nil
    }

    private var canvasOffset: Int {
        MemoryFile.pixelOffset(MemoryFile.pixelOffset(fileByteCount) + slotCount * slotByteCount)
    }

    /// The canvas, and the pixels to restore to it.
    package var canvasRange: Range<Int> { canvasOffset..<(canvasOffset + canvasByteCount) }

    package var byteCount: Int { canvasRange.upperBound }

    /// The ranges of files with these lengths; `nil` if they do not fit.
    package func fileRanges(_ byteCounts: [Int]) -> [Range<Int>]? {
        var (start, ranges) = (0, [Range<Int>]())
        for count in byteCounts {
            guard (0...(fileByteCount - start)).contains(count) else { return nil }
            ranges.append(start..<(start + count))
            start += count
        }
        return ranges
    }
}

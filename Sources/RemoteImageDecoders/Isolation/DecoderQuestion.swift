/// A request to decode an image. Its bytes are at the start of the shared memory; the decoder
/// process writes the pixels after them.
package struct DecoderQuestion {
    /// The shared memory of a question.
    package enum Memory: UInt8 {
        /// The kept memory of an earlier question.
        case kept
        /// Memory that is attached to this question and kept for later ones.
        case attachedToKeep
        /// Memory that is attached to this question. The process unmaps it before it sends the
        /// answer.
        case attachedOnce
    }

    package var memory: Memory
    package var byteCount: Int
    /// Whether the bytes are only the first ones of an image and the decoder makes a preview.
    package var isBeginning: Bool
    /// The request. The orientation is not sent, since a decoder returns stored pixels. A received
    /// cursor has the identifier of the application's cursor and no value.
    package var request: DecodeRequest

    package init(memory: Memory, byteCount: Int, isBeginning: Bool = false, request: DecodeRequest) {
        self.memory = memory
        self.byteCount = byteCount
        self.isBeginning = isBeginning
        self.request = request
    }

    package init?(_ message: ArraySlice<UInt8>) {
        var reader = MessageReader(message)
        guard let memory = reader.byte().flatMap(Memory.init(rawValue:)), let isBeginning = reader.byte(),
            let byteCount = reader.number(), let formatIndex = reader.number(),
            ImageFormat.allCases.indices.contains(formatIndex), let stored = reader.size(),
            let hasTarget = reader.byte(), let box = reader.size(), let isCover = reader.byte(),
            let maxPixelCount = reader.number(),
            let maxSide = reader.number(), let maxDecodedByteCount = reader.number(),
            let maxScanPixelCount = reader.number(), let maxFrameCount = reader.number(),
            let frameNumber = reader.number(), let cursor = reader.number(), reader.isAtEnd
        else { return nil }
        self.memory = memory
        self.byteCount = byteCount
        self.isBeginning = isBeginning == 1
        let header = ImageHeader(format: ImageFormat.allCases[formatIndex], storedSize: stored)
        request = DecodeRequest(
            header: header, target: hasTarget == 1 ? TargetSize(box, fit: isCover == 1 ? .cover : .contain) : nil)
        request.limits.maxPixelCount = maxPixelCount
        request.limits.maxSide = maxSide
        request.limits.maxDecodedByteCount = maxDecodedByteCount
        request.limits.maxScanPixelCount = maxScanPixelCount
        request.limits.maxFrameCount = maxFrameCount
        if cursor > 0 { request.frame = (frameNumber, FrameCursor(identifier: cursor)) }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: memory.rawValue)
        writer.append(byte: isBeginning ? 1 : 0)
        writer.append(byteCount)
        writer.append(ImageFormat.allCases.firstIndex(of: request.header.format) ?? 0)
        writer.append(request.header.storedSize)
        writer.append(byte: request.target == nil ? 0 : 1)
        writer.append(request.target?.box ?? PixelSize(width: 0, height: 0))
        writer.append(byte: request.target?.fit == .cover ? 1 : 0)
        writer.append(request.limits.maxPixelCount)
        writer.append(request.limits.maxSide)
        writer.append(request.limits.maxDecodedByteCount)
        writer.append(request.limits.maxScanPixelCount)
        writer.append(request.limits.maxFrameCount)
        writer.append(request.frame?.number ?? 0)
        writer.append(request.frame?.cursor.identifier ?? 0)
        return writer.message
    }
}

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
        guard let memory = reader.byte().flatMap(Memory.init(rawValue:)), let isBeginning = reader.flag(),
            let byteCount = reader.number(), let format = reader.format(), let stored = reader.size(),
            let hasTarget = reader.flag(), let box = reader.size(), let isCover = reader.flag(),
            let limits = reader.limits(), let frameNumber = reader.number(), let cursor = reader.number(),
            reader.isAtEnd
        else { return nil }
        (self.memory, self.byteCount, self.isBeginning) = (memory, byteCount, isBeginning)
        request = DecodeRequest(
            header: ImageHeader(format: format, storedSize: stored),
            target: hasTarget ? TargetSize(box, fit: isCover ? .cover : .contain) : nil, limits: limits)
        if cursor > 0 { request.frame = (frameNumber, FrameCursor(identifier: cursor)) }
    }

    package var message: [UInt8] {
        var writer = MessageWriter()
        writer.append(byte: memory.rawValue)
        writer.append(isBeginning)
        writer.append(byteCount)
        writer.append(request.header.format)
        writer.append(request.header.storedSize)
        writer.append(request.target != nil)
        writer.append(request.target?.box ?? PixelSize(width: 0, height: 0))
        writer.append(request.target?.fit == .cover)
        writer.append(request.limits)
        writer.append(request.frame?.number ?? 0)
        writer.append(request.frame?.cursor.identifier ?? 0)
        return writer.message
    }
}

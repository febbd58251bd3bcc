// Sends one image to a decoder process and receives its pixels.

import CRemoteImagePlatform
import Glibc

extension DecoderProcess {
    func decode(
        _ bytes: [UInt8], _ request: DecodeRequest, isBeginning: Bool, until deadline: ContinuousClock.Instant
    ) -> Outcome {
        hasHadImage = true
        let offset = MemoryFile.pixelOffset(bytes.count)
        let expected = request.header.format.facts.pixelByteCount(request)
        if offset + expected <= Self.keptByteCount {
            let answer = askInKeptMemory(bytes, request, isBeginning, until: deadline)
            guard case .needsMemory(let byteCount) = answer else { return answer }
            return decodeOnce(bytes, request, isBeginning, pixelByteCount: byteCount, until: deadline)
        }
        return decodeOnce(bytes, request, isBeginning, pixelByteCount: expected, until: deadline)
    }

    private func decodeOnce(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, pixelByteCount: Int,
        until deadline: ContinuousClock.Instant
    ) -> Outcome {
        guard pixelByteCount <= request.limits.maxDecodedByteCount else { return .invalidAnswer }
        let answer = askInOwnMemory(bytes, request, isBeginning, pixelByteCount, until: deadline)
        // A decoder may find another size than the header.
        guard case .needsMemory(let needed) = answer, needed > pixelByteCount,
            needed <= request.limits.maxDecodedByteCount
        else { return answer }
        return askInOwnMemory(bytes, request, isBeginning, needed, until: deadline)
    }

    private func askInKeptMemory(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, until deadline: ContinuousClock.Instant
    ) -> Outcome {
        let unsent: Outcome?
        do throws(ImageError) {
            if kept == nil {
                let file = try MemoryFile(byteCount: Self.keptByteCount)
                kept = SharedMapping(file)
                guard kept != nil else { throw ImageError(.io, "no address space for an image") }
                place(bytes)
                unsent = send(bytes, request, isBeginning, .attachedToKeep, file.descriptor)
            } else {
                place(bytes)
                unsent = send(bytes, request, isBeginning, .kept, -1)
            }
        } catch {
            return .answered(.failure(error))
        }
        if let unsent { return unsent }
        return reply(request, until: deadline) { decoded, format in
            kept?.copyOfPixels(at: MemoryFile.pixelOffset(bytes.count), size: decoded, format: format)
        }
    }

    private func place(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { kept?.bytes(from: 0).copyMemory(from: $0) }
    }

    private func askInOwnMemory(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, _ pixelByteCount: Int,
        until deadline: ContinuousClock.Instant
    ) -> Outcome {
        let offset = MemoryFile.pixelOffset(bytes.count)
        let (byteCount, isTooLong) = offset.addingReportingOverflow(pixelByteCount)
        guard !isTooLong else { return .invalidAnswer }
        do throws(ImageError) {
            let file = try MemoryFile(byteCount: byteCount)
            try file.write(bytes)
            if let unsent = send(bytes, request, isBeginning, .attachedOnce, file.descriptor) { return unsent }
            return reply(request, until: deadline) { decoded, format in
                file.sealedPixels(at: offset, size: decoded, format: format)
            }
        } catch {
            return .answered(.failure(error))
        }
    }

    /// The outcome if the question could not be sent.
    private func send(
        _ bytes: [UInt8], _ request: DecodeRequest, _ isBeginning: Bool, _ memory: DecoderQuestion.Memory,
        _ descriptor: Int32
    ) -> Outcome? {
        let question = DecoderQuestion(
            memory: memory, byteCount: bytes.count, isBeginning: isBeginning, request: request)
        let message = question.message
        if platform_send_message(socket, message, message.count, descriptor) == 0 { return nil }
        // The socket is full only if the process has not read many earlier questions.
        return errno == EAGAIN ? .invalidAnswer : end()
    }

    private func reply(
        _ request: DecodeRequest, until deadline: ContinuousClock.Instant,
        pixels: (PixelSize, PixelFormat) -> PixelBuffer?
    ) -> Outcome {
        answer(until: deadline) { answer in
            switch answer {
            case .needsMemory(let byteCount): return .needsMemory(byteCount)
            case .pixels(let decoded, let format, let size, let frameCount, let isTruncated, let decoder, let timing):
                // The same limits as for a header, since a compromised process may send any size.
                guard (try? request.limits.check(size)) != nil,
                    request.header.format.facts.allowsSize(size, request.header.storedSize),
                    request.allows(decoded, of: size),
                    timing == nil || request.mayHaveTiming, let pixels = pixels(decoded, format)
                else { return .invalidAnswer }
                var image = DecodedImage(pixels: pixels, size: size, frameCount: max(1, min(10_000, frameCount)))
                image.decoder = decoder
                image.timing = timing
                image.isTruncated = isTruncated
                image.isIsolated = isConfined || platform_is_sanitized() != 0
                return .answered(.success([image]))
            case .frames, .failure, .violation: return .invalidAnswer
            }
        }
    }

    /// Receives the answer to a question. Calls `body` if it is neither an error nor a violation.
    func answer(until deadline: ContinuousClock.Instant, _ body: (DecoderAnswer) -> Outcome) -> Outcome {
        switch receive(until: deadline) {
        case .closed: return end()
        case .late: return .hung
        case .malformed, .message(_, hadFile: true): return .invalidAnswer
        case .message(let message, hadFile: false):
            switch DecoderAnswer(message[...]) {
            case nil: return .invalidAnswer
            case .failure(let error): return .answered(.failure(error))
            case .violation(let systemCall): return .violated(systemCall: systemCall)
            case .some(let answer): return body(answer)
            }
        }
    }
}

extension DecodeRequest {
    /// Whether the answer may contain frame delays.
    fileprivate var mayHaveTiming: Bool { header.format.facts.heldBytesPerPixel != nil && frame == nil }

    /// Whether a decoder may return this number of pixels of an image of `size`. Only drawings are
    /// enlarged.
    fileprivate func allows(_ decoded: PixelSize, of size: PixelSize) -> Bool {
        if header.format.facts.isDrawing { return (try? limits.check(decoded)) != nil }
        return decoded.width <= size.width && decoded.height <= size.height
    }
}

// The main loop of a decoder process.

import CRemoteImagePlatform
import Glibc
import RemoteImageDecoders

/// Answers the messages from the socket, one at a time.
struct DecoderService: ~Copyable {
    static let socket: Int32 = 3

    /// The processor time after which the process exits between two images, long before the limit
    /// that would kill it during one.
    let maxProcessorSeconds: Double
    let idleMilliseconds: Int32
    private let codecs: CodecSet
    /// The memory of the application that this process keeps.
    private var kept: SharedMapping?
    private var cursors = CursorList()

    init(_ codecs: CodecSet, maxProcessorSeconds: Double, idleMilliseconds: Int32) {
        self.codecs = codecs
        self.maxProcessorSeconds = maxProcessorSeconds
        self.idleMilliseconds = idleMilliseconds
    }

    mutating func run(isConfined: Bool) {
        guard send(DecoderGreeting(isConfined: isConfined, formats: codecs.formats).message) else { return }
        var buffer = [UInt8](repeating: 0, count: DecoderMessage.maxByteCount)
        while platform_process_cpu_seconds() < maxProcessorSeconds {
            guard waitForMessage() else { return }
            var descriptor: Int32 = -1
            let count = platform_receive_message(Self.socket, &buffer, buffer.count, &descriptor)
            let file = MemoryFile(descriptor: descriptor)
            guard count > 0, let message = reply(to: buffer[..<count], file), send(message) else { return }
        }
    }

    /// Returns freed memory to the system if no message comes soon.
    ///
    /// - Returns: Whether there is a message, or the socket was closed.
    private func waitForMessage() -> Bool {
        let pause = min(idleMilliseconds, Self.pauseMilliseconds)
        if poll(for: pause) { return true }
        platform_return_freed_memory()
        return poll(for: idleMilliseconds - pause)
    }

    private func poll(for milliseconds: Int32) -> Bool {
        var event = pollfd(fd: Self.socket, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = Glibc.poll(&event, 1, milliseconds)
            if ready >= 0 || errno != EINTR { return ready > 0 }
        }
    }

    /// The wait before freed memory is returned: longer than the pauses between the images of a
    /// page.
    private static let pauseMilliseconds: Int32 = 1000

    /// `nil` for an invalid message.
    private mutating func reply(to message: ArraySlice<UInt8>, _ file: borrowing MemoryFile) -> [UInt8]? {
        if let test = DecoderTest(message) {
            return DecoderTest.answer(codecs.decodesTestImage(of: test.format))
        }
        if let question = FramesQuestion(message) {
            guard let decoder = codecs.decoder(of: question.request.format) else { return nil }
            return SharedMapping(file)?.answer(to: question, with: decoder)?.message
        }
        guard var question = DecoderQuestion(message) else { return nil }
        if let (number, cursor) = question.request.frame {
            question.request.frame = (number, cursors.cursor(cursor.identifier))
        }
        defer { cursors.trim() }
        let answer = self.answer(question, file)
        // The memory of the cursors may be the cause, so the image is decoded again without them. A
        // preview that is not there yet is no failure, and will be asked for again.
        if case .failure = answer, !question.isBeginning, cursors.removeAll() {
            return self.answer(question, file)?.message
        }
        return answer?.message
    }

    /// `nil` for an invalid question.
    private mutating func answer(_ question: DecoderQuestion, _ file: borrowing MemoryFile) -> DecoderAnswer? {
        guard let decoder = codecs.decoder(of: question.request.header.format) else { return nil }
        switch question.memory {
        case .attachedOnce: return SharedMapping(file)?.answer(to: question, with: decoder)
        case .attachedToKeep: kept = SharedMapping(file)
        case .kept: break
        }
        return kept?.answer(to: question, with: decoder)
    }

    private func send(_ message: [UInt8]) -> Bool {
        platform_send_message(Self.socket, message, message.count, -1) == 0
    }
}

extension SharedMapping {
    /// Decodes the image at the start of the memory into the memory after it.
    fileprivate borrowing func answer(to question: DecoderQuestion, with decoder: any ImageDecoder) -> DecoderAnswer? {
        guard (0...byteCount).contains(question.byteCount) else { return nil }
        // Decoders read a copy, which the application cannot change.
        let image = [UInt8](bytes(from: 0)[..<question.byteCount])
        let place = bytes(from: MemoryFile.pixelOffset(question.byteCount))
        SharedPixelMemory.offer(place)
        defer { SharedPixelMemory.offer(nil) }
        do throws(ImageError) {
            let decoded: DecodedImage
            if question.isBeginning {
                guard let pixels = decoder.decodeBeginning(image, question.request) else {
                    throw ImageError(.corrupt, "no preview")
                }
                decoded = DecodedImage(pixels: pixels, size: question.request.header.storedSize)
            } else {
                decoded = try decoder.decode(image, question.request)
            }
            guard decoded.pixels.place(in: place) else { return .needsMemory(decoded.pixels.byteCount) }
            return .pixels(
                decoded: decoded.pixels.size, format: decoded.pixels.format, size: decoded.size,
                frameCount: decoded.frameCount, isTruncated: decoded.isTruncated,
                decoder: decoded.decoder ?? decoder.name, timing: decoded.timing)
        } catch {
            return .failure(error)
        }
    }
}

extension SharedMapping {
    /// Decodes the frames at the start of the memory into the memory after them, on the canvas at
    /// its end. `nil` for an invalid question.
    fileprivate borrowing func answer(to question: FramesQuestion, with decoder: any ImageDecoder) -> DecoderAnswer? {
        let request = question.request
        guard let layout = FramesLayout(request), layout.byteCount <= byteCount,
            let ranges = layout.fileRanges(question.fileByteCounts),
            layout.pixelOffset(request.frames.count - 1) != nil,
            let canvas = AnimationCanvas(
                request.canvas, restores: request.restores,
                in: UnsafeMutableRawBufferPointer(
                    rebasing: bytes(from: layout.canvasRange.lowerBound)[..<layout.canvasRange.count]))
        else { return nil }
        let memory = bytes(from: 0)
        var formats: [PixelFormat] = []
        do throws(ImageError) {
            try decoder.draw(request, on: canvas) { number in
                // Decoders read a copy, which the application cannot change.
                [UInt8](memory[ranges[number]])
            } drawn: { canvas in
                guard let offset = layout.pixelOffset(formats.count) else { return }
                let place = UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
                SharedPixelMemory.offer(place)
                defer { SharedPixelMemory.offer(nil) }
                let image = canvas.image(scaledDownTo: request.size)
                if image.place(in: place) { formats.append(image.format) }
            }
        } catch {
            return .failure(error)
        }
        return .frames(formats)
    }
}

extension PixelBuffer {
    /// Copies the pixels to the start of `memory` unless they were made there. Returns whether they
    /// fit.
    fileprivate func place(in memory: UnsafeMutableRawBufferPointer) -> Bool {
        withUnsafeBytes { pixels in
            guard pixels.count <= memory.count else { return false }
            if pixels.baseAddress != UnsafeRawPointer(memory.baseAddress) { memory.copyMemory(from: pixels) }
            return true
        }
    }
}
